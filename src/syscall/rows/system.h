/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine: names, log, modules, swap, accounting. See rows.h. */
/* clang-format off */
SYS(58, vhangup, ALL, INT, NO_BLOCK, HOST(vhangup))
SYS(89, acct, ALL, INT, EINTR, HOST(acct), PATH_NEW_OPT(path))
SYS(104, kexec_load, ALL, INT, NO_BLOCK, HANDLER(sys_kexec_load), A(ADDR, entry), A(UINT, nr_segments), OPAQUE(segments), A(HEX, flags))
SYS(105, init_module, ALL, INT, NO_BLOCK, HOST(init_module), BUF_IN(image, 1), A(UINT, len), STR(params))
SYS(106, delete_module, ALL, INT, NO_BLOCK, HOST(delete_module), STR(name), OPENFLAGS(flags))
SYS(116, syslog, ALL, INT, RESTART, HOST(syslog), A(INT, type), BUF_OUT_OPT(buf, 2), A(INT, len))
SYS(142, reboot, ALL, INT, NO_BLOCK, HOST(reboot), A(HEX, magic1), A(HEX, magic2), A(HEX, cmd), PTR_OPT(arg, "a string"))
SYS(160, uname, ALL, INT, NO_BLOCK, HANDLER(sys_uname), OUT(buf, utsname))
SYS(161, sethostname, ALL, INT, NO_BLOCK, HOST(sethostname), BUF_IN(name, 1), A(INT, len))
SYS(162, setdomainname, ALL, INT, NO_BLOCK, HOST(setdomainname), BUF_IN(name, 1), A(INT, len))
SYS(179, sysinfo, ALL, INT, NO_BLOCK, HANDLER(sys_sysinfo), OUT(info, sysinfo))
SYS(224, swapon, ALL, INT, EINTR, HOST(swapon), PATH_NEW(path), A(HEX, flags))
SYS(225, swapoff, ALL, INT, EINTR, HOST(swapoff), PATH_NEW(path))
SYS(273, finit_module, ALL, INT, NO_BLOCK, HOST(finit_module), A(FD, fd), STR(params), A(HEX, flags))
SYS(278, getrandom, ALL, SIZE, RESTART, HANDLER_HOST(sys_getrandom, getrandom), BUF_OUT(buf, 1), A(UINT, count), FLAGS(flags, getrandom_flags))
SYS(294, kexec_file_load, SINCE_5_10, INT, NO_BLOCK, HOST(kexec_file_load), A(FD, kernel_fd), A(FD, initrd_fd), A(UINT, cmdline_len), BUF_IN(cmdline, 2), A(HEX, flags))
