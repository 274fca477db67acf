/* SPDX-License-Identifier: MIT */
/* Ends, or never does, in the way that its argument's letter says, some calls deep. */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int in_library(int (*function)(int), int how);

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *second(void *nothing)
{
	pthread_mutex_lock(&b);
	sched_yield();
	pthread_mutex_lock(&a);
	return nothing;
}

static void __attribute__((noinline)) lock(void)
{
	pthread_t thread;
	pthread_mutex_lock(&a);
	pthread_create(&thread, NULL, second, NULL);
	sched_yield();
	sched_yield();
	pthread_mutex_lock(&b);
}

/* push %rbp; mov %rsp, %rbp; xor %eax, %eax; mov %eax, (%rax); pop %rbp; ret */
static void __attribute__((noinline)) made(void)
{
	void *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memcpy(code, "\x55\x48\x89\xe5\x31\xc0\x89\x00\x5d\xc3", 10);
	((void (*)(void))code)();
}

static int __attribute__((noinline)) inner(int how)
{
	switch (how) {
	case 'c':
		*(volatile int *)16 = 1;
		break;
	case 'u':
		syscall(SYS_kexec_load, 0x11, 0x22, 0x33, 0x44);
		break;
	case 'a':
		abort();
	case 'd':
		lock();
		break;
	case 'j':
		made();
		break;
	case 'p':
		if (!fork())
			pause();
		wait(NULL);
		break;
	default:
		write(1, "loops\n", 6);
		for (volatile long i = 0;; i++)
			;
	}
	return how + 1;
}

static int callback(int how)
{
	return inner(how) + 2;
}

int main(int argc, char **argv)
{
	return argc > 1 ? in_library(callback, argv[1][0]) : 0;
}
