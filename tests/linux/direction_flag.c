/* SPDX-License-Identifier: MIT */
/* The direction flag is the program's own: a system call keeps it, made by code of the file and by code that the
 * program makes as it runs; signal handlers begin without it. */
#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define DF 0x400UL

static volatile sig_atomic_t handled, in_handler;

static void on_signal(int sig)
{
	unsigned long flags;
	__asm__ volatile("pushfq; pop %0" : "=r"(flags));
	handled = sig;
	in_handler = (flags & DF) != 0;
}

/* Sets or clears the flag, calls, and tells the flag afterwards. */
#define CALL(set, number, first, second) \
	({ \
		unsigned long flags_, result_; \
		__asm__ volatile(set \
		                 "; sub $128, %%rsp; mov %[n], %%eax; syscall; pushfq; pop %[f]; cld; add $128, %%rsp" \
		                 : "=&a"(result_), [f] "=&b"(flags_) \
		                 : [n] "i"(number), "D"((unsigned long)(first)), "S"((unsigned long)(second)) \
		                 : "rcx", "r11", "memory", "cc"); \
		printf("%s %s: %d\n", set, #number, (flags_ & DF) != 0); \
		result_; \
	})

/* mov $SYS_getpid, %eax; std or cld; syscall; pushfq; pop %rax; cld; ret */
static unsigned long made(int set)
{
	static const unsigned char code[] = {0xb8, SYS_getpid, 0, 0, 0, 0xfc, 0x0f, 0x05, 0x9c, 0x58, 0xfc, 0xc3};
	unsigned char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert(page != MAP_FAILED);
	memcpy(page, code, sizeof(code));
	page[5] = set ? 0xfd : 0xfc;
	unsigned long flags = ((unsigned long (*)(void))page)();
	munmap(page, 4096);
	return (flags & DF) != 0;
}

int main(void)
{
	signal(SIGUSR1, on_signal);
	pid_t self = getpid();
	printf("%d\n", CALL("std", SYS_getpid, 0, 0) == (unsigned long)self);
	printf("%d\n", CALL("cld", SYS_getpid, 0, 0) == (unsigned long)self);
	CALL("std", SYS_kill, self, SIGUSR1);
	printf("handled: %d, its flag: %d\n", handled == SIGUSR1, in_handler);
	printf("%ld\n", (long)CALL("std", SYS_close, -1, 0));
	printf("made: %lu %lu\n", made(1), made(0));
	return 0;
}
