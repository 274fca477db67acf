/* SPDX-License-Identifier: MIT */
/* Names of the constants of system calls. */
#ifndef HYPERVISOR_STRACE_NAMES_H
#define HYPERVISOR_STRACE_NAMES_H

#include <stdint.h>

#include "strace/strace_out.h"

/** X(table, what strace(1) says of a value without a name). */
#define STRACE_NAMES_LIST(X) \
	X(open, "O_???") \
	X(open_mode, "O_???") \
	X(access, "?_OK") \
	X(at, "AT_???") \
	X(statx_mask, "STATX_???") \
	X(statx_attributes, "STATX_ATTR_???") \
	X(whence, "SEEK_???") \
	X(prot, "PROT_???") \
	X(map, "MAP_???") \
	X(mremap, "MREMAP_???") \
	X(msync, "MS_???") \
	X(madvice, "MADV_???") \
	X(mlockall, "MCL_???") \
	X(mlock2, "MLOCK_???") \
	X(sig_how, "SIG_???") \
	X(sa_flags, "SA_???") \
	X(ss_flags, "SS_???") \
	X(clone, "CLONE_???") \
	X(futex, "FUTEX_???") \
	X(family, "AF_???") \
	X(sock_type, "SOCK_???") \
	X(sock_flags, "SOCK_???") \
	X(ip_protocol, "IPPROTO_???") \
	X(netlink, "NETLINK_???") \
	X(msg, "MSG_???") \
	X(shut, "SHUT_???") \
	X(sock_level, "SOL_???") \
	X(so_option, "SO_???") \
	X(tcp_option, "TCP_???") \
	X(ip_option, "IP_???") \
	X(ipv6_option, "IPV6_???") \
	X(ioctl, "_IOC_???") \
	X(fcntl, "F_???") \
	X(lock_type, "F_???") \
	X(flock, "LOCK_???") \
	X(wait, "W???") \
	X(wait_kind, "P_???") \
	X(clock, "CLOCK_???") \
	X(timer, "TIMER_???") \
	X(itimer, "ITIMER_???") \
	X(resource, "RLIMIT_???") \
	X(rusage, "RUSAGE_???") \
	X(epoll_op, "EPOLL_CTL_???") \
	X(epoll_events, "EPOLL???") \
	X(epoll_create, "EPOLL_???") \
	X(poll, "POLL???") \
	X(eventfd, "EFD_???") \
	X(timerfd, "TFD_???") \
	X(timerfd_create, "TFD_???") \
	X(signalfd, "SFD_???") \
	X(inotify, "IN_???") \
	X(inotify_mask, "IN_???") \
	X(random, "GRND_???") \
	X(memfd, "MFD_???") \
	X(membarrier, "MEMBARRIER_CMD_???") \
	X(prctl, "PR_???") \
	X(arch_prctl, "ARCH_???") \
	X(sched, "SCHED_???") \
	X(prio, "PRIO_???") \
	X(fadvice, "POSIX_FADV_???") \
	X(fallocate, "FALLOC_FL_???") \
	X(rename, "RENAME_???") \
	X(close_range, "CLOSE_RANGE_???") \
	X(xattr, "XATTR_???") \
	X(splice, "SPLICE_F_???") \
	X(rwf, "RWF_???") \
	X(sync_range, "SYNC_FILE_RANGE_???") \
	X(ipc_flags, "IPC_???") \
	X(ipc_command, "IPC_???") \
	X(shm_flags, "SHM_???") \
	X(msg_ipc, "MSG_???") \
	X(file_type, "S_IF???") \
	X(si_code, "SI_???") \
	X(cld_code, "CLD_???") \
	X(segv_code, "SEGV_???") \
	X(fpe_code, "FPE_???") \
	X(ill_code, "ILL_???") \
	X(bus_code, "BUS_???") \
	X(statfs_type, "???_MAGIC") \
	X(statfs_flags, "ST_???") \
	X(capability, "CAP_???") \
	X(dumpable, "SUID_DUMP_???") \
	X(mount, "MS_???") \
	X(umount, "MNT_???") \
	X(resolve, "RESOLVE_???") \
	X(owner, "F_???") \
	X(control, "SCM_???") \
	X(personality, "PER_???")

#define STRACE_NAMES_ONE(table, unknown) STRACE_NAMES_##table,
/** STRACE_NAMES_open etc. */
enum strace_names { STRACE_NAMES_LIST(STRACE_NAMES_ONE) };
#undef STRACE_NAMES_ONE

/** The name of a value, or NULL. */
const char *strace_names_find(enum strace_names table, uint64_t value);

/** Shows a value by its name, or as a number. */
void strace_names_one(struct strace_out *out, enum strace_names table, uint64_t value);

/** Shows a value as the names of its bits. */
void strace_names_flags(struct strace_out *out, enum strace_names table, uint64_t value);

struct strace_name_text {
	char text[16];
};

/** The name of a signal: SIGINT, SIGRT_1, 77. */
struct strace_name_text strace_names_signal(unsigned signal);

#endif
