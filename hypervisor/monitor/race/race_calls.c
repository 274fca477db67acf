/* SPDX-License-Identifier: MIT */
/* Calls that carry nothing from one thread to another are listed, and so are those that only send or only receive.
 * Writing sends and reading receives, whatever the file: two threads that only write to standard output are not ordered
 * by it. Sleeping orders nothing. */
#include "race/race_calls.h"

#include <stddef.h>
#include <sys/syscall.h>

struct rule {
	uint16_t number;
	uint8_t order;
};

#define NOTHING(name) \
	{ \
		SYS_##name, 0 \
	}
#define SENDS(name) \
	{ \
		SYS_##name, RACE_SENDS \
	}
#define RECEIVES(name) \
	{ \
		SYS_##name, RACE_RECEIVES \
	}
#define SIGNALS(name) \
	{ \
		SYS_##name, RACE_SENDS | RACE_SIGNALS \
	}

static const struct rule rules[] = {
	{SYS_futex, RACE_FUTEX},
	{SYS_mmap, RACE_MEMORY | RACE_RECEIVES},
	{SYS_munmap, RACE_MEMORY | RACE_SENDS},
	{SYS_mremap, RACE_MEMORY | RACE_SENDS | RACE_RECEIVES},
	{SYS_brk, RACE_MEMORY | RACE_SENDS | RACE_RECEIVES},
	SIGNALS(kill),
	SIGNALS(tkill),
	SIGNALS(tgkill),
	SIGNALS(rt_sigqueueinfo),
	SIGNALS(rt_tgsigqueueinfo),
	SIGNALS(alarm),
	SIGNALS(setitimer),
	SIGNALS(timer_settime),
	SENDS(write),
	SENDS(writev),
	SENDS(pwrite64),
	SENDS(pwritev),
	SENDS(pwritev2),
	SENDS(sendto),
	SENDS(sendmsg),
	SENDS(sendmmsg),
	SENDS(close),
	SENDS(shutdown),
	SENDS(exit),
	SENDS(exit_group),
	SENDS(timerfd_settime),
	RECEIVES(read),
	RECEIVES(readv),
	RECEIVES(pread64),
	RECEIVES(preadv),
	RECEIVES(preadv2),
	RECEIVES(recvfrom),
	RECEIVES(recvmsg),
	RECEIVES(recvmmsg),
	RECEIVES(poll),
	RECEIVES(ppoll),
	RECEIVES(select),
	RECEIVES(pselect6),
	RECEIVES(epoll_wait),
	RECEIVES(epoll_pwait),
	RECEIVES(wait4),
	RECEIVES(waitid),
	RECEIVES(pause),
	RECEIVES(rt_sigsuspend),
	RECEIVES(rt_sigtimedwait),
	NOTHING(arch_prctl),
	NOTHING(clock_getres),
	NOTHING(clock_gettime),
	NOTHING(clock_nanosleep),
	NOTHING(clone),
	NOTHING(clone3),
	NOTHING(fstat),
	NOTHING(getcpu),
	NOTHING(getpid),
	NOTHING(getppid),
	NOTHING(getrandom),
	NOTHING(gettid),
	NOTHING(gettimeofday),
	NOTHING(getuid),
	NOTHING(lseek),
	NOTHING(madvise), /* glibc's threads call it for their stacks when they end */
	NOTHING(mprotect),
	NOTHING(nanosleep),
	NOTHING(newfstatat),
	NOTHING(prctl),
	NOTHING(prlimit64),
	NOTHING(rseq),
	NOTHING(rt_sigaction),
	NOTHING(rt_sigprocmask),
	NOTHING(rt_sigreturn),
	NOTHING(sched_getaffinity),
	NOTHING(sched_getparam),
	NOTHING(sched_getscheduler),
	NOTHING(sched_setaffinity),
	NOTHING(sched_yield),
	NOTHING(set_robust_list),
	NOTHING(set_tid_address),
	NOTHING(sigaltstack),
	NOTHING(sysinfo),
	NOTHING(time),
	NOTHING(times),
	NOTHING(uname),
};

unsigned race_calls_order(uint32_t number)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (rules[i].number == number)
			return rules[i].order;
	return RACE_SENDS | RACE_RECEIVES;
}
