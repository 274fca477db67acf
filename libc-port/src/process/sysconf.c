/* SPDX-License-Identifier: MIT */
/* Properties of the system: uname(2), sysconf(3), pathconf(3), host name. */
#include <limits.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "libc-port/src/kernel.h"

#define PAGE_BYTES 4096
#define SIGNALS_QUEUED 1024 /* SIGNAL_QUEUE_MAX of kernel/signal/queue.h */

int uname(struct utsname *name)
{
	return (int)kernel_result(kcall_uname((struct linux_utsname *)name));
}

int gethostname(char *name, size_t size)
{
	struct utsname uts;
	if (uname(&uts) < 0)
		return -1;
	if (strlen(uts.nodename) >= size)
		return kernel_refuse(ENAMETOOLONG);
	strcpy(name, uts.nodename);
	return 0;
}

int getdomainname(char *name, size_t size)
{
	struct utsname uts;
	if (uname(&uts) < 0)
		return -1;
	if (strlen(uts.domainname) >= size)
		return kernel_refuse(EINVAL);
	strcpy(name, uts.domainname);
	return 0;
}

int sethostname(const char *, size_t)
{
	return kernel_refuse(EPERM);
}

long gethostid(void)
{
	return 0;
}

int sysinfo(struct sysinfo *info)
{
	return (int)kernel_result(kcall_sysinfo((struct linux_sysinfo *)info));
}

/* One thread runs at a time, whatever the host has. */
int get_nprocs(void)
{
	return 1;
}

int get_nprocs_conf(void)
{
	return 1;
}

int getpagesize(void)
{
	return PAGE_BYTES;
}

int getdtablesize(void)
{
	return (int)sysconf(_SC_OPEN_MAX);
}

unsigned long getauxval(unsigned long type)
{
	if (type == AT_PAGESZ)
		return PAGE_BYTES;
	if (type == AT_CLKTCK)
		return 100;
	errno = ENOENT;
	return 0;
}

static long limit(int resource)
{
	struct rlimit value;
	if (getrlimit(resource, &value) < 0 || value.rlim_cur == RLIM_INFINITY)
		return -1;
	return (long)value.rlim_cur;
}

static long memory_pages(int available)
{
	struct sysinfo info;
	if (sysinfo(&info) < 0)
		return -1;
	return (long)((available ? info.freeram : info.totalram) * info.mem_unit / PAGE_BYTES);
}

/* Constant values, by _SC_ number; 0 for numbers that are not in this table. */
static const long constants[] = {
	[_SC_ARG_MAX] = ARG_MAX,
	[_SC_CLK_TCK] = 100,
	[_SC_NGROUPS_MAX] = NGROUPS_MAX,
	[_SC_JOB_CONTROL] = 1,
	[_SC_SAVED_IDS] = 1,
	[_SC_VERSION] = _POSIX_VERSION,
	[_SC_PAGESIZE] = PAGE_BYTES,
	[_SC_NPROCESSORS_CONF] = 1,
	[_SC_NPROCESSORS_ONLN] = 1,
	[_SC_RTSIG_MAX] = RTSIG_MAX,
	[_SC_SIGQUEUE_MAX] = SIGNALS_QUEUED,
	[_SC_SEM_VALUE_MAX] = INT_MAX,
	[_SC_FSYNC] = _POSIX_FSYNC,
	[_SC_MAPPED_FILES] = _POSIX_MAPPED_FILES,
	[_SC_MEMORY_PROTECTION] = _POSIX_MEMORY_PROTECTION,
	[_SC_REALTIME_SIGNALS] = _POSIX_REALTIME_SIGNALS,
	[_SC_SEMAPHORES] = _POSIX_SEMAPHORES,
	[_SC_TIMERS] = _POSIX_TIMERS,
	[_SC_DELAYTIMER_MAX] = INT_MAX,
	[_SC_THREAD_KEYS_MAX] = PTHREAD_KEYS_MAX,
	[_SC_THREAD_STACK_MIN] = PTHREAD_STACK_MIN,
	[_SC_TTY_NAME_MAX] = TTY_NAME_MAX,
	[_SC_THREADS] = _POSIX_THREADS,
	[_SC_THREAD_ATTR_STACKADDR] = _POSIX_THREAD_ATTR_STACKADDR,
	[_SC_THREAD_ATTR_STACKSIZE] = _POSIX_THREAD_ATTR_STACKSIZE,
	[_SC_THREAD_PRIORITY_SCHEDULING] = _POSIX_THREAD_PRIORITY_SCHEDULING,
	[_SC_THREAD_PRIO_INHERIT] = _POSIX_THREAD_PRIO_INHERIT,
	[_SC_THREAD_PRIO_PROTECT] = _POSIX_THREAD_PRIO_PROTECT,
	[_SC_THREAD_PROCESS_SHARED] = _POSIX_THREAD_PROCESS_SHARED,
	[_SC_THREAD_ROBUST_PRIO_INHERIT] = _POSIX_THREAD_ROBUST_PRIO_INHERIT,
	[_SC_THREAD_ROBUST_PRIO_PROTECT] = _POSIX_THREAD_ROBUST_PRIO_PROTECT,
	[_SC_THREAD_SAFE_FUNCTIONS] = _POSIX_THREAD_SAFE_FUNCTIONS,
	[_SC_GETGR_R_SIZE_MAX] = 1024,
	[_SC_GETPW_R_SIZE_MAX] = 1024,
	[_SC_LOGIN_NAME_MAX] = LOGIN_NAME_MAX,
	[_SC_THREAD_DESTRUCTOR_ITERATIONS] = PTHREAD_DESTRUCTOR_ITERATIONS,
	[_SC_ADVISORY_INFO] = _POSIX_ADVISORY_INFO,
	[_SC_ATEXIT_MAX] = INT_MAX,
	[_SC_BARRIERS] = _POSIX_BARRIERS,
	[_SC_BC_BASE_MAX] = BC_BASE_MAX,
	[_SC_BC_DIM_MAX] = BC_DIM_MAX,
	[_SC_BC_SCALE_MAX] = BC_SCALE_MAX,
	[_SC_BC_STRING_MAX] = BC_STRING_MAX,
	[_SC_CLOCK_SELECTION] = _POSIX_CLOCK_SELECTION,
	[_SC_COLL_WEIGHTS_MAX] = COLL_WEIGHTS_MAX,
	[_SC_CPUTIME] = _POSIX_CPUTIME,
	[_SC_EXPR_NEST_MAX] = EXPR_NEST_MAX,
	[_SC_HOST_NAME_MAX] = HOST_NAME_MAX,
	[_SC_IOV_MAX] = IOV_MAX,
	[_SC_LINE_MAX] = LINE_MAX,
	[_SC_MONOTONIC_CLOCK] = _POSIX_MONOTONIC_CLOCK,
	[_SC_READER_WRITER_LOCKS] = _POSIX_READER_WRITER_LOCKS,
	[_SC_REGEXP] = 1,
	[_SC_RE_DUP_MAX] = RE_DUP_MAX,
	[_SC_SPIN_LOCKS] = _POSIX_SPIN_LOCKS,
	[_SC_SYMLOOP_MAX] = SYMLOOP_MAX,
	[_SC_THREAD_CPUTIME] = _POSIX_THREAD_CPUTIME,
	[_SC_TIMEOUTS] = _POSIX_TIMEOUTS,
	[_SC_V7_LP64_OFF64] = 1,
	[_SC_STREAM_MAX] = 16,
	[_SC_PRIORITY_SCHEDULING] = _POSIX_PRIORITY_SCHEDULING,
	[_SC_XOPEN_VERSION] = _XOPEN_VERSION,
	[_SC_XOPEN_UNIX] = 1,
	[_SC_2_VERSION] = _POSIX2_VERSION,
	[_SC_2_C_BIND] = _POSIX2_VERSION,
	[_SC_LEVEL1_DCACHE_LINESIZE] = 64,
	[_SC_LEVEL1_ICACHE_LINESIZE] = 64,
	[_SC_POSIX_26_VERSION] = 0,
};

long sysconf(int name)
{
	if (name < 0 || (size_t)name >= sizeof(constants) / sizeof(constants[0]))
		return kernel_refuse(EINVAL);
	switch (name) {
	case _SC_OPEN_MAX:
		return limit(RLIMIT_NOFILE);
	case _SC_CHILD_MAX:
		return limit(RLIMIT_NPROC);
	case _SC_PHYS_PAGES:
		return memory_pages(0);
	case _SC_AVPHYS_PAGES:
		return memory_pages(1);
	default:
		return constants[name] ? constants[name] : -1;
	}
}

static const long path_constants[] = {
	[_PC_LINK_MAX] = LINK_MAX,
	[_PC_MAX_CANON] = MAX_CANON,
	[_PC_MAX_INPUT] = MAX_INPUT,
	[_PC_NAME_MAX] = NAME_MAX,
	[_PC_PATH_MAX] = PATH_MAX,
	[_PC_PIPE_BUF] = PIPE_BUF,
	[_PC_CHOWN_RESTRICTED] = 1,
	[_PC_NO_TRUNC] = 1,
	[_PC_VDISABLE] = 0,
	[_PC_ASYNC_IO] = -1,
	[_PC_PRIO_IO] = -1,
	[_PC_SYNC_IO] = -1,
	[_PC_FILESIZEBITS] = 64,
	[_PC_2_SYMLINKS] = 1,
	[_PC_SYMLINK_MAX] = -1,
	[_PC_ALLOC_SIZE_MIN] = PAGE_BYTES,
	[_PC_REC_INCR_XFER_SIZE] = -1,
	[_PC_REC_MAX_XFER_SIZE] = -1,
	[_PC_REC_MIN_XFER_SIZE] = PAGE_BYTES,
	[_PC_REC_XFER_ALIGN] = PAGE_BYTES,
	[_PC_TIMESTAMP_RESOLUTION] = 1,
};

static long path_constant(int name)
{
	if (name < 0 || (size_t)name >= sizeof(path_constants) / sizeof(path_constants[0]))
		return kernel_refuse(EINVAL);
	return path_constants[name];
}

long pathconf(const char *path, int name)
{
	return access(path, F_OK) < 0 ? -1 : path_constant(name);
}

long fpathconf(int fd, int name)
{
	return kcall_fcntl(fd, 3 /* F_GETFL */, 0) < 0 ? kernel_refuse(EBADF) : path_constant(name);
}

size_t confstr(int name, char *buf, size_t size)
{
	const char *value = name == _CS_PATH ? "/bin:/usr/bin" : NULL;
	if (!value) {
		errno = EINVAL;
		return 0;
	}
	if (size) {
		strncpy(buf, value, size - 1);
		buf[size - 1] = 0;
	}
	return strlen(value) + 1;
}
