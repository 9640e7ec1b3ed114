/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls that no new program should make, by name: DEPRECATED(call, "what is to be used, and since when").
 */
/* clang-format off */
DEPRECATED("lookup_dcookie", "nothing takes its place; kernels since 6.7 do not have it")
DEPRECATED("nfsservctl", "use the nfsd file system; kernels since 3.1 do not have it")
DEPRECATED("remap_file_pages", "use mmap; since 4.0 the kernel only imitates it")
DEPRECATED("tkill", "use tgkill: the number of an ended thread may be another process's")
DEPRECATED("renameat", "use renameat2: kernels of newer architectures do not have it")
DEPRECATED("getrlimit", "use prlimit64")
DEPRECATED("setrlimit", "use prlimit64")
DEPRECATED("getrlimit32", "use prlimit64")
DEPRECATED("setrlimit32", "use prlimit64")
