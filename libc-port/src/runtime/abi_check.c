/* SPDX-License-Identifier: MIT */
/* Proves that the public headers' structures and numbers are the kernel's. Compiled, never linked. */
#include "abi/linux.h" /* before <signal.h> makes si_pid and its like macros */
#include "abi/linux_event.h"
#include "abi/linux_signal.h"
#include "abi/linux_socket.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <termios.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define SAME_SIZE(ours, theirs) _Static_assert(sizeof(ours) == sizeof(theirs), #ours)
#define SAME_OFFSET(ours, theirs, member) \
	_Static_assert(offsetof(ours, member) == offsetof(theirs, member), #ours "." #member)
#define SAME_VALUE(name) _Static_assert(name == LINUX_##name, #name)

SAME_SIZE(struct stat, struct linux_stat);
SAME_OFFSET(struct stat, struct linux_stat, st_nlink);
SAME_OFFSET(struct stat, struct linux_stat, st_mode);
SAME_OFFSET(struct stat, struct linux_stat, st_rdev);
SAME_OFFSET(struct stat, struct linux_stat, st_size);
SAME_OFFSET(struct stat, struct linux_stat, st_blocks);
SAME_OFFSET(struct stat, struct linux_stat, st_atim);
SAME_OFFSET(struct stat, struct linux_stat, st_ctim);
SAME_SIZE(struct statfs, struct linux_statfs);
SAME_OFFSET(struct statfs, struct linux_statfs, f_namelen);
SAME_OFFSET(struct dirent, struct linux_dirent64, d_name);
SAME_OFFSET(struct dirent, struct linux_dirent64, d_reclen);
SAME_SIZE(struct iovec, struct linux_iovec);
SAME_SIZE(struct pollfd, struct linux_pollfd);
SAME_SIZE(fd_set, struct linux_fd_set);
SAME_SIZE(struct flock, struct linux_flock);
SAME_OFFSET(struct flock, struct linux_flock, l_pid);
SAME_SIZE(struct timespec, struct linux_timespec);
SAME_SIZE(struct timeval, struct linux_timeval);
SAME_SIZE(struct itimerval, struct linux_itimerval);
SAME_SIZE(struct itimerspec, struct linux_itimerspec);
SAME_SIZE(struct sigevent, struct linux_sigevent);
SAME_OFFSET(struct sigevent, struct linux_sigevent, sigev_notify);
SAME_SIZE(struct rlimit, struct linux_rlimit);
SAME_SIZE(struct rusage, struct linux_rusage);
SAME_SIZE(struct tms, struct linux_tms);
SAME_SIZE(struct sysinfo, struct linux_sysinfo);
SAME_OFFSET(struct sysinfo, struct linux_sysinfo, mem_unit);
SAME_SIZE(struct utsname, struct linux_utsname);
SAME_SIZE(struct winsize, struct linux_winsize);
SAME_OFFSET(struct termios, struct linux_termios, c_cc);
SAME_SIZE(siginfo_t, struct linux_siginfo);
SAME_SIZE(stack_t, struct linux_stack);
SAME_OFFSET(stack_t, struct linux_stack, ss_size);
_Static_assert(offsetof(siginfo_t, si_addr) == 16, "si_addr");
_Static_assert(offsetof(siginfo_t, si_value) == 24, "si_value");
_Static_assert(sizeof(struct stat) == 144, "struct stat");
_Static_assert(offsetof(ucontext_t, uc_sigmask) == 296, "ucontext_t");

SAME_SIZE(struct epoll_event, struct linux_epoll_event);
SAME_OFFSET(struct epoll_event, struct linux_epoll_event, data);
SAME_SIZE(struct sockaddr_un, struct linux_sockaddr_un);
SAME_SIZE(struct sockaddr_in, struct linux_sockaddr_in);
SAME_OFFSET(struct sockaddr_in, struct linux_sockaddr_in, sin_addr);
SAME_SIZE(struct sockaddr_in6, struct linux_sockaddr_in6);
SAME_OFFSET(struct sockaddr_in6, struct linux_sockaddr_in6, sin6_scope_id);
SAME_SIZE(struct msghdr, struct linux_msghdr);
SAME_OFFSET(struct msghdr, struct linux_msghdr, msg_flags);
SAME_SIZE(struct mmsghdr, struct linux_mmsghdr);
SAME_SIZE(struct cmsghdr, struct linux_cmsghdr);
SAME_SIZE(struct ucred, struct linux_ucred);
_Static_assert(sizeof(struct sockaddr_storage) == 128, "struct sockaddr_storage");
_Static_assert(sizeof(struct tcp_info) == 104, "struct tcp_info");

SAME_VALUE(AF_UNIX);
SAME_VALUE(AF_INET6);
SAME_VALUE(AF_NETLINK);
SAME_VALUE(SOCK_SEQPACKET);
SAME_VALUE(SOL_SOCKET);
SAME_VALUE(SO_PEERCRED);
SAME_VALUE(SO_RCVTIMEO);
SAME_VALUE(SO_DOMAIN);
SAME_VALUE(MSG_CMSG_CLOEXEC);
SAME_VALUE(MSG_WAITFORONE);
SAME_VALUE(EPOLL_CTL_MOD);
SAME_VALUE(EPOLLET);
SAME_VALUE(O_CREAT);
SAME_VALUE(O_EXCL);
SAME_VALUE(O_TRUNC);
SAME_VALUE(O_APPEND);
SAME_VALUE(O_NONBLOCK);
SAME_VALUE(O_DIRECTORY);
SAME_VALUE(O_NOFOLLOW);
SAME_VALUE(O_CLOEXEC);
SAME_VALUE(O_SYNC);
SAME_VALUE(O_PATH);
SAME_VALUE(O_TMPFILE);
SAME_VALUE(F_GETLK);
SAME_VALUE(F_SETLK);
SAME_VALUE(F_SETLKW);
SAME_VALUE(F_DUPFD_CLOEXEC);
SAME_VALUE(F_UNLCK);
SAME_VALUE(AT_FDCWD);
SAME_VALUE(AT_SYMLINK_NOFOLLOW);
SAME_VALUE(AT_REMOVEDIR);
SAME_VALUE(AT_EMPTY_PATH);
SAME_VALUE(UTIME_NOW);
SAME_VALUE(UTIME_OMIT);
SAME_VALUE(POLLNVAL);
SAME_VALUE(TCGETS);
SAME_VALUE(TIOCGWINSZ);
SAME_VALUE(SIGABRT);
SAME_VALUE(SIGSEGV);
SAME_VALUE(SIGCHLD);
SAME_VALUE(SIGSYS);
SAME_VALUE(SIG_SETMASK);
_Static_assert(ENAMETOOLONG == 36, "Linux's errno");
_Static_assert(ETIMEDOUT == 110, "Linux's errno");
