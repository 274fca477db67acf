/* SPDX-License-Identifier: MIT */
/* Whether the C library goes to the vDSO for its clock, and whether the stack unwinds from there: the vDSO is made
 * inaccessible, and what comes of the next call is looked at. */
#include <link.h>
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

static uintptr_t vdso, vdso_end;
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

/* Finds where the object ends. The kernel may have other code behind it in the same mapping. */
static void find_end(void)
{
	const ElfW(Ehdr) *header = (const void *)vdso;
	const ElfW(Phdr) *segment = (const void *)(vdso + header->e_phoff);
	for (int i = 0; i < header->e_phnum; i++)
		if (segment[i].p_type == PT_LOAD)
			vdso_end = vdso + ((segment[i].p_memsz + 4095) & ~4095UL);
}

static void set_rights(int rights)
{
	mprotect((void *)vdso, vdso_end - vdso, rights);
}

static void handler(int sig, siginfo_t *info, void *context)
{
	uintptr_t at = (uintptr_t)info->si_addr;
	(void)context;
	printf("signal %d, in the vDSO: %d\n", sig, at >= vdso && at < vdso_end);
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
	find_end();
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
