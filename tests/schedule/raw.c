/* SPDX-License-Identifier: MIT */
/* Threads by kernel calls alone: raw WHAT. They touch nothing of the C library, so that what a schedule says of them is
 * what this file says. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/layout.h"
#include "abi/ring.h"
#include "abi/thread.h"
#include "kernel/sys/kcall.h"

#define THREADS_MOST 5000
#define STACK_BYTES 4096
#define FUTEX_WAIT 0
#define FUTEX_WAKE 1

struct lock {
	uint32_t holder; /* its thread's number, 0: free */
};

static uint32_t tids[THREADS_MOST];
static struct thread_note notes[THREADS_MOST + 1];
static __attribute__((aligned(16))) uint8_t stacks[THREADS_MOST][STACK_BYTES];
static struct lock first_lock, second_lock;
static uint32_t semaphore;

static void start(unsigned index, void (*entry)(void *))
{
	const struct thread_start how = {
		.entry = entry,
		.argument = (void *)(uintptr_t)index,
		.stack_top = (uint64_t)&stacks[index + 1],
		.tid = &tids[index],
		.note = &notes[index],
	};
	if (kcall_thread_create(&how) < 0) {
		puts("no thread");
		exit(1);
	}
}

static void join(unsigned index, struct thread_note *note)
{
	uint32_t tid;
	while ((tid = *(volatile uint32_t *)&tids[index]) != 0) {
		note->wait = THREAD_WAIT_join;
		note->joined = tid;
		kcall_futex(&tids[index], FUTEX_WAIT, tid, NULL, NULL, 0);
	}
}

static void acquire(struct lock *lock, uint32_t self, struct thread_note *note)
{
	uint32_t holder;
	while ((holder = lock->holder) != 0) {
		note->wait = THREAD_WAIT_mutex;
		note->object = lock;
		note->holder = &lock->holder;
		kcall_futex(&lock->holder, FUTEX_WAIT, holder, NULL, NULL, 0);
	}
	lock->holder = self;
}

static void release(struct lock *lock)
{
	lock->holder = 0;
	kcall_futex(&lock->holder, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* Each thread writes its letter many times; where one is replaced by another decides the order. */
static void write_letters(void *argument)
{
	char letter = (char)('a' + (uintptr_t)argument);
	for (int i = 0; i < 20; i++)
		kcall_write(1, &letter, 1);
	kcall_exit(0);
}

/* More decisions than the window of records has room for. */
static void pass_many(void *argument)
{
	(void)argument;
	for (int i = 0; i < 150000; i++)
		kcall_gettid();
	kcall_exit(0);
}

static void one_order(void *argument)
{
	struct thread_note *note = &notes[(uintptr_t)argument];
	strcpy(note->name, "one");
	acquire(&first_lock, (uint32_t)kcall_gettid(), note);
	kcall_sched_yield();
	acquire(&second_lock, (uint32_t)kcall_gettid(), note);
	release(&second_lock);
	release(&first_lock);
	kcall_exit(0);
}

static void other_order(void *argument)
{
	struct thread_note *note = &notes[(uintptr_t)argument];
	strcpy(note->name, "other");
	acquire(&second_lock, (uint32_t)kcall_gettid(), note);
	kcall_sched_yield();
	acquire(&first_lock, (uint32_t)kcall_gettid(), note);
	release(&first_lock);
	release(&second_lock);
	kcall_exit(0);
}

/* Nobody will ever post. */
static void wait_for_post(void *argument)
{
	struct thread_note *note = &notes[(uintptr_t)argument];
	note->wait = THREAD_WAIT_semaphore;
	note->object = &semaphore;
	kcall_futex(&semaphore, FUTEX_WAIT, 0, NULL, NULL, 0);
	kcall_exit(0);
}

/* In assembly, so that no compiler puts a check into it. Says first that it is there. */
static void spin(void *argument)
{
	(void)argument;
	kcall_write(1, "\nspins\n", 7);
	__asm__ volatile("1: jmp 1b");
}

/* A leak on purpose: how far the monitor has read the console decides when it gives way. */
static void yield_by_console(void *argument)
{
	const volatile struct console_ring *ring = (void *)(LAYOUT_DIRECT_MAP + LAYOUT_CONSOLE_RING);
	(void)argument;
	for (int i = 0; i < 20000; i++) {
		uint64_t sum = 0;
		kcall_write(1, "a line, so that there is something to read\n", 43);
		for (int n = 0; n < 3000; n++)
			sum = sum * 31 + ring->tail;
		if (sum % 3)
			kcall_sched_yield();
	}
	kcall_exit(0);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*entry[2])(void *);
		unsigned threads;
	} list[] = {
		{"letters", {write_letters, write_letters}, 4},
		{"locks", {one_order, other_order}, 2},
		{"waiters", {wait_for_post, wait_for_post}, 0},
		{"left", {wait_for_post, wait_for_post}, 0},
		{"spin", {write_letters, spin}, 2},
		{"leak", {yield_by_console, yield_by_console}, 2},
		{"many", {pass_many, pass_many}, 4},
	};
	static struct thread_note note = {.name = "main"};
	kcall_thread_note(&note);
	for (unsigned i = 0; argc > 1 && i < sizeof(list) / sizeof(list[0]); i++) {
		if (strcmp(argv[1], list[i].name))
			continue;
		unsigned threads = list[i].threads ? list[i].threads : (unsigned)strtoul(argv[2], NULL, 10);
		for (unsigned n = 0; n < threads; n++)
			start(n, list[i].entry[n % 2]);
		if (!strcmp(argv[1], "left")) {
			kcall_sched_yield();
			kcall_exit(0);
		}
		for (unsigned n = 0; n < threads; n++)
			join(n, &note);
		puts("");
		return 0;
	}
	return 2;
}
