/* SPDX-License-Identifier: MIT */
/* What one process writes over its program's code, or unmaps of it, changes nothing in its parent, its children and
 * theirs, whoever has begun: code that nobody has written to may be the same memory in all of them. */
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE 4096UL

/* Two pages with a function that returns a number, one of them with a system call, too. */
__asm__("	.text\n"
        "	.balign 4096\n"
        "	.globl value_alone\n"
        "	.type value_alone, @function\n"
        "value_alone:\n"
        "	.cfi_startproc\n"
        "	mov $1, %eax\n"
        "	ret\n"
        "	.cfi_endproc\n"
        "	.size value_alone, . - value_alone\n"
        "	.balign 4096\n"
        "	.globl value_beside\n"
        "	.type value_beside, @function\n"
        "value_beside:\n"
        "	.cfi_startproc\n"
        "	mov $1, %eax\n"
        "	ret\n"
        "	.cfi_endproc\n"
        "	.size value_beside, . - value_beside\n"
        "	.balign 64\n"
        "	.globl call_getpid\n"
        "	.type call_getpid, @function\n"
        "call_getpid:\n"
        "	.cfi_startproc\n"
        "	mov $39, %eax\n"
        "	syscall\n"
        "	ret\n"
        "	.cfi_endproc\n"
        "	.size call_getpid, . - call_getpid\n"
        "	.balign 4096\n");

int value_alone(void);
int value_beside(void);
int call_getpid(void);

static void expect(int value)
{
	assert(value_alone() == value && value_beside() == value);
	assert(call_getpid() == (int)syscall(SYS_getpid));
}

static void write_value(int value, int prot)
{
	uint8_t *pages = (uint8_t *)(uintptr_t)value_alone;
	assert(!mprotect(pages, 2 * PAGE, prot));
	memcpy(pages + 1, &value, sizeof(value));
	memcpy(pages + PAGE + 1, &value, sizeof(value));
	assert(!mprotect(pages, 2 * PAGE, PROT_READ | PROT_EXEC));
	expect(value);
}

static void wait_for(pid_t child)
{
	int status;
	assert(child > 0 && waitpid(child, &status, 0) == child);
	assert(status == 0);
}

/* A child that changes its code while its parent waits, and a grandchild of it. */
static void changed_by_child(void)
{
	pid_t child = fork();
	if (!child) {
		expect(1);
		write_value(2, PROT_READ | PROT_WRITE);
		pid_t grandchild = fork();
		if (!grandchild) {
			expect(2);
			write_value(3, PROT_READ | PROT_WRITE | PROT_EXEC);
			_exit(0);
		}
		wait_for(grandchild);
		expect(2);
		_exit(0);
	}
	wait_for(child);
	expect(1);
}

/* A parent that changes its code while its child waits; children that live on beside each other. */
static void changed_by_parent(void)
{
	int go[2];
	pid_t children[3];
	char c;
	assert(!pipe(go));
	for (int i = 0; i < 3; i++) {
		children[i] = fork();
		if (!children[i]) {
			close(go[1]);
			assert(read(go[0], &c, 1) == 0);
			expect(i ? 10 + i - 1 : 1);
			if (i == 1)
				munmap((void *)(uintptr_t)value_alone, 2 * PAGE);
			_exit(0);
		}
		write_value(10 + i, PROT_READ | PROT_WRITE);
	}
	close(go[0]);
	close(go[1]);
	for (int i = 0; i < 3; i++)
		wait_for(children[i]);
	expect(12);
}

/* Children that write to the code, unmap it or leave it, in turns: nothing is freed too early, or lost. */
static void many(void)
{
	for (int i = 0; i < 200; i++) {
		pid_t child = fork();
		if (!child) {
			expect(12);
			if (i % 3 == 0)
				write_value(i, PROT_READ | PROT_WRITE);
			if (i % 3 == 1)
				munmap((void *)(uintptr_t)value_alone, 2 * PAGE);
			_exit(0);
		}
		wait_for(child);
		expect(12);
	}
}

int main(void)
{
	expect(1);
	changed_by_child();
	changed_by_parent();
	many();
	puts("each has its own code");
	return 0;
}
