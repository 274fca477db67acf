/* SPDX-License-Identifier: MIT */
/* Queues of pending signals: one list for each number, all with entries from one pool. Index 0 ends a list. Entries
 * that were never used are behind `fresh`, so that a program that queues nothing touches no page of the pool. */
#include "kernel/signal/queue.h"

#include "abi/errno.h"
#include "abi/linux_signal.h"

#define ENTRIES (SIGNAL_QUEUE_MAX + SIGNAL_QUEUE_OWN + SIGNAL_QUEUE_TIMERS)

/* The sender of a signal. Each kind has its own room. */
enum sender { SENDER_PROCESS, SENDER_KERNEL, SENDER_TIMER };

struct entry {
	struct signal_origin origin;
	uint16_t next;
	uint16_t sender;
};

static struct entry entries[ENTRIES + 1];
_Static_assert(ENTRIES < UINT16_MAX, "numbers of entries");
static uint16_t freed, fresh = 1;
static unsigned int used[3]; /* by sender */

/* The sender of a signal. A process may claim a timer's code for its own signals. */
static enum sender sender_of(const struct signal_origin *origin)
{
	if (origin->code == LINUX_SI_TIMER)
		return SENDER_TIMER;
	return origin->code > 0 ? SENDER_KERNEL : SENDER_PROCESS;
}

int queue_add(struct signal_queue *queue, int sig, const struct signal_origin *origin)
{
	uint16_t index = freed ? freed : fresh;
	enum sender sender = sender_of(origin);
	unsigned int room = sender == SENDER_TIMER ? SIGNAL_QUEUE_TIMERS : sender ? SIGNAL_QUEUE_OWN : SIGNAL_QUEUE_MAX;
	if (used[sender] == room)
		return -EAGAIN;
	used[sender]++;
	if (index == freed)
		freed = entries[index].next;
	else
		fresh++;
	entries[index] = (struct entry){.origin = *origin, .sender = (uint16_t)sender};
	if (queue->heads[sig])
		entries[queue->tails[sig]].next = index;
	else
		queue->heads[sig] = index;
	queue->tails[sig] = index;
	return 0;
}

bool queue_look(const struct signal_queue *queue, int sig, struct signal_origin *origin)
{
	if (!queue->heads[sig])
		return false;
	*origin = entries[queue->heads[sig]].origin;
	return true;
}

bool queue_take(struct signal_queue *queue, int sig, struct signal_origin *origin)
{
	uint16_t index = queue->heads[sig];
	if (!index)
		return false;
	*origin = entries[index].origin;
	used[entries[index].sender]--;
	queue->heads[sig] = entries[index].next;
	entries[index].next = freed;
	freed = index;
	return true;
}

bool queue_remove_timer(struct signal_queue *queue, int sig, int32_t timer)
{
	uint16_t previous = 0, index = queue->heads[sig];
	while (index && (entries[index].origin.code != LINUX_SI_TIMER || entries[index].origin.pid != timer)) {
		previous = index;
		index = entries[index].next;
	}
	if (!index)
		return false;
	if (previous)
		entries[previous].next = entries[index].next;
	else
		queue->heads[sig] = entries[index].next;
	if (queue->tails[sig] == index)
		queue->tails[sig] = previous;
	used[entries[index].sender]--;
	entries[index].next = freed;
	freed = index;
	return true;
}

bool queue_is_empty(const struct signal_queue *queue, int sig)
{
	return queue->heads[sig] == 0;
}

void queue_move(struct signal_queue *from, struct signal_queue *to, int sig)
{
	uint64_t bit = 1UL << (sig - 1);
	if (from->heads[sig]) {
		if (to->heads[sig])
			entries[to->tails[sig]].next = from->heads[sig];
		else
			to->heads[sig] = from->heads[sig];
		to->tails[sig] = from->tails[sig];
		from->heads[sig] = from->tails[sig] = 0;
	}
	to->pending |= from->pending & bit;
	from->pending &= ~bit;
}
