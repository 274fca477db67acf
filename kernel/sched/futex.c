/* SPDX-License-Identifier: MIT */
/* Futexes. The hash of a word's key selects a queue; its waiters are in the order of their arrival. */
#include "kernel/sched/futex.h"

#include "abi/errno.h"
#include "kernel/arch/direct_map.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/bug.h"
#include "kernel/mm/pagetable.h"
#include "kernel/mm/vm.h"
#include "kernel/sched/policy.h"
#include "kernel/sched/sched.h"
#include "kernel/mm/space.h"

#define QUEUES 256

/* Code that only locks with owners need is optimised for size. */
#define COLD __attribute__((cold))

static struct thread_queue queues[QUEUES];
static unsigned pi_waiters;

static struct futex_key key_of(const uint32_t *word)
{
	uint64_t address = (uint64_t)word;
	struct vm_backing backing;
	if (!vm_was_shared || !vm_backing_at(address, &backing) || !backing.ops || !backing.shared)
		return (struct futex_key){phys_to_virt(space_current->top), address};
	return (struct futex_key){backing.object, backing.page * PAGE_SIZE + address % PAGE_SIZE};
}

static struct thread_queue *queue_of(const struct futex_key *key)
{
	return &queues[(key->place >> 2) * 0x9e3779b97f4a7c15UL >> 56];
}

_Static_assert(QUEUES == 1 << (64 - 56), "queue_of");

int futex_load(const uint32_t *word, uint32_t *value)
{
	return uaccess_load(value, word);
}

int futex_store(uint32_t *word, uint32_t value)
{
	return uaccess_store(word, value);
}

/* The cause of the wait, from libc's note. */
static enum sched_cause cause(void)
{
	static const uint8_t causes[] = {
#define CAUSE(name, text, cause) SCHED_CAUSE_##cause,
		THREAD_WAIT_LIST(CAUSE)
#undef CAUSE
	};
	uint32_t wait;
	const struct thread_note *note = thread_current->note;
	if (!note || uaccess_load(&wait, &note->wait) || wait >= THREAD_WAITS)
		return SCHED_CAUSE_futex;
	return (enum sched_cause)causes[wait];
}

int futex_sleep(uint32_t *word, uint64_t deadline_ns, uint32_t bits, enum futex_kind kind, const uint32_t *target)
{
	struct thread *self = thread_current;
	const struct wait_reason reason = {"futex", cause()};
	self->futex = word;
	self->futex_key = key_of(word);
	self->futex_bits = bits;
	self->futex_kind = kind;
	self->futex_target = target;
	pi_waiters += kind != FUTEX_PLAIN;
	int result = sched_wait(queue_of(&self->futex_key), deadline_ns, &reason);
	pi_waiters -= kind != FUTEX_PLAIN;
	self->futex = self->futex_target = NULL;
	self->futex_kind = FUTEX_PLAIN;
	return result;
}

int futex_wait(uint32_t *word, uint32_t value, uint64_t deadline_ns, uint32_t bits)
{
	uint32_t now;
	if (futex_load(word, &now))
		return -EFAULT;
	if (now != value)
		return -EAGAIN;
	return futex_sleep(word, deadline_ns, bits, FUTEX_PLAIN, NULL);
}

/** The waiters of a queue that a call selects. */
struct selection {
	struct futex_key key;
	uint32_t bits;
	enum futex_kind kind;
};

static bool is_there(const struct thread *thread, const struct futex_key *key)
{
	return thread->futex_key.place == key->place && thread->futex_key.object == key->object;
}

static bool is_selected(const struct thread *thread, const struct selection *wanted)
{
	return is_there(thread, &wanted->key) && thread->futex_kind == wanted->kind &&
	       (thread->futex_bits & wanted->bits);
}

/* The next selected waiter after `thread`, in the order of arrival; `thread` NULL: the first. NULL: no more. */
static struct thread *meant_after(const struct selection *wanted, const struct thread *thread)
{
	struct thread *next = thread ? thread->next : queue_of(&wanted->key)->first;
	while (next && !is_selected(next, wanted))
		next = next->next;
	return next;
}

/* The number of selected waiters, counted up to `most`. */
static unsigned count_meant(const struct selection *wanted, unsigned most)
{
	unsigned count = 0;
	for (struct thread *thread = NULL; count < most && (thread = meant_after(wanted, thread)); count++)
		;
	return count;
}

static const void *next_option(const struct sched_choice *choice, const void *option)
{
	return meant_after(choice->context, option);
}

static uint32_t waiter_number_of(const void *option)
{
	const struct thread *thread = option;
	return thread->tid;
}

/* The selected waiter to wake; NULL: no waiter. */
static struct thread *choose_waiter(const struct selection *wanted)
{
	const struct sched_choice choice = {
		.kind = SCHED_KIND_wake, .next = next_option, .number = waiter_number_of, .context = wanted};
	return (struct thread *)sched_choose(&choice);
}

COLD unsigned futex_waiters(const uint32_t *word, enum futex_kind kind, unsigned most)
{
	const struct selection wanted = {key_of(word), FUTEX_ANY_BITS, kind};
	return count_meant(&wanted, most);
}

COLD bool futex_is_misused(const uint32_t *word, enum futex_kind kind)
{
	const struct futex_key key = key_of(word);
	const struct thread *thread = queue_of(&key)->first;
	while (thread && (!is_there(thread, &key) || thread->futex_kind == kind))
		thread = thread->next;
	return thread;
}

COLD struct thread *futex_choose(const uint32_t *word, enum futex_kind kind)
{
	const struct selection wanted = {key_of(word), FUTEX_ANY_BITS, kind};
	return choose_waiter(&wanted);
}

/* One more than a number, saturating. */
static unsigned above(unsigned number)
{
	return number < UINT32_MAX ? number + 1 : number;
}

int futex_wake(const uint32_t *word, unsigned most, uint32_t bits)
{
	const struct selection wanted = {key_of(word), bits, FUTEX_PLAIN};
	if (__builtin_expect(pi_waiters != 0, 0) && futex_is_misused(word, FUTEX_PLAIN))
		return -EINVAL;
	unsigned count = count_meant(&wanted, above(most)), woken = 0;
	while (count && woken < most) {
		/* If all are woken, they enter the ready queue in order, and the policy decides later which runs first.
		 */
		bool several = count > most - woken;
		struct thread *thread = several ? choose_waiter(&wanted) : meant_after(&wanted, NULL);
		if (sched_wake_is_in_time(thread)) {
			sched_wake(thread, 0);
			woken++;
			count--;
		} else {
			count = several ? count_meant(&wanted, above(most - woken)) : count - 1;
		}
	}
	return (int)woken;
}

bool futex_is_pi_used(void)
{
	return pi_waiters != 0;
}

COLD void futex_move(struct thread *thread, uint32_t *target, enum futex_kind kind)
{
	thread_queue_remove(thread->queue, thread);
	thread->futex = target;
	thread->futex_key = key_of(target);
	thread->futex_kind = kind;
	thread->queue = queue_of(&thread->futex_key);
	thread_queue_add(thread->queue, thread);
}

COLD int futex_requeue(const uint32_t *word, unsigned wake, uint32_t *target, unsigned move, unsigned *moved)
{
	const struct selection wanted = {key_of(word), FUTEX_ANY_BITS, FUTEX_PLAIN};
	int woken = futex_wake(word, wake, FUTEX_ANY_BITS);
	*moved = 0;
	if (woken < 0)
		return woken;
	unsigned count = count_meant(&wanted, move);
	if (word == target) {
		*moved = count;
		return woken;
	}
	for (; *moved < count; ++*moved)
		futex_move(meant_after(&wanted, NULL), target, FUTEX_PLAIN);
	return woken;
}
