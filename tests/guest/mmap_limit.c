/* SPDX-License-Identifier: MIT */
/* At the limit of mappings, 65530 as on Linux, what needs no more of them goes on, and no thread's stack is lost. */
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "say.h"

#define PAGE 4096UL
#define RW (PROT_READ | PROT_WRITE)
#define ANON (MAP_PRIVATE | MAP_ANONYMOUS)
#define STEPS 40000UL

static int pipes[3][2];

static void *wait_for_byte(void *end)
{
	char byte;
	return read(*(int *)end, &byte, 1) == 1 ? end : NULL;
}

/* Pages of two kinds in turn; returns when there can be no mapping more. */
static char *fill(void)
{
	char *area = mmap(NULL, STEPS * 2 * PAGE, PROT_NONE, ANON, -1, 0);
	size_t step = 0;
	while (step < STEPS && mprotect(area + step * 2 * PAGE, PAGE, PROT_READ) == 0)
		step++;
	printf("refused: %s\n", errno_name(errno));
	char *spare = area + (STEPS - 16) * 2 * PAGE;
	if (step > STEPS - 32 || munmap(spare, 32 * PAGE))
		return NULL;
	for (char *at = spare + PAGE; mmap(at, PAGE, PROT_READ, ANON | MAP_FIXED, -1, 0) != MAP_FAILED;)
		at += 2 * PAGE;
	printf("full: %s\n", errno_name(errno));
	return area;
}

static void calls(char *area, char *three)
{
	SAY_OK(munmap(three + PAGE, PAGE));              /* a hole within a mapping */
	SAY_OK(mprotect(three + PAGE, PAGE, PROT_READ)); /* two more */
	SAY_OK(mprotect(three, PAGE, PROT_READ));        /* one more */
	SAY_OK(mprotect(three + PAGE, PAGE, RW));        /* changes nothing */
	SAY_OK(mprotect(three, 3 * PAGE, PROT_READ));
	SAY_OK(munmap(three + 2 * PAGE, PAGE));
	SAY_OK(munmap(three, PAGE));
	SAY_OK(mprotect(three + PAGE, PAGE, RW));
	SAY_OK(mmap(area + STEPS * 2 * PAGE - PAGE, PAGE, PROT_READ, ANON | MAP_FIXED, -1, 0));
}

/* Without guards the stacks are one mapping, of which the one in the middle cannot be unmapped: it is used again. */
static void stacks(const pthread_attr_t *attributes, pthread_t *threads)
{
	pthread_attr_t large;
	pthread_attr_init(&large);
	pthread_attr_setstacksize(&large, 1UL << 20);
	SAY_TRUE(write(pipes[1][1], "", 1) == 1);
	SAY_TRUE(pthread_join(threads[1], NULL) == 0);
	for (int i = 0; i < 2; i++) {
		pthread_t thread;
		SAY_TRUE(pthread_create(&thread, &large, wait_for_byte, &pipes[1][0]) == EAGAIN);
		SAY_TRUE(pthread_create(&thread, attributes, wait_for_byte, &pipes[1][0]) == 0);
		SAY_TRUE(write(pipes[1][1], "", 1) == 1);
		SAY_TRUE(pthread_join(thread, NULL) == 0);
	}
}

int main(void)
{
	pthread_attr_t attributes;
	pthread_t threads[3];
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN);
	pthread_attr_setguardsize(&attributes, 0);
	for (int i = 0; i < 3; i++)
		SAY_TRUE(pipe(pipes[i]) == 0 &&
		         pthread_create(&threads[i], &attributes, wait_for_byte, &pipes[i][0]) == 0);
	char *three = mmap(NULL, 5 * PAGE, PROT_NONE, ANON, -1, 0);
	SAY_OK(mprotect(three += PAGE, 3 * PAGE, RW));
	char *area = fill();
	SAY_TRUE(area != NULL);
	if (area) {
		calls(area, three);
		stacks(&attributes, threads);
		SAY_OK(munmap(area, STEPS * 2 * PAGE));
	}
	for (int i = 0; i < 3; i += 2)
		SAY_TRUE(write(pipes[i][1], "", 1) == 1 && pthread_join(threads[i], NULL) == 0);
	return 0;
}
