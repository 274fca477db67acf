/* SPDX-License-Identifier: MIT */
/* Arguments that are numbers, and names of constants. */
#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "strace/strace_argument.h"

/* The types that are shown as printf(3) does. */
#define FORMATS(X) \
	X(INT, "%d", int) \
	X(UINT, "%u", unsigned) \
	X(LONG, "%ld", long) \
	X(SIZE, "%lu", unsigned long) \
	X(HEX, "%#lx", unsigned long) \
	X(FD, "%d", int) \
	X(MAP_FD, "%d", int) \
	X(MAP_OFFSET, "%#lx", unsigned long)

#define SHOW_FORMAT(TYPE, format, type) \
	void strace_show_##TYPE(const struct strace_argument *a) \
	{ \
		strace_out_format(a->out, format, (type)a->value); \
	}
FORMATS(SHOW_FORMAT)

/* The types whose value is one of a table, and those that are bits of one. */
#define TABLES(ONE, FLAGS) \
	ONE(WHENCE, whence) \
	FLAGS(PROT, prot) \
	FLAGS(MREMAP_FLAGS, mremap) \
	FLAGS(MSYNC, msync) \
	ONE(MADVICE, madvice) \
	FLAGS(MLOCKALL, mlockall) \
	FLAGS(MLOCK2, mlock2) \
	ONE(SIG_HOW, sig_how) \
	ONE(DOMAIN, family) \
	FLAGS(MSG_FLAGS, msg) \
	ONE(SHUT, shut) \
	ONE(SOCK_LEVEL, sock_level) \
	ONE(FCNTL, fcntl) \
	FLAGS(FLOCK, flock) \
	FLAGS(WAIT, wait) \
	ONE(WAIT_KIND, wait_kind) \
	ONE(ITIMER, itimer) \
	ONE(RESOURCE, resource) \
	ONE(RUSAGE_WHO, rusage) \
	ONE(EPOLL_OP, epoll_op) \
	FLAGS(EPOLL_CREATE, epoll_create) \
	FLAGS(EVENTFD, eventfd) \
	FLAGS(TIMERFD, timerfd_create) \
	FLAGS(SIGNALFD, signalfd) \
	FLAGS(INOTIFY, inotify) \
	FLAGS(INOTIFY_MASK, inotify_mask) \
	FLAGS(RANDOM, random) \
	FLAGS(MEMFD, memfd) \
	ONE(MEMBARRIER, membarrier) \
	ONE(PRCTL, prctl) \
	ONE(ARCH_PRCTL, arch_prctl) \
	ONE(SCHED, sched) \
	ONE(PRIO, prio) \
	ONE(FADVICE, fadvice) \
	FLAGS(FALLOCATE, fallocate) \
	FLAGS(RENAME, rename) \
	FLAGS(CLOSE_RANGE, close_range) \
	FLAGS(XATTR, xattr) \
	FLAGS(SPLICE, splice) \
	FLAGS(RWF, rwf) \
	FLAGS(SYNC_RANGE, sync_range) \
	ONE(IPC_COMMAND, ipc_command) \
	FLAGS(SHM_FLAGS, shm_flags) \
	FLAGS(MSG_IPC_FLAGS, msg_ipc) \
	FLAGS(STATX_MASK, statx_mask) \
	FLAGS(MOUNT, mount) \
	FLAGS(UMOUNT, umount)

#define SHOW_ONE(TYPE, table) \
	void strace_show_##TYPE(const struct strace_argument *a) \
	{ \
		strace_names_one(a->out, STRACE_NAMES_##table, (uint32_t)a->value); \
	}
#define SHOW_FLAGS(TYPE, table) \
	void strace_show_##TYPE(const struct strace_argument *a) \
	{ \
		strace_names_flags(a->out, STRACE_NAMES_##table, (uint32_t)a->value); \
	}
TABLES(SHOW_ONE, SHOW_FLAGS)

void strace_show_NONE(const struct strace_argument *a)
{
	strace_out_format(a->out, "%#lx", a->value);
}

void strace_show_UNUSED(const struct strace_argument *a)
{
	(void)a;
}

void strace_show_PTR(const struct strace_argument *a)
{
	strace_show_address(a->out, a->value);
}

void strace_show_RSEQ(const struct strace_argument *a)
{
	strace_show_address(a->out, a->value);
}

void strace_show_DIRFD(const struct strace_argument *a)
{
	if ((int)a->value == AT_FDCWD)
		strace_out_text(a->out, "AT_FDCWD");
	else
		strace_out_format(a->out, "%d", (int)a->value);
}

/* -1 asks for the present one. */
void strace_show_PERSONALITY(const struct strace_argument *a)
{
	if ((uint32_t)a->value == UINT32_MAX)
		strace_out_text(a->out, "0xffffffff");
	else
		strace_show_personality(a->out, (uint32_t)a->value);
}

#define PERSONALITY_KIND 0xffU

void strace_show_personality(struct strace_out *out, uint32_t value)
{
	const uint32_t flags = value & ~PERSONALITY_KIND;
	strace_names_one(out, STRACE_NAMES_personality, value & PERSONALITY_KIND);
	if (flags) {
		strace_out_text(out, "|");
		strace_names_flags(out, STRACE_NAMES_personality, flags);
	}
}

/* A user or group: -1 leaves it as it is. */
void strace_show_ID(const struct strace_argument *a)
{
	if ((uint32_t)a->value == UINT32_MAX)
		strace_out_text(a->out, "-1");
	else
		strace_out_format(a->out, "%u", (uint32_t)a->value);
}

void strace_show_SIG(const struct strace_argument *a)
{
	if (a->value)
		strace_out_text(a->out, strace_names_signal((unsigned)a->value).text);
	else
		strace_out_text(a->out, "0");
}

void strace_show_file_mode(struct strace_out *out, uint32_t mode, bool has_type)
{
	const char *type = strace_names_find(STRACE_NAMES_file_type, mode & S_IFMT);
	if (type && has_type)
		strace_out_format(out, "%s|", type);
	if (mode & S_ISUID)
		strace_out_text(out, "S_ISUID|");
	if (mode & S_ISGID)
		strace_out_text(out, "S_ISGID|");
	if (mode & S_ISVTX)
		strace_out_text(out, "S_ISVTX|");
	strace_out_format(out, "%#03o", mode & 0777);
}

void strace_show_MODE(const struct strace_argument *a)
{
	const bool has_type = a->call->number == STRACE_CALL_mknod || a->call->number == STRACE_CALL_mknodat;
	if (has_type)
		strace_show_file_mode(a->out, (uint32_t)a->value, true);
	else
		strace_out_format(a->out, "%#03o", (uint32_t)a->value);
}

void strace_show_DEV(const struct strace_argument *a)
{
	strace_out_format(a->out, "makedev(%#x, %#x)", major(a->value), minor(a->value));
}

void strace_show_OPEN(const struct strace_argument *a)
{
	const uint32_t flags = (uint32_t)a->value & ~(uint32_t)O_ACCMODE;
	strace_names_one(a->out, STRACE_NAMES_open_mode, a->value & O_ACCMODE);
	if (flags) {
		strace_out_text(a->out, "|");
		strace_names_flags(a->out, STRACE_NAMES_open, flags);
	}
}

void strace_show_ACCEPT_FLAGS(const struct strace_argument *a)
{
	strace_names_flags(a->out, STRACE_NAMES_sock_flags, (uint32_t)a->value);
}

void strace_show_PIPE_FLAGS(const struct strace_argument *a)
{
	strace_names_flags(a->out, STRACE_NAMES_open, (uint32_t)a->value);
}

void strace_show_ACCESS(const struct strace_argument *a)
{
	strace_names_flags(a->out, STRACE_NAMES_access, (uint32_t)a->value);
}

/* AT_EACCESS and AT_REMOVEDIR are one bit. */
void strace_show_AT_FLAGS(const struct strace_argument *a)
{
	const bool is_access = a->call->number == STRACE_CALL_faccessat2;
	const uint32_t bit = is_access ? (uint32_t)a->value & AT_REMOVEDIR : 0, others = (uint32_t)a->value & ~bit;
	if (bit)
		strace_out_text(a->out, others ? "AT_EACCESS|" : "AT_EACCESS");
	if (!bit || others)
		strace_names_flags(a->out, STRACE_NAMES_at, others);
}

#define STATX_SYNC 0x6000U

void strace_show_STATX_FLAGS(const struct strace_argument *a)
{
	if (!(a->value & STATX_SYNC))
		strace_out_text(a->out, a->value ? "AT_STATX_SYNC_AS_STAT|" : "AT_STATX_SYNC_AS_STAT");
	if (a->value)
		strace_names_flags(a->out, STRACE_NAMES_at, (uint32_t)a->value);
}

#define MAP_KIND 0xfU

void strace_show_MAP_FLAGS(const struct strace_argument *a)
{
	static const char *const kinds[] = {"MAP_FILE", "MAP_SHARED", "MAP_PRIVATE", "MAP_SHARED_VALIDATE"};
	const uint32_t kind = (uint32_t)a->value & MAP_KIND, others = (uint32_t)a->value & ~MAP_KIND;
	if (kind < sizeof(kinds) / sizeof(kinds[0]))
		strace_out_text(a->out, kinds[kind]);
	else
		strace_out_format(a->out, "%#x /* MAP_??? */", kind);
	if (others) {
		strace_out_text(a->out, "|");
		strace_names_flags(a->out, STRACE_NAMES_map, others);
	}
}

/* The lowest byte is the signal at the end of the child. */
void strace_show_CLONE_FLAGS(const struct strace_argument *a)
{
	const uint64_t signal = a->call->number == STRACE_CALL_clone ? a->value & 0xff : 0;
	const uint64_t flags = (uint32_t)a->value & ~signal;
	if (flags || !signal)
		strace_names_flags(a->out, STRACE_NAMES_clone, flags);
	if (signal)
		strace_out_format(a->out, "%s%s", flags ? "|" : "", strace_names_signal((unsigned)signal).text);
}

#define FUTEX_PRIVATE 128U
#define FUTEX_REALTIME 256U

void strace_show_FUTEX_OP(const struct strace_argument *a)
{
	const uint32_t operation = (uint32_t)a->value & ~(FUTEX_PRIVATE | FUTEX_REALTIME);
	strace_names_one(a->out, STRACE_NAMES_futex, operation);
	if (a->value & FUTEX_PRIVATE)
		strace_out_text(a->out, "_PRIVATE");
	if (a->value & FUTEX_REALTIME)
		strace_out_text(a->out, "|FUTEX_CLOCK_REALTIME");
}

void strace_show_FUTEX_VALUE(const struct strace_argument *a)
{
	strace_out_format(a->out, "%u", (uint32_t)a->value);
}

void strace_show_FUTEX_VALUE3(const struct strace_argument *a)
{
	if ((uint32_t)a->value == UINT32_MAX)
		strace_out_text(a->out, "FUTEX_BITSET_MATCH_ANY");
	else
		strace_out_format(a->out, "%#x", (uint32_t)a->value);
}

void strace_show_SOCK_TYPE(const struct strace_argument *a)
{
	const uint32_t flags = (uint32_t)a->value & (SOCK_NONBLOCK | SOCK_CLOEXEC);
	strace_names_one(a->out, STRACE_NAMES_sock_type, (uint32_t)a->value & ~flags);
	if (flags) {
		strace_out_text(a->out, "|");
		strace_names_flags(a->out, STRACE_NAMES_sock_flags, flags);
	}
}

void strace_show_SOCK_PROTOCOL(const struct strace_argument *a)
{
	const uint64_t family = strace_other(a, -2);
	if (family == AF_INET || family == AF_INET6)
		strace_names_one(a->out, STRACE_NAMES_ip_protocol, (uint32_t)a->value);
	else if (family == AF_NETLINK)
		strace_names_one(a->out, STRACE_NAMES_netlink, (uint32_t)a->value);
	else
		strace_out_format(a->out, "%d", (int)a->value);
}

void strace_show_SOCK_OPTION(const struct strace_argument *a)
{
	static const struct {
		unsigned level;
		enum strace_names names;
	} all[] = {{0, STRACE_NAMES_ip_option},
	           {1, STRACE_NAMES_so_option},
	           {6, STRACE_NAMES_tcp_option},
	           {41, STRACE_NAMES_ipv6_option}};
	for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i].level == strace_other(a, -1)) {
			strace_names_one(a->out, all[i].names, (uint32_t)a->value);
			return;
		}
	strace_out_format(a->out, "%#x", (uint32_t)a->value);
}

void strace_show_CLOCK(const struct strace_argument *a)
{
	if ((int)a->value >= 0)
		strace_names_one(a->out, STRACE_NAMES_clock, (uint32_t)a->value);
	else
		strace_out_format(a->out, "%d", (int)a->value);
}

/* A request without a name is shown by its parts (ioctl(2)). */
void strace_show_IOCTL(const struct strace_argument *a)
{
	static const char *const directions[] = {"_IOC_NONE", "_IOC_WRITE", "_IOC_READ", "_IOC_READ|_IOC_WRITE"};
	const uint32_t request = (uint32_t)a->value;
	const char *name = strace_names_find(STRACE_NAMES_ioctl, request);
	if (name)
		strace_out_text(a->out, name);
	else
		strace_out_format(a->out, "_IOC(%s, %#x, %#x, %#x)", directions[_IOC_DIR(request)], _IOC_TYPE(request),
		                  _IOC_NR(request), _IOC_SIZE(request));
}

void strace_show_TIMER_FLAGS(const struct strace_argument *a)
{
	const bool is_timerfd = a->call->number == STRACE_CALL_timerfd_settime;
	strace_names_flags(a->out, is_timerfd ? STRACE_NAMES_timerfd : STRACE_NAMES_timer, (uint32_t)a->value);
}

void strace_show_IPC_KEY(const struct strace_argument *a)
{
	if (a->value)
		strace_out_format(a->out, "%#x", (uint32_t)a->value);
	else
		strace_out_text(a->out, "IPC_PRIVATE");
}

void strace_show_IPC_FLAGS(const struct strace_argument *a)
{
	if (a->value & ~0777UL) {
		strace_names_flags(a->out, STRACE_NAMES_ipc_flags, (uint32_t)a->value & ~0777U);
		strace_out_text(a->out, "|");
	}
	strace_show_file_mode(a->out, (uint32_t)a->value & 0777, false);
}
