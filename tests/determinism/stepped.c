/* SPDX-License-Identifier: MIT */
/* Kernel calls by a program that steps (TF) and checks alignment (AC): the kernel's instructions, which --verify makes
 * others, are not counted, and its accesses not checked. */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static volatile unsigned steps;

static void on_step(int sig)
{
	(void)sig;
	steps++;
}

#define SET(flag) __asm__ volatile("pushfq\n orq $" flag ", (%%rsp)\n popfq" : : : "memory", "cc")
#define CLEAR(flag) __asm__ volatile("pushfq\n andq $~" flag ", (%%rsp)\n popfq" : : : "memory", "cc")
#define TF "0x100"
#define AC "0x40000"

/* getpid(2) with more flags set, on a stack that is not aligned, so that its pushes and its return fail the check.
 * Returns the flags behind it. */
unsigned long call_unaligned(unsigned long flags, long *result);
__asm__(".text\n"
        "call_unaligned:\n"
        "	push %rbp\n"
        "	push %rbx\n"
        "	mov %rsi, %rbx\n"
        "	mov %rsp, %rbp\n"
        "	sub $17, %rsp\n"
        "	movq $1f, (%rsp)\n"
        "	mov %rsp, %rcx\n"
        "	mov %rbp, %rsp\n"
        "	sub $256, %rsp\n"
        "	pushfq\n"
        "	or %rdi, (%rsp)\n"
        "	popfq\n"
        "	mov %rcx, %rsp\n"
        "	jmp kcall_getpid\n"
        "1:	mov %rbp, %rsp\n"
        "	pushfq\n"
        "	pop %rcx\n"
        "	pushfq\n"
        "	andq $~0x40100, (%rsp)\n"
        "	popfq\n"
        "	mov %rax, (%rbx)\n"
        "	mov %rcx, %rax\n"
        "	pop %rbx\n"
        "	pop %rbp\n"
        "	ret\n");

int main(void)
{
	long pid;
	setbuf(stdout, NULL);
	signal(SIGTRAP, on_step);
	SET(TF);
	getpid();
	ssize_t written = write(1, "written\n", 8);
	CLEAR(TF);
	printf("%zd bytes in %u steps\n", written, steps);
	steps = 0;
	SET(AC);
	written = write(1, "written\n", 8);
	CLEAR(AC);
	printf("%zd bytes\n", written);
	unsigned long flags = call_unaligned(0x40000, &pid);
	printf("alignment checked: pid %ld, AC %ld, TF %ld, %u steps\n", pid, flags >> 18 & 1, flags >> 8 & 1, steps);
	flags = call_unaligned(0x40100, &pid);
	printf("and stepped: pid %ld, AC %ld, TF %ld, %u steps\n", pid, flags >> 18 & 1, flags >> 8 & 1, steps);
	SET(TF);
	_exit(7);
}
