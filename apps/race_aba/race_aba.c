/* SPDX-License-Identifier: MIT */
/* Bug: ABA. pop reads the head A and its successor B. Meanwhile another thread takes A and B and puts A back: the head
 * is A again, the exchange succeeds, and the head is B, which that thread has.
 * Bites: "2 on the stack and 1 kept, of 2", status 1. Fixed by a count beside the pointer. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

#ifndef FIXED
#define FIXED 0
#endif

#define ROUNDS 4
#define NODES 2

/* Nodes have numbers from 1; 0 is none. */
static _Atomic uint32_t next_of[NODES + 1];
static _Atomic uint64_t head;
static uint32_t kept;

/* The head's value is a node's number and, in the upper half and when fixed, how often it was changed. */
static uint64_t link_to(uint32_t node, uint64_t before)
{
	return FIXED ? ((before >> 32) + 1) << 32 | node : node;
}

static uint32_t pop(void)
{
	uint64_t seen = head;
	while ((uint32_t)seen != 0) {
		uint32_t next = next_of[(uint32_t)seen];
		if (atomic_compare_exchange_strong(&head, &seen, link_to(next, seen)))
			break;
	}
	return (uint32_t)seen;
}

static void push(uint32_t node)
{
	uint64_t seen = head;
	if (node == 0)
		return;
	do
		next_of[node] = (uint32_t)seen;
	while (!atomic_compare_exchange_strong(&head, &seen, link_to(node, seen)));
}

/* Takes one and puts it back. */
static void *use_one(void *unused)
{
	for (int i = 0; i < ROUNDS; i++)
		push(pop());
	return unused;
}

/* Takes two and keeps the second. */
static void *keep_one(void *unused)
{
	uint32_t first = pop();
	kept = pop();
	push(first);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	int count = 0;
	for (uint32_t node = NODES; node > 0; node--)
		push(node);
	pthread_create(&threads[0], NULL, use_one, NULL);
	pthread_create(&threads[1], NULL, keep_one, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	for (uint32_t node = (uint32_t)head; node != 0 && count <= NODES; node = next_of[node])
		count++;
	if (count + (kept != 0) == NODES)
		return 0;
	printf("%d on the stack and %d kept, of %d\n", count, kept != 0, NODES);
	return 1;
}
