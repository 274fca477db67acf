/* SPDX-License-Identifier: MIT */
/* A program that uses AVX without asking whether there is any: where its instructions are executed at all, what the
 * registers hold outlives system calls, other threads, other processes, signal handlers and their ends, and a program
 * begins without. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int wrong;
static sigjmp_buf none;

static void no_avx(int sig)
{
	(void)sig;
	siglongjmp(none, 1);
}

/* Has ymm0 and ymm15 be full of a word, makes a system call, and counts the words that are others then. */
static void hold(uint32_t word, long number, long first, long second)
{
	uint32_t words[8], low[8], high[8];
	for (int i = 0; i < 8; i++)
		words[i] = word + (uint32_t)i;
	register long rdi __asm__("rdi") = first;
	register long rsi __asm__("rsi") = second;
	__asm__ volatile(
		"vmovdqu %3, %%ymm0\n\tvmovdqu %3, %%ymm15\n\tsyscall\n\tvmovdqu %%ymm0, %0\n\tvmovdqu %%ymm15, %1"
		: "=m"(low), "=m"(high), "+a"(number)
		: "m"(words), "r"(rdi), "r"(rsi)
		: "rcx", "r11", "memory", "xmm0", "xmm15");
	wrong += memcmp(words, low, sizeof(low)) || memcmp(words, high, sizeof(high));
}

#define CALL_YIELD 24
#define CALL_GETPID 39
#define CALL_KILL 62

static void clear(void)
{
	__asm__ volatile("vzeroall"
	                 :
	                 :
	                 : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",
	                   "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}

static void fill_in_handler(int sig)
{
	hold((uint32_t)sig * 77, CALL_GETPID, 0, 0);
	if (sig == SIGUSR2)
		clear();
}

static void *work(void *number)
{
	uint32_t own = (uint32_t)(uintptr_t)number * 1000000;
	for (uint32_t i = 0; i < 500; i++) {
		hold(own + i, CALL_YIELD, 0, 0);
		if (i % 50 == 0) {
			hold(own + i, CALL_KILL, getpid(), SIGUSR1);
			hold(own + i, CALL_KILL, getpid(), SIGUSR2);
		}
		if (i % 7 == 0) { /* and without */
			clear();
			sched_yield();
		}
	}
	return NULL;
}

/* Whether any of the upper halves is not zero. */
static int is_dirty(void)
{
	uint8_t upper[16][16], zeros[sizeof(upper)] = {0};
#define TAKE(number) "vextractf128 $1, %%ymm" #number ", 16*" #number "(%0)\n\t"
	__asm__ volatile(TAKE(0) TAKE(1) TAKE(2) TAKE(3) TAKE(4) TAKE(5) TAKE(6) TAKE(7) TAKE(8) TAKE(9) TAKE(10)
	                         TAKE(11) TAKE(12) TAKE(13) TAKE(14) TAKE(15)
	                 :
	                 : "r"(upper)
	                 : "memory");
	return memcmp(upper, zeros, sizeof(upper)) != 0;
}

int main(int argc, char **argv)
{
	pthread_t threads[4];
	int status, there = 0;
	(void)argv;
	signal(SIGILL, no_avx);
	if (!sigsetjmp(none, 1)) {
		if (argc > 1)
			return is_dirty();
		clear();
		there = 1;
	}
	signal(SIGUSR1, fill_in_handler);
	signal(SIGUSR2, fill_in_handler);
	if (there) {
		for (uintptr_t i = 0; i < 4; i++)
			pthread_create(&threads[i], NULL, work, (void *)(i + 1));
		if (!fork()) {
			work((void *)9);
			_exit(wrong != 0);
		}
		for (int i = 0; i < 4; i++)
			pthread_join(threads[i], NULL);
		assert(wait(&status) > 0);
		wrong += status != 0;
		/* A program that is executed while they are full. */
		if (!fork()) {
			hold(5, CALL_GETPID, 0, 0);
			execl("/proc/self/exe", "any", "child", NULL);
		}
		assert(wait(&status) > 0);
		wrong += status != 0;
	}
	printf("%d wrong\n", wrong);
	return 0;
}
