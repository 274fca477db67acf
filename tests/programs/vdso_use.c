/* SPDX-License-Identifier: MIT */
/* Whether the C library goes to the vDSO for its clock, and whether the stack unwinds from there: the vDSO is made
 * inaccessible, and what comes of the next call is looked at. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#ifdef UNWIND
#include <unwind.h>
#endif

#define PAGES 2 /* of which it has at most so many */

static uintptr_t vdso;
static sigjmp_buf back;

#ifdef UNWIND
static int depth_of_ask = -1, depth;
__attribute__((noinline)) static void ask(struct timespec *now);

static _Unwind_Reason_Code frame(struct _Unwind_Context *context, void *unused)
{
	(void)unused;
	uintptr_t function = (uintptr_t)_Unwind_FindEnclosingFunction((void *)(_Unwind_GetIP(context) - 1));
	if (function == (uintptr_t)ask)
		depth_of_ask = depth;
	depth++;
	return _URC_NO_REASON;
}
#endif

/* Of each page, because there may be fewer. */
static void set_rights(int rights)
{
	for (int i = 0; i < PAGES; i++)
		mprotect((void *)(vdso + i * 4096), 4096, rights);
}

static void handler(int sig, siginfo_t *info, void *context)
{
	uintptr_t at = (uintptr_t)info->si_addr;
	(void)context;
	printf("signal %d, in the vDSO: %d\n", sig, at - vdso < PAGES * 4096);
	set_rights(PROT_READ | PROT_EXEC);
#ifdef UNWIND
	_Unwind_Backtrace(frame, NULL);
	printf("its caller is on the stack: %d\n", depth_of_ask > 0);
#endif
	siglongjmp(back, 1);
}

__attribute__((noinline)) static void ask(struct timespec *now)
{
	clock_gettime(CLOCK_MONOTONIC, now);
	__asm__ volatile("" : : : "memory");
}

int main(void)
{
	const struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
	struct timespec before, now;
	vdso = getauxval(AT_SYSINFO_EHDR);
	sigaction(SIGSEGV, &action, NULL);
	ask(&before);
	if (!sigsetjmp(back, 1)) {
		set_rights(PROT_NONE);
		ask(&now);
		printf("it asked somewhere else\n");
		return 1;
	}
	ask(&now);
	printf("time has passed: %d\n", now.tv_sec > before.tv_sec || now.tv_nsec > before.tv_nsec);
	return 0;
}
