/* SPDX-License-Identifier: MIT */
/* A handler that has the program go on elsewhere, which returns to the interrupted instruction by `ret` and not by
 * rt_sigreturn(2): so Go preempts goroutines. The loop is one that waits and counts, of which a part is moved. */
#include <assert.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/time.h>
#include <ucontext.h>

volatile int stop, resumed; /* for the code below, too */

void resume(void);
void wait_and_count(volatile int *flag);

extern const char loop_begins[], loop_ends[];

/* The loop has nothing in its red zone. The comparison is too short for a jump and so are the instructions behind it.
 */
__asm__(".text\n"
        ".globl resume\n"
        "resume:\n\t"
        "pushfq\n\t"
        "incl resumed(%rip)\n\t"
        "cmpl $3, resumed(%rip)\n\t"
        "jb 1f\n\t"
        "movl $1, stop(%rip)\n"
        "1:\tpopfq\n\t"
        "ret\n\t"
        ".globl wait_and_count\n"
        ".type wait_and_count, @function\n"
        "wait_and_count:\n\t"
        ".cfi_startproc\n\t"
        "xor %eax, %eax\n"
        ".globl loop_begins\n"
        "loop_begins:\n\t"
        "lea 0x1234(%rax), %rcx\n\t"
        "cmpl $0, (%rdi)\n\t"
        "jne 2f\n\t"
        "inc %rax\n\t"
        "jmp loop_begins\n"
        ".globl loop_ends\n"
        "loop_ends:\n"
        "2:\tret\n\t"
        ".cfi_endproc\n"
        ".size wait_and_count, . - wait_and_count\n");

static int inside, outside;

static void handler(int sig, siginfo_t *info, void *at)
{
	ucontext_t *context = at;
	greg_t *registers = context->uc_mcontext.gregs;
	(void)sig;
	(void)info;
	uintptr_t rip = (uintptr_t)registers[REG_RIP];
	if (rip < (uintptr_t)loop_begins || rip >= (uintptr_t)loop_ends) {
		outside++;
		return;
	}
	inside++;
	registers[REG_RSP] -= 8;
	*(uintptr_t *)registers[REG_RSP] = rip;
	registers[REG_RIP] = (greg_t)(uintptr_t)resume;
}

int main(void)
{
	struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
	const struct itimerval each = {{0, 10000}, {0, 10000}}, none = {0};
	assert(!sigaction(SIGALRM, &action, NULL));
	assert(!setitimer(ITIMER_REAL, &each, NULL));
	wait_and_count(&stop);
	assert(!setitimer(ITIMER_REAL, &none, NULL));
	printf("resumed %d times of %d\n", resumed, inside);
	return 0;
}
