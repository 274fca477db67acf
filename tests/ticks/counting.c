/* SPDX-License-Identifier: MIT */
/* For counting.test: loops that count what they owe in a register. What is printed must be the same when they charge
 * the countdown in memory instead.
 *
 * counting times: what loops of several kinds take, round by round. counting threads: what one thread sees of a loop of
 * another. counting alarm: when a signal interrupts one. counting fault: the clock in handlers of faults in one, and
 * behind it. counting blocks: who copies large structures when. counting spin: goes
 * round until a signal comes. */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>

#define OPAQUE __attribute__((noipa))

enum { CELLS = 4096, SEEN = 200 };

static uint32_t cells[CELLS];
static volatile uint32_t shared;
static volatile sig_atomic_t rung;

static long now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000 + t.tv_nsec;
}

OPAQUE static unsigned sum(unsigned count)
{
	unsigned total = 0;
	for (unsigned i = 0; i < count; i++)
		total = total * 31 + cells[i];
	return total;
}

/* Two more ends. */
OPAQUE static unsigned find(unsigned count)
{
	unsigned i = 0;
	for (; i < count; i++) {
		if (cells[i] == count)
			return i;
		if (cells[i] > 2 * count)
			break;
	}
	return i + 1;
}

/* Two ways back. */
OPAQUE static unsigned collatz(unsigned count)
{
	unsigned steps = 0;
	for (unsigned long x = count + 1; x != 1; steps++) {
		if (x & 1) {
			x = 3 * x + 1;
			continue;
		}
		x /= 2;
	}
	return steps;
}

OPAQUE static unsigned nested(unsigned count)
{
	unsigned total = 0;
	for (unsigned i = 0; i < count % 50; i++)
		for (unsigned j = i; j < count % 70; j++)
			for (unsigned k = 0; k < j; k++)
				if ((total ^= k * j + cells[k]) % 1000 == 999)
					goto out;
out:
	return total;
}

/* More values at a time than there are registers. */
OPAQUE static unsigned long crowded(unsigned count)
{
	unsigned long a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, k = 9, l = 10, m = 11, n = 12, o = 13,
		      p = 14;
	for (unsigned i = 0; i < count; i++) {
		a += b ^ i, b += c ^ cells[i], c += d, d += e ^ a, e += f, f += g ^ i, g += h, h += k ^ b, k += l;
		l += m ^ c, m += n, n += o ^ d, o += p, p += a;
	}
	return a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ k ^ l ^ m ^ n ^ o ^ p;
}

static void times(void)
{
	for (unsigned count = 0; count < 300; count += 1 + count / 8) {
		long start = now();
		unsigned s = sum(count);
		long summed = now();
		unsigned f = find(count);
		long found = now();
		unsigned c = collatz(count);
		long halved = now();
		unsigned n = nested(count);
		long nests = now();
		unsigned long r = crowded(count);
		printf("%u %u:%ld %u:%ld %u:%ld %u:%ld %lu:%ld\n", count, s, summed - start, f, found - summed, c,
		       halved - found, n, nests - halved, r, now() - nests);
	}
}

static void *count_up(void *unused)
{
	for (uint32_t i = 1; i < 20000; i++) {
		shared = i;
		cells[i % CELLS] = i;
	}
	shared = UINT32_MAX;
	return unused;
}

static void *watch(void *unused)
{
	static uint32_t seen[SEEN];
	unsigned count = 0;
	for (uint32_t last = 0, value; (value = shared) != UINT32_MAX;)
		if (value != last && count < SEEN)
			seen[count++] = last = value;
	for (unsigned i = 0; i < count; i++)
		printf("%u ", seen[i]);
	printf("\n%u\n", sum(CELLS));
	return unused;
}

static void threads(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, count_up, NULL);
	pthread_create(&b, NULL, watch, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	printf("%ld\n", now());
}

static void ring(int sig)
{
	rung = sig;
}

static void ring_soon(void)
{
	struct itimerval soon = {{0, 0}, {0, 1234}};
	signal(SIGALRM, ring);
	setitimer(ITIMER_REAL, &soon, NULL);
}

static void alarmed(void)
{
	ring_soon();
	unsigned rounds = 0;
	while (!rung)
		rounds++;
	printf("%u rounds, %ld\n", rounds, now());
}

static sigjmp_buf after;
static volatile uint8_t *volatile at;

/* A page in the way of a loop of milliseconds: the handler leaves the loop, or returns to elsewhere, or makes way for
 * it, or runs such a loop that has a fault in turn. */
static uint8_t *wall;
static int depth, makes_way, returns;

static void land(void)
{
	siglongjmp(after, 1);
}

static void fault(int sig, siginfo_t *info, void *context)
{
	(void)info;
	printf("%d at %ld\n", depth, now());
	if (makes_way) {
		mprotect(wall, 4096, PROT_READ | PROT_WRITE);
		return;
	}
	if (returns) {
		((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)land;
		return;
	}
	if (++depth % 4) {
		volatile uint8_t *in = wall - 50000 * depth;
		for (;;)
			*in++ = 2;
	}
	siglongjmp(after, sig);
}

static void faults(void)
{
	enum { BYTES = 1 << 22 };
	struct sigaction action = {.sa_sigaction = fault, .sa_flags = SA_NODEFER | SA_SIGINFO};
	sigaction(SIGSEGV, &action, NULL);
	uint8_t *memory = mmap(NULL, BYTES + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	wall = memory + BYTES;
	for (int round = 0; round < 5; round++) {
		returns = round == 3;
		mprotect(wall, 4096, PROT_NONE);
		if (sigsetjmp(after, 1) == 0)
			for (at = memory;; at++)
				*at = 1;
		printf("%s, %ld\n", at == wall ? "there" : "elsewhere", now());
	}
	makes_way = 1;
	for (unsigned i = 0; i < BYTES + 4096; i++)
		((volatile uint8_t *)memory)[i] = 3;
	printf("through, %ld\n", now());
}

/* A round that copies what memcpy is called for. */
struct large {
	char bytes[100000];
};

static struct large from, to;

OPAQUE static void copies(unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		to = from;
		cells[i % CELLS]++;
	}
}

static void *copy(void *unused)
{
	for (unsigned i = 0; i < 20; i++) {
		copies(3);
		printf("%s %u: %ld\n", unused ? "other" : "first", i, now());
	}
	return unused;
}

static void blocks(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, copy, &thread);
	copy(NULL);
	pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	for (unsigned i = 0; i < CELLS; i++)
		cells[i] = i * 7 % 301;
	if (!strcmp(what, "times"))
		times();
	else if (!strcmp(what, "threads"))
		threads();
	else if (!strcmp(what, "alarm"))
		alarmed();
	else if (!strcmp(what, "fault"))
		faults();
	else if (!strcmp(what, "spin"))
		for (ring_soon(); !rung;)
			;
	else if (!strcmp(what, "blocks"))
		blocks();
	else
		return 2;
	return 0;
}
