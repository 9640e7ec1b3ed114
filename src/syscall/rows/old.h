/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls that no profile's own rows have: those of the historic series (abi/hist-*.abi), and for profile files. They
 * have no numbers but those that a profile gives them.
 *
 *   OLD(name, result, restart, implementation, arguments...)
 */
/* clang-format off */
OLD(renameat, INT, EINTR, HOST(renameat), A(DFD, olddfd), PATH_NEW(oldpath), A(DFD, newdfd), PATH_NEW(newpath))
OLD(statfs, INT, EINTR, HANDLER(sys_statfs), PATH(path), OUT(buf, statfs64))
OLD(fstatfs, INT, EINTR, HANDLER(sys_fstatfs), A(FD, fd), OUT(buf, statfs64))
OLD(lseek, SIZE, NO_BLOCK, HANDLER(sys_lseek), A(FD, fd), A(OFF64, offset), SYM(whence, whence))
OLD(sync_file_range, INT, EINTR, HOST(sync_file_range), A(FD, fd), A(OFF64, offset), A(OFF64, nbytes), FLAGS(flags, sync_file_range_flags))
OLD(fadvise64, INT, EINTR, HOST(fadvise64), A(FD, fd), A(OFF64, offset), A(OFF64, len), SYM(advice, fadvise))
OLD(mmap, ADDR, NO_BLOCK, HANDLER(sys_mmap), A(ADDR, addr), A(UINT, len), FLAGS(prot, mmap_prot), FLAGS(flags, mmap_flags), A(FD, fd), A(OFF64, offset))
OLD(getrlimit, INT, NO_BLOCK, HANDLER(sys_getrlimit), SYM(resource, rlimit_resource), OUT(rlim, rlimit))
OLD(setrlimit, INT, NO_BLOCK, HANDLER(sys_setrlimit), SYM(resource, rlimit_resource), IN(rlim, rlimit))
OLD(getrlimit32, INT, NO_BLOCK, HANDLER(sys_getrlimit), SYM(resource, rlimit_resource), OUT(rlim, rlimit32))
OLD(setrlimit32, INT, NO_BLOCK, HANDLER(sys_setrlimit), SYM(resource, rlimit_resource), IN(rlim, rlimit32))
