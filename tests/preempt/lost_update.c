/* SPDX-License-Identifier: MIT */
/* Two counters that threads increase without a lock, one by an instruction for each step, and one by a single
 * instruction that is not locked. */
#include <pthread.h>
#include <stdio.h>

#define ROUNDS 20

static volatile int in_steps;
static int at_once;

__attribute__((noipa)) static void increase_in_steps(void)
{
	in_steps++;
}

__attribute__((noipa)) static void increase_at_once(void)
{
	at_once++;
}

static void *work(void *unused)
{
	for (int i = 0; i < ROUNDS; i++) {
		increase_in_steps();
		increase_at_once();
	}
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	int lost_in_steps = 2 * ROUNDS - in_steps, lost_at_once = 2 * ROUNDS - at_once;
	if (lost_in_steps)
		puts("lost in steps");
	if (lost_at_once)
		puts("lost at once");
	return (lost_in_steps ? 1 : 0) | (lost_at_once ? 2 : 0);
}
