/* SPDX-License-Identifier: MIT */
/* Bug: STEPS peers write their message, each its own, into one mailbox, again and again. A server takes the messages of
 * a handshake one by one and gives up at the first that is not the next one, which is what nearly always happens: each
 * of its loads has to get its value from another peer. Behind the last step it forgets that it has released the
 * session. Bites: "the session was released 2 times", status 1. After the reads-from chains of Wolff et al., ASPLOS
 * 2024. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

#ifndef FIXED
#define FIXED 0
#endif

#define STEPS 6
#define ROUNDS 3

static _Atomic int mailbox;
static int released;

static void *hello(void *unused)
{
	for (int i = 0; i < ROUNDS; i++)
		mailbox = 1;
	return unused;
}

static void *name(void *unused)
{
	for (int i = 0; i < ROUNDS; i++)
		mailbox = 2;
	return unused;
}

static void *key(void *unused)
{
	for (int i = 0; i < ROUNDS; i++)
		mailbox = 3;
	return unused;
}

static void *proof(void *unused)
{
	for (int i = 0; i < ROUNDS; i++)
		mailbox = 4;
	return unused;
}

static void *ready(void *unused)
{
	for (int i = 0; i < ROUNDS; i++)
		mailbox = 5;
	return unused;
}

static void *leave(void *unused)
{
	for (int i = 0; i < ROUNDS; i++)
		mailbox = 6;
	return unused;
}

static bool shake_hands(void)
{
	if (mailbox != 1)
		return false;
	if (mailbox != 2)
		return false;
	if (mailbox != 3)
		return false;
	if (mailbox != 4)
		return false;
	if (mailbox != 5)
		return false;
	return mailbox == 6;
}

static void *serve(void *unused)
{
	if (shake_hands() && !FIXED)
		released++;
	released++;
	return unused;
}

int main(void)
{
	static void *(*const peers[STEPS])(void *) = {hello, name, key, proof, ready, leave};
	pthread_t threads[STEPS + 1];
	for (int i = 0; i < STEPS; i++)
		pthread_create(&threads[i], NULL, peers[i], NULL);
	pthread_create(&threads[STEPS], NULL, serve, NULL);
	for (int i = 0; i <= STEPS; i++)
		pthread_join(threads[i], NULL);
	if (released == 1)
		return 0;
	printf("the session was released %d times\n", released);
	return 1;
}
