/* SPDX-License-Identifier: MIT */
#include "tests/unit/ticks/run.h"

#include <assert.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "abi/ticks.h"
#include "kernel/linux/patch/stub_rounds.h"

#define TRAP_FLAG 0x100UL
#define STACK_BYTES 0x10000UL

extern uint64_t run_refills; /* kernel_fakes.c */
long __eremite_ticks_left;

/* Of the run in this process, for handlers and assembly. */
static struct run_result *result_now;
static struct run_trace *trace_now;
static uint64_t random_now; /* 0: no trap at each step */
struct run_registers *run_state;
uint64_t run_target;

/* Enters the program with the registers of run_state, and stores them when it returns. */
void run_enter(void);
__asm__(".text\n"
        "run_enter:\n"
        "	push %rbx\n push %rbp\n push %r12\n push %r13\n push %r14\n push %r15\n sub $8, %rsp\n"
        "	mov run_state, %rdi\n"
        "	pushq 128(%rdi)\n"
        "	mov 0(%rdi), %rax\n mov 8(%rdi), %rcx\n mov 16(%rdi), %rdx\n mov 24(%rdi), %rbx\n"
        "	mov 40(%rdi), %rbp\n mov 48(%rdi), %rsi\n mov 64(%rdi), %r8\n mov 72(%rdi), %r9\n"
        "	mov 80(%rdi), %r10\n mov 88(%rdi), %r11\n mov 96(%rdi), %r12\n mov 104(%rdi), %r13\n"
        "	mov 112(%rdi), %r14\n mov 120(%rdi), %r15\n mov 56(%rdi), %rdi\n"
        "	popfq\n"
        "	call *run_target\n"
        "	pushfq\n push %rdi\n"
        "	mov run_state, %rdi\n"
        "	mov %rax, 0(%rdi)\n mov %rcx, 8(%rdi)\n mov %rdx, 16(%rdi)\n mov %rbx, 24(%rdi)\n"
        "	mov %rbp, 40(%rdi)\n mov %rsi, 48(%rdi)\n mov %r8, 64(%rdi)\n mov %r9, 72(%rdi)\n"
        "	mov %r10, 80(%rdi)\n mov %r11, 88(%rdi)\n mov %r12, 96(%rdi)\n mov %r13, 104(%rdi)\n"
        "	mov %r14, 112(%rdi)\n mov %r15, 120(%rdi)\n"
        "	popq 56(%rdi)\n popq 128(%rdi)\n"
        "	push $0x202\n popfq\n"
        "	add $8, %rsp\n pop %r15\n pop %r14\n pop %r13\n pop %r12\n pop %rbp\n pop %rbx\n"
        "	ret\n");

/* --- memory --- */

static void map_at(uint64_t address, uint64_t bytes)
{
	void *got = mmap((void *)address, bytes, PROT_READ | PROT_WRITE | PROT_EXEC,
	                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	assert(got == (void *)address);
}

static void load(const struct program *program)
{
	static bool is_mapped;
	if (!is_mapped) {
		map_at(PROGRAM_CODE, PROGRAM_CODE_BYTES);
		map_at(PROGRAM_DATA, PROGRAM_DATA_BYTES);
		map_at(RUN_STUBS, RUN_STUBS_BYTES);
		is_mapped = true;
	}
	memcpy((void *)PROGRAM_CODE, program->file + PROGRAM_CODE_OFFSET, PROGRAM_CODE_BYTES);
	memcpy((void *)PROGRAM_DATA, program->file + PROGRAM_DATA_OFFSET, PROGRAM_DATA_BYTES);
}

/* --- signals --- */

static void note_death(int number, siginfo_t *info, void *context)
{
	const ucontext_t *where = context;
	(void)info;
	result_now->end = RUN_DIED;
	result_now->signal = number;
	result_now->rip = (uint64_t)where->uc_mcontext.gregs[REG_RIP];
	_exit(0);
}

/* Whether a trap is that of an instruction in place of the program's, not that of a step. */
static bool is_patch_trap(const siginfo_t *info)
{
	return info->si_code == SI_KERNEL;
}

/* A trap in a stub. It looks to the program as before: only the countdown changes, and where the stub continues. */
static void leave_rounds(greg_t *registers, uint64_t rip)
{
	struct trap_frame frame = {
		.rip = rip, .rax = (uint64_t)registers[REG_RAX], .rcx = (uint64_t)registers[REG_RCX]};
	uint64_t rax = frame.rax, rcx = frame.rcx;
	const long before = __eremite_ticks_left;
	random_now = random_now * 6364136223846793005 + 1442695040888963407;
	if (random_now >> 61)
		return;
	const uint64_t place = stub_leave(rip, &rax, &rcx);
	stub_rounds_leave(&frame);
	if (frame.rip == rip)
		return;
	result_now->left += __eremite_ticks_left != before;
	uint64_t rax_after = frame.rax, rcx_after = frame.rcx;
	if (stub_leave(frame.rip, &rax_after, &rcx_after) != place || rax != rax_after || rcx != rcx_after ||
	    __eremite_ticks_left < before)
		_exit(0); /* as RUN_DIED */
	registers[REG_RIP] = (greg_t)frame.rip;
	registers[REG_RAX] = (greg_t)frame.rax;
	registers[REG_RCX] = (greg_t)frame.rcx;
}

/* A step, or a jump to an instruction that is in a stub: there the program continues, as in the kernel. */
static void on_trap(int number, siginfo_t *info, void *context)
{
	greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
	const uint64_t rip = (uint64_t)registers[REG_RIP];
	if (random_now && rip >= RUN_STUBS && rip < RUN_STUBS + RUN_STUBS_BYTES) {
		leave_rounds(registers, rip);
		return;
	}
	if (random_now && !is_patch_trap(info))
		return;
	if (!trace_now) {
		const uint64_t there = stub_going_on(rip - 1);
		result_now->traps++;
		if (there == rip - 1)
			note_death(number, info, context);
		registers[REG_RIP] = (greg_t)there;
		return;
	}
	if (rip < PROGRAM_CODE || rip >= PROGRAM_CODE + PROGRAM_CODE_BYTES)
		return;
	if (trace_now->count == RUN_STEPS_MAX) {
		result_now->end = RUN_TOO_LONG;
		_exit(0);
	}
	/* A repeated string instruction is one step for each time. */
	const uint16_t at = (uint16_t)(rip - PROGRAM_CODE);
	if (trace_now->count && trace_now->at[trace_now->count - 1] == at)
		return;
	trace_now->rcx[trace_now->count] = (uint32_t)registers[REG_RCX];
	trace_now->at[trace_now->count++] = at;
}

static void handle(int number, void (*handler)(int, siginfo_t *, void *))
{
	struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	sigaction(number, &action, NULL);
}

static void set_handlers(void)
{
	static uint8_t stack[STACK_BYTES];
	sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof(stack)}, NULL);
	handle(SIGTRAP, on_trap);
	handle(SIGSEGV, note_death);
	handle(SIGILL, note_death);
	handle(SIGBUS, note_death);
	handle(SIGFPE, note_death);
	alarm(20);
}

/* --- runs --- */

/* In the child. */
static void run_here(const struct program *program, const struct run_registers *registers,
                     const struct code_patch *patches, size_t count, unsigned left)
{
	load(program);
	set_handlers();
	if (count)
		stub_write(patches, count, PROGRAM_CODE, PROGRAM_CODE + PROGRAM_CODE_BYTES,
		           PROGRAM_CODE - PROGRAM_CODE_OFFSET);
	const long begin = (long)left << TICKS_LEFT_SHIFT;
	__eremite_ticks_left = begin;
	result_now->registers = *registers;
	result_now->registers.flags |= trace_now || random_now ? TRAP_FLAG : 0;
	run_state = &result_now->registers;
	run_target = program->entry;
	run_enter();
	result_now->registers.flags &= ~TRAP_FLAG;
	memcpy(result_now->data, (const void *)PROGRAM_DATA, PROGRAM_DATA_BYTES);
	result_now->ticks =
		(uint64_t)(begin + (long)run_refills * RUN_REFILL - __eremite_ticks_left) >> TICKS_LEFT_SHIFT;
	result_now->end = RUN_DONE;
}

static void *share(size_t bytes)
{
	void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert(at != MAP_FAILED);
	return at;
}

static void run(const struct program *program, const struct run_registers *registers, const struct code_patch *patches,
                size_t count, unsigned left, struct run_trace *trace, uint64_t random, struct run_result *result)
{
	static struct run_result *shown;
	static struct run_trace *steps;
	int status;
	shown = shown ? shown : share(sizeof(*shown));
	steps = steps ? steps : share(sizeof(*steps));
	memset(shown, 0, sizeof(*shown));
	shown->end = RUN_DIED;
	steps->count = 0;
	const pid_t child = fork();
	assert(child >= 0);
	if (!child) {
		result_now = shown;
		trace_now = trace ? steps : NULL;
		random_now = random;
		run_here(program, registers, patches, count, left);
		_exit(0);
	}
	while (waitpid(child, &status, 0) < 0)
		;
	if (!WIFEXITED(status)) {
		shown->end = RUN_DIED;
		shown->signal = WTERMSIG(status);
	}
	*result = *shown;
	if (trace) {
		trace->count = steps->count;
		memcpy(trace->at, steps->at, steps->count * sizeof(*steps->at));
		memcpy(trace->rcx, steps->rcx, steps->count * sizeof(*steps->rcx));
	}
}

void run_program(const struct program *program, const struct run_registers *registers, const struct code_patch *patches,
                 size_t count, unsigned left, struct run_result *result)
{
	run(program, registers, patches, count, left, NULL, 0, result);
}

void run_program_trapped(const struct program *program, const struct run_registers *registers,
                         const struct code_patch *patches, size_t count, unsigned left, uint64_t random,
                         struct run_result *result)
{
	run(program, registers, patches, count, left, NULL, random | 1, result);
}

void run_steps(const struct program *program, const struct run_registers *registers, struct run_trace *trace,
               struct run_result *result)
{
	run(program, registers, NULL, 0, 1, trace, 0, result);
}
