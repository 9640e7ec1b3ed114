/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compile-time check of the musl port: every structure that crosses the border to the kernel has the layout
 * of the ILP32 ABI (Linux 4.14 with the public ILP32 series, version 9; later kernels keep it). It compiles
 * or it does not; there is nothing to run.
 *
 * musl's internal headers are in the include path; structures that musl hides in a source file come by
 * including that file.
 */

/* before musl makes macros of syscall and friends */
#include <unistd.h>

#include "src/linux/clock_adjtime.c"
#include "src/time/timer_create.c"

#include "ksigaction.h"
#include "pthread_impl.h"
#include <dirent.h>
#include <fcntl.h>
#include <link.h>
#include <mqueue.h>
#include <net/if.h>
#include <net/route.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/msg.h>
#include <sys/procfs.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/utsname.h>
#include <termios.h>
#include <ucontext.h>
#include <wchar.h>

#include "kstat.h" /* needs the types of sys/stat.h */

#define SIZE(type, size) _Static_assert(sizeof(type) == (size), "sizeof(" #type ") is not " #size)
#define ALIGN(type, align) \
 _Static_assert(_Alignof(type) == (align), "alignment of " #type " is not " #align)
#define AT(type, field, offset) \
 _Static_assert(offsetof(type, field) == (offset), #field " of " #type " is not at " #offset)
#define FIELD(type, field, offset, size)              \
 AT(type, field, offset);                             \
 _Static_assert(sizeof(((type *)0)->field) == (size), \
		#field " of " #type " has not " #size " bytes")
#define SAME(a, b) \
 _Static_assert(__builtin_types_compatible_p(a, b), #a " is not the compiler's " #b)
#define NUMBER(name, value) _Static_assert(SYS_##name == (value), "number of " #name)

/* The C types are the compiler's. */
SIZE(int, 4);
SIZE(long, 4);
SIZE(void *, 4);
SAME(size_t, __SIZE_TYPE__);
SAME(ptrdiff_t, __PTRDIFF_TYPE__);
SAME(wchar_t, __WCHAR_TYPE__);
SAME(wint_t, __WINT_TYPE__);
SAME(int64_t, __INT64_TYPE__);
SIZE(intptr_t, 4);
SIZE(off_t, 8);
SIZE(ino_t, 8);
SIZE(dev_t, 8);
SIZE(rlim_t, 8);
SIZE(time_t, 8);
SIZE(clock_t, 4);
SIZE(max_align_t, 32);
ALIGN(max_align_t, 16);

/* Files */
SIZE(struct kstat, 104);
FIELD(struct kstat, st_dev, 0, 8);
FIELD(struct kstat, st_mode, 16, 4);
FIELD(struct kstat, st_nlink, 20, 4);
FIELD(struct kstat, st_uid, 24, 4);
FIELD(struct kstat, st_gid, 28, 4);
FIELD(struct kstat, st_rdev, 32, 8);
FIELD(struct kstat, st_size, 48, 8);
FIELD(struct kstat, st_blksize, 56, 4);
FIELD(struct kstat, st_blocks, 64, 8);
FIELD(struct kstat, st_atime_sec, 72, 4);
FIELD(struct kstat, st_mtime_sec, 80, 4);
FIELD(struct kstat, st_ctime_nsec, 92, 4);
FIELD(struct kstat, st_ino, 96, 8);

/* The kernel takes 84 or 88 as the size and writes 84. */
SIZE(struct statfs, 88);
FIELD(struct statfs, f_type, 0, 4);
FIELD(struct statfs, f_bsize, 4, 4);
FIELD(struct statfs, f_blocks, 8, 8);
FIELD(struct statfs, f_ffree, 40, 8);
FIELD(struct statfs, f_fsid, 48, 8);
FIELD(struct statfs, f_namelen, 56, 4);
FIELD(struct statfs, f_frsize, 60, 4);
FIELD(struct statfs, f_flags, 64, 4);
FIELD(struct statfs, f_spare, 68, 16);

FIELD(struct dirent, d_ino, 0, 8);
FIELD(struct dirent, d_off, 8, 8);
FIELD(struct dirent, d_reclen, 16, 2);
FIELD(struct dirent, d_type, 18, 1);
AT(struct dirent, d_name, 19);

/* Used with the 64-bit commands only. */
SIZE(struct flock, 32);
FIELD(struct flock, l_start, 8, 8);
FIELD(struct flock, l_len, 16, 8);
FIELD(struct flock, l_pid, 24, 4);
_Static_assert(F_GETLK == 12 && F_SETLK == 13 && F_SETLKW == 14, "record lock commands");
_Static_assert(O_DIRECTORY == 0x4000 && O_NOFOLLOW == 0x8000 && O_DIRECT == 0x10000 &&
		       O_LARGEFILE == 0x20000,
	       "open flags are those of arm64");

SIZE(struct iovec, 8);
SIZE(struct epoll_event, 16);
AT(struct epoll_event, data, 8);
SIZE(struct utsname, 390);
FIELD(struct termios, c_lflag, 12, 4);
FIELD(struct termios, c_line, 16, 1);
AT(struct termios, c_cc, 17);
SIZE(struct winsize, 8);

/* Signals */
SIZE(struct k_sigaction, 20);
FIELD(struct k_sigaction, flags, 4, 4);
FIELD(struct k_sigaction, restorer, 8, 4);
FIELD(struct k_sigaction, mask, 12, 8);

SIZE(siginfo_t, 128);
FIELD(siginfo_t, si_code, 8, 4);
FIELD(siginfo_t, si_pid, 12, 4);
FIELD(siginfo_t, si_uid, 16, 4);
FIELD(siginfo_t, si_status, 20, 4);
FIELD(siginfo_t, si_utime, 24, 4);
FIELD(siginfo_t, si_stime, 28, 4);
FIELD(siginfo_t, si_value, 20, 4);
FIELD(siginfo_t, si_timerid, 12, 4);
FIELD(siginfo_t, si_overrun, 16, 4);
FIELD(siginfo_t, si_addr, 12, 4);
FIELD(siginfo_t, si_addr_lsb, 16, 2);
FIELD(siginfo_t, si_lower, 20, 4);
FIELD(siginfo_t, si_upper, 24, 4);
FIELD(siginfo_t, si_band, 12, 4);
FIELD(siginfo_t, si_fd, 16, 4);
FIELD(siginfo_t, si_call_addr, 12, 4);
FIELD(siginfo_t, si_syscall, 16, 4);
FIELD(siginfo_t, si_arch, 20, 4);

SIZE(stack_t, 12);
FIELD(stack_t, ss_flags, 4, 4);
FIELD(stack_t, ss_size, 8, 4);

SIZE(mcontext_t, 4384);
ALIGN(mcontext_t, 16);
FIELD(mcontext_t, fault_address, 0, 8);
FIELD(mcontext_t, regs, 8, 248);
FIELD(mcontext_t, sp, 256, 8);
FIELD(mcontext_t, pc, 264, 8);
FIELD(mcontext_t, pstate, 272, 8);
FIELD(mcontext_t, __reserved, 288, 4096);
SIZE(ucontext_t, 4544);
FIELD(ucontext_t, uc_flags, 0, 4);
FIELD(ucontext_t, uc_link, 4, 4);
FIELD(ucontext_t, uc_stack, 8, 12);
AT(ucontext_t, uc_sigmask, 20);
AT(ucontext_t, uc_mcontext, 160);
SIZE(struct fpsimd_context, 528);
AT(struct fpsimd_context, vregs, 16);
SIZE(struct esr_context, 16);
AT(struct esr_context, esr, 8);
SIZE(struct extra_context, 32);
FIELD(struct extra_context, datap, 8, 8);
FIELD(struct extra_context, size, 16, 4);
SIZE(struct sve_context, 16);

SIZE(struct signalfd_siginfo, 128);
FIELD(struct ksigevent, sigev_signo, 4, 4);
FIELD(struct ksigevent, sigev_notify, 8, 4);
FIELD(struct ksigevent, sigev_tid, 12, 4);
SIZE(struct sigevent, 64);
FIELD(struct sigevent, sigev_notify, 8, 4);

/* sigsetjmp's assembly: return address at 176 (low half), x19 behind the 8 bytes of the mask. */
FIELD(struct __jmp_buf_tag, __fl, 176, 4);
AT(struct __jmp_buf_tag, __ss, 180);
_Static_assert(sizeof(struct __jmp_buf_tag) >= 200, "room for x19");

/* Threads: dtv is the last word before the thread pointer, the robust list head has three words. */
_Static_assert(offsetof(struct pthread, dtv) + 4 == sizeof(struct pthread), "dtv is at tp - 4");
FIELD(struct pthread, robust_list, offsetof(struct pthread, robust_list), 12);
_Static_assert(GAP_ABOVE_TP == 8, "the TCB is two words");
SIZE(tls_mod_off_t, 4);

/* Sockets */
SIZE(struct msghdr, 28);
FIELD(struct msghdr, msg_iov, 8, 4);
FIELD(struct msghdr, msg_iovlen, 12, 4);
FIELD(struct msghdr, msg_control, 16, 4);
FIELD(struct msghdr, msg_controllen, 20, 4);
FIELD(struct msghdr, msg_flags, 24, 4);
SIZE(struct mmsghdr, 32);
SIZE(struct cmsghdr, 12);
_Static_assert(CMSG_LEN(0) == 12 && CMSG_SPACE(8) == 20 && CMSG_SPACE(1) == 16,
	       "control messages align to 4");
SIZE(struct ifreq, 32);
SIZE(struct ifconf, 8);
SIZE(struct group_req, 132);
AT(struct group_req, gr_group, 4);
SIZE(struct group_source_req, 260);
SIZE(struct rtentry, 84);

/* System V IPC, always with IPC_64. musl adds its 64-bit times behind the kernel's part. */
FIELD(struct ipc_perm, mode, 20, 4);
FIELD(struct ipc_perm, __ipc_perm_seq, 24, 4);
SIZE(struct ipc_perm, 36);
FIELD(struct semid_ds, __sem_otime_lo, 36, 4);
FIELD(struct semid_ds, __sem_ctime_lo, 44, 4);
FIELD(struct semid_ds, sem_nsems, 52, 2);
_Static_assert(offsetof(struct semid_ds, sem_otime) >= 64, "kernel part of semid_ds");
FIELD(struct msqid_ds, __msg_stime_lo, 36, 4);
FIELD(struct msqid_ds, __msg_rtime_lo, 44, 4);
FIELD(struct msqid_ds, __msg_ctime_lo, 52, 4);
FIELD(struct msqid_ds, msg_cbytes, 60, 4);
FIELD(struct msqid_ds, msg_qnum, 64, 4);
FIELD(struct msqid_ds, msg_qbytes, 68, 4);
FIELD(struct msqid_ds, msg_lspid, 72, 4);
FIELD(struct msqid_ds, msg_lrpid, 76, 4);
_Static_assert(offsetof(struct msqid_ds, msg_stime) >= 88, "kernel part of msqid_ds");
FIELD(struct shmid_ds, shm_segsz, 36, 4);
FIELD(struct shmid_ds, __shm_atime_lo, 40, 4);
FIELD(struct shmid_ds, __shm_dtime_lo, 48, 4);
FIELD(struct shmid_ds, __shm_ctime_lo, 56, 4);
FIELD(struct shmid_ds, shm_cpid, 64, 4);
FIELD(struct shmid_ds, shm_lpid, 68, 4);
FIELD(struct shmid_ds, shm_nattch, 72, 4);
_Static_assert(offsetof(struct shmid_ds, shm_atime) >= 84, "kernel part of shmid_ds");
SIZE(struct shminfo, 36);
SIZE(struct shm_info, 24);
SIZE(struct seminfo, 40);
SIZE(struct msginfo, 32);
SIZE(struct sembuf, 6);
_Static_assert(IPC_STAT == 0x102, "times come in two words");

/* Time and resources. musl's own types have 64-bit seconds; these are what the 32-bit calls see. */
SIZE(struct timespec, 16);
FIELD(struct timespec, tv_nsec, 8, 4);
SIZE(struct ktimex, 128);
AT(struct ktimex, time_sec, 36);
AT(struct ktimex, tick, 44);
AT(struct ktimex, tai, 80);
SIZE(struct ktimex64, 208);
FIELD(struct rusage, ru_nivcsw, offsetof(struct rusage, ru_maxrss) + 13 * 4, 4);
SIZE(struct tms, 16);
SIZE(struct rlimit, 16);
FIELD(struct sysinfo, totalram, 16, 4);
FIELD(struct sysinfo, freeswap, 36, 4);
FIELD(struct sysinfo, procs, 40, 2);
FIELD(struct sysinfo, totalhigh, 44, 4);
FIELD(struct sysinfo, mem_unit, 52, 4);
SIZE(struct mq_attr, 32);
FIELD(struct mq_attr, mq_curmsgs, 12, 4);

/* Registers as debuggers and core files see them */
SIZE(elf_gregset_t, 272);
SIZE(elf_fpregset_t, 528);

/* ELF */
SIZE(ElfW(Ehdr), 52);
SIZE(ElfW(Phdr), 32);
SIZE(ElfW(auxv_t), 8);
SIZE(ElfW(Rela), 12);

/* Numbers: the names musl uses, the generic table's numbers. */
NUMBER(fcntl, 25);
NUMBER(statfs, 43);
NUMBER(fstatfs, 44);
NUMBER(truncate, 45);
NUMBER(ftruncate, 46);
NUMBER(_llseek, 62);
NUMBER(sendfile, 71);
NUMBER(fstatat, 79);
NUMBER(fstat, 80);
NUMBER(sync_file_range2, 84);
NUMBER(timerfd_settime, 86);
NUMBER(clock_gettime, 113);
NUMBER(clock_nanosleep, 115);
NUMBER(gettimeofday, 169);
NUMBER(mmap2, 222);
NUMBER(fadvise, 223);
NUMBER(clock_gettime64, 403);
NUMBER(futex_time64, 422);
#if defined SYS_renameat || defined SYS_getrlimit || defined SYS_setrlimit || defined SYS_lseek || \
	defined SYS_mmap
# error "a call that the ILP32 table does not have"
#endif
