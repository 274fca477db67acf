/* SPDX-License-Identifier: MIT */
/* How a process becomes the guest's processor. The zygote is a copy of the monitor that keeps only the five mappings of
 * channel.h. It has no guest memory, and makes the other processes, one for each count of channel.birth. */
#include <asm/prctl.h>
#include <sched.h>
#include <stddef.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "abi/base.h"
#include "engine/process/stub/data.h"
#include "engine/process/stub/filter.h"
#include "engine/process/stub/processors.h"
#include "engine/process/stub/system.h"

#define SA_RESTORER 0x04000000UL
#define SIGNAL_SET_BYTES 8

_Static_assert(STUB_TRANSLATION == STUB_TEXT + 128, "stub_entries has it there");

struct kernel_sigaction {
	void (*handler)(int, siginfo_t *, void *);
	unsigned long flags;
	void (*restorer)(void);
	unsigned long mask;
};

void stub_start(void);
void stub_entries(void);
void stub_entry(int signal, siginfo_t *info, void *context) __attribute__((visibility("hidden")));
void stub_return(void) __attribute__((visibility("hidden")));

/* stub_entry clears RFLAGS.AC, which Linux leaves as the guest set it and which compiled code expects to be clear.
 * stub_return sets ID and NT to the frame's, because rt_sigreturn(2) keeps the caller's. */
__asm__(".text\n"
        "	.type stub_entry, @function\n"
        "stub_entry:\n"
        "	pushfq\n"
        "	testl $0x40000, (%rsp)\n"
        "	jz 1f\n"
        "	andl $~0x40000, (%rsp)\n"
        "	popfq\n"
        "	jmp stub_handler\n"
        "1:	add $8, %rsp\n"
        "	jmp stub_handler\n"
        "	.size stub_entry, . - stub_entry\n"
        "	.type stub_return, @function\n"
        "stub_return:\n"
        "	pushfq\n"
        "	mov 184(%rsp), %rax\n" /* REG_EFL of the frame's ucontext_t */
        "	xor (%rsp), %rax\n"
        "	and $0x204000, %eax\n"
        "	xor %rax, (%rsp)\n"
        "	popfq\n"
        "	mov $15, %eax\n" /* rt_sigreturn */
        "	syscall\n"
        "	.size stub_return, . - stub_return\n");

static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS, SIGUSR1};

/* Ends the process if a call failed. Used only before a guest runs, so no guest sees the failure. The monitor gets the
 * error from the exit status. */
static void must(long result)
{
	if (result < 0 && result > -4096)
		stub_call3(SYS_exit_group, -result & 0xff, 0, 0);
}

static void set_handlers(void)
{
	const stack_t stack = {.ss_sp = (void *)STUB_STACK, .ss_size = STUB_STACK_BYTES / 2};
	const struct kernel_sigaction action = {stub_entry, SA_SIGINFO | SA_ONSTACK | SA_RESTORER, stub_return, ~0UL};
	must(stub_call3(SYS_sigaltstack, &stack, 0, 0));
	for (unsigned i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		must(stub_call(SYS_rt_sigaction, signals[i], (long)&action, 0, SIGNAL_SET_BYTES, 0, 0));
}

/* Unmaps everything that is not the stub's: the monitor's code and data, its stack, the vDSO. */
static void forget_monitor(void)
{
	must(stub_call3(SYS_munmap, 0, LAYOUT_ENGINE, 0));
	must(stub_call3(SYS_munmap, STUB_DATA + STUB_DATA_BYTES, STUB_USER_END - (STUB_DATA + STUB_DATA_BYTES), 0));
	must(stub_call(SYS_mmap, LAYOUT_ENGINE_WINDOW, (long)PLAN->ram_bytes, PROT_READ | PROT_WRITE,
	               MAP_SHARED | MAP_FIXED | MAP_NORESERVE, PLAN->ram_file, 0));
}

/* Removes the newest space, for which no process could be made. The process that asked for it continues with that
 * space's root. */
static void give_back(uint32_t space)
{
	uint32_t asker = CHANNEL->asker;
	if (asker >= space)
		stub_die();
	CHANNEL->refused = 1; /* so that no process asks again */
	CHANNEL->spaces[asker].root = CHANNEL->spaces[space].root;
	CHANNEL->space_count = space;
	stub_wake(&CHANNEL->spaces[asker].turn);
}

/* Runs the zygote: makes a copy for each new space. Returns in the copies. */
static void make_copies(void)
{
	uint32_t seen = 0, run;
	while ((run = PLAN->run) != DATA->head.run)
		stub_wait(&PLAN->run, run);
	while (seen < PLAN->processes && !CHANNEL->refused) {
		stub_wait(&CHANNEL->birth, seen);
		if (seen)
			processors_follow();
		/* The monitor is the parent of each copy, so all copies end with it and it notices when one ends. They
		 * share descriptors, so that each file of contents comes once. */
		long pid = stub_call(SYS_clone, CLONE_PARENT | CLONE_FILES | SIGCHLD, 0, 0, 0, 0, 0);
		if (pid == 0) {
			DATA->self = seen;
			return;
		}
		if (!seen)
			must(pid);
		if (pid < 0)
			give_back(seen);
		seen++;
	}
	for (;;)
		stub_wait(&CHANNEL->birth, CHANNEL->birth);
}

/* The code at STUB_TEXT: the entry, at STUB_SET_BASE the function that abi/base.h describes, which uses no stack, and
 * at STUB_TRANSLATION that of abi/translation.h. */
__attribute__((naked, used, section(".text.entry"))) void stub_entries(void)
{
	__asm__("	jmp stub_start\n"
	        "	.balign 16\n"
	        "	movabs %0, %%rax\n"
	        "	cmp %2, %%esi\n"
	        "	je 1f\n"
	        "	movabs %1, %%rax\n"
	        "1:	mov %%rdi, (%%rax)\n"
	        "	xchg %%rdi, %%rsi\n"
	        "	mov %3, %%eax\n"
	        "	syscall\n"
	        "	jmp *%%r8\n"
	        "	.org stub_entries + 128\n"
	        "	jmp stub_translation\n"
	        :
	        : "i"(STUB_DATA + offsetof(struct stub_head, fs)), "i"(STUB_DATA + offsetof(struct stub_head, gs)),
	          "i"(BASE_FS), "i"(SYS_arch_prctl));
}

__attribute__((noreturn, used)) void stub_start(void)
{
	forget_monitor();
	set_handlers();
	stub_call3(SYS_arch_prctl, ARCH_SET_FS, 0, 0);
	stub_call3(SYS_arch_prctl, ARCH_SET_GS, 0, 0);
	must(stub_call(SYS_prctl, PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0, 0));
	/* Makes CPUID fault, so that programs see nothing of the host. Most processors cannot do so (ENODEV). */
	stub_call3(SYS_arch_prctl, ARCH_SET_CPUID, 0, 0);
	filter_install(FILTER_ZYGOTE);
	make_copies();
	must(stub_call(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0, 0));
	if (stub_call(SYS_getppid, 0, 0, 0, 0, 0, 0) != DATA->head.parent) /* the monitor has already ended */
		stub_die();
	DATA->head.parent = 0; /* hides the monitor's process number from the guest, which can read this memory */
	if (!DATA->self) {
		DATA->cr3 = LAYOUT_PAGE_TABLES;
		stub_wait(&CHANNEL->go, 0);
	}
	unsigned long mask = ~0UL;
	for (unsigned i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (signals[i] != SIGUSR1) /* stays blocked until the first frame */
			mask &= ~(1UL << (signals[i] - 1));
	must(stub_call(SYS_rt_sigprocmask, SIG_SETMASK, (long)&mask, 0, SIGNAL_SET_BYTES, 0, 0));
	filter_install(FILTER_GUEST);
	for (;;)
		__asm__ volatile("ud2"); /* the handler makes this signal frame the processor's initial state */
}
