/* SPDX-License-Identifier: MIT */
/* futex(2): operations, arguments and timeouts. */
#include "kernel/sched/futex.h"

#include <stdbool.h>

#include "abi/errno.h"
#include "abi/linux.h"
#include "kernel/arch/uaccess.h"
#include "kernel/sched/futex_pi.h"
#include "kernel/sched/sched.h"
#include "kernel/sys/sys.h"
#include "kernel/sys/time.h"
#include "kernel/time/timespec.h"
#include "kernel/time/vclock.h"

/** Operations, linux/futex.h. */
enum {
	FUTEX_WAIT = 0,
	FUTEX_WAKE = 1,
	FUTEX_REQUEUE = 3,
	FUTEX_CMP_REQUEUE = 4,
	FUTEX_WAKE_OP = 5,
	FUTEX_LOCK_PI = 6,
	FUTEX_UNLOCK_PI = 7,
	FUTEX_TRYLOCK_PI = 8,
	FUTEX_WAIT_BITSET = 9,
	FUTEX_WAKE_BITSET = 10,
	FUTEX_WAIT_REQUEUE_PI = 11,
	FUTEX_CMP_REQUEUE_PI = 12,
	FUTEX_LOCK_PI2 = 13,
};

#define FUTEX_PRIVATE_FLAG 128
#define FUTEX_CLOCK_REALTIME 256
#define FUTEX_FLAGS (FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME)

static bool operation_waits(int operation)
{
	return operation == FUTEX_WAIT || operation == FUTEX_WAIT_BITSET || operation == FUTEX_WAIT_REQUEUE_PI ||
	       operation == FUTEX_LOCK_PI || operation == FUTEX_LOCK_PI2;
}

/* The deadline of a wait: FUTEX_WAIT takes a duration, the others a time. Returns 0 or a negative errno. */
static int futex_deadline(int operation, bool realtime, const struct linux_timespec *timeout, uint64_t *deadline_ns)
{
	struct linux_timespec ts;
	*deadline_ns = SCHED_FOREVER;
	if (!timeout)
		return 0;
	if (copy_from_user(&ts, timeout, sizeof(ts)))
		return -EFAULT;
	int64_t ns = timespec_to_ns(&ts);
	if (ns < 0)
		return -EINVAL;
	uint64_t now = vclock_now();
	if (operation != FUTEX_WAIT)
		ns = timespec_ns_until(ns, realtime || operation == FUTEX_LOCK_PI ? vclock_realtime()
		                                                                  : (int64_t)vclock_monotonic());
	*deadline_ns = ns > 0 ? now + (uint64_t)ns : 0;
	return 0;
}

static int32_t sign_extend_12(uint32_t bits)
{
	return (int32_t)(bits << 20) >> 20;
}

/* FUTEX_WAKE_OP: changes the second word as `told` says, and compares its old value. */
static int change_word(uint32_t *word, uint32_t told, bool *compares)
{
	int32_t argument = sign_extend_12(told >> 12 & 0xfff), compared = sign_extend_12(told & 0xfff);
	uint32_t operand = told >> 31 ? 1U << (argument & 31) : (uint32_t)argument, old, now;
	if (futex_load(word, &old))
		return -EFAULT;
	switch (told >> 28 & 7) {
	case 0:
		now = operand;
		break;
	case 1:
		now = old + operand;
		break;
	case 2:
		now = old | operand;
		break;
	case 3:
		now = old & ~operand;
		break;
	case 4:
		now = old ^ operand;
		break;
	default:
		return -ENOSYS;
	}
	int32_t was = (int32_t)old;
	const bool results[6] = {was == compared, was != compared, was<compared, was <= compared, was> compared,
	                         was >= compared};
	uint32_t comparison = told >> 24 & 15;
	if (futex_store(word, now))
		return -EFAULT;
	if (comparison >= 6) /* Linux has also changed the word by then */
		return -ENOSYS;
	*compares = results[comparison];
	return 0;
}

/* The maximum number that a call wakes: Linux counts in an int, and compares after each wake-up. */
static unsigned most_of(uint32_t value)
{
	return (int32_t)value > 1 ? value : 1;
}

static long wake_op(uint32_t *word, unsigned most, uint32_t *word2, unsigned most2, uint32_t told)
{
	bool compares;
	int error = change_word(word2, told, &compares);
	if (error)
		return error;
	int woken = futex_wake(word, most, FUTEX_ANY_BITS);
	int woken2 = woken >= 0 && compares ? futex_wake(word2, most2, FUTEX_ANY_BITS) : 0;
	return woken2 < 0 ? woken2 : woken + woken2;
}

static long requeue(uint32_t *word, int wake, uint32_t *target, int move, const uint32_t *expected)
{
	uint32_t now;
	unsigned moved;
	if (wake < 0 || move < 0)
		return -EINVAL;
	if (expected && futex_load(word, &now))
		return -EFAULT;
	if (expected && now != *expected)
		return -EAGAIN;
	int woken = futex_requeue(word, (unsigned)wake, target, (unsigned)move, &moved);
	return woken + (long)moved;
}

static long requeue_pi(uint32_t *word, int wake, uint32_t *target, int move, uint32_t expected)
{
	uint32_t now;
	if (wake != 1 || move < 0 || word == target)
		return -EINVAL;
	if (futex_load(word, &now))
		return -EFAULT;
	return now == expected ? futex_pi_requeue(word, target, (unsigned)move) : -EAGAIN;
}

/* Operations that do not wait. `value2` is in the argument for the timeout. */
static long act(int operation, uint32_t *word, uint32_t value, uint64_t value2, uint32_t *word2, uint32_t value3)
{
	switch (operation) {
	case FUTEX_WAKE:
		return futex_wake(word, most_of(value), FUTEX_ANY_BITS);
	case FUTEX_WAKE_BITSET:
		return value3 ? futex_wake(word, most_of(value), value3) : -EINVAL;
	case FUTEX_REQUEUE:
		return requeue(word, (int)value, word2, (int)value2, NULL);
	case FUTEX_CMP_REQUEUE:
		return requeue(word, (int)value, word2, (int)value2, &value3);
	case FUTEX_WAKE_OP:
		return wake_op(word, most_of(value), word2, most_of((uint32_t)value2), value3);
	case FUTEX_TRYLOCK_PI:
		return futex_pi_lock(word, SCHED_FOREVER, false);
	case FUTEX_UNLOCK_PI:
		return futex_pi_unlock(word);
	case FUTEX_CMP_REQUEUE_PI:
		return requeue_pi(word, (int)value, word2, (int)value2, value3);
	default:
		return -ENOSYS;
	}
}

static bool has_second_word(int operation)
{
	return operation == FUTEX_REQUEUE || operation == FUTEX_CMP_REQUEUE || operation == FUTEX_WAKE_OP ||
	       operation == FUTEX_CMP_REQUEUE_PI || operation == FUTEX_WAIT_REQUEUE_PI;
}

long sys_futex(unsigned int *word, int op, unsigned int value, const struct linux_timespec *timeout,
               unsigned int *word2, unsigned int value3)
{
	int operation = op & ~FUTEX_FLAGS;
	bool realtime = op & FUTEX_CLOCK_REALTIME;
	uint64_t deadline;
	uint32_t there;
	if (realtime && (!operation_waits(operation) || operation == FUTEX_WAIT || operation == FUTEX_LOCK_PI))
		return -ENOSYS;
	if ((uint64_t)word % sizeof(*word) || (has_second_word(operation) && (uint64_t)word2 % sizeof(*word2)))
		return -EINVAL;
	/* For a shared futex, Linux looks up the page. */
	if (!operation_waits(operation) && !(op & FUTEX_PRIVATE_FLAG) &&
	    (futex_load(word, &there) || (has_second_word(operation) && futex_load(word2, &there))))
		return -EFAULT;
	if (!operation_waits(operation))
		return act(operation, word, value, (uint64_t)timeout, word2, value3);
	int error = futex_deadline(operation, realtime, timeout, &deadline);
	if (error)
		return error;
	switch (operation) {
	case FUTEX_WAIT:
		return futex_wait(word, value, deadline, FUTEX_ANY_BITS);
	case FUTEX_WAIT_BITSET:
		return value3 ? futex_wait(word, value, deadline, value3) : -EINVAL;
	case FUTEX_WAIT_REQUEUE_PI:
		return futex_pi_wait_requeue(word, value, deadline, FUTEX_ANY_BITS, word2);
	default: /* FUTEX_LOCK_PI, FUTEX_LOCK_PI2 */
		return futex_pi_lock(word, deadline, true);
	}
}

/* Waits on a condition variable: frees the word of a mutex, wakes one of its waiters, and sleeps, in one step. So no
 * signal can be lost between these steps, before the thread is among the waiters. */
long sys_condition_wait(unsigned int *word, unsigned int *lock, int clock, const struct linux_timespec *moment)
{
	uint64_t deadline;
	uint32_t held;
	if ((uint64_t)word % sizeof(*word) || (uint64_t)lock % sizeof(*lock))
		return -EINVAL;
	int error = futex_deadline(FUTEX_WAIT_BITSET, clock == CLOCK_REALTIME, moment, &deadline);
	if (!error)
		error = futex_load(lock, &held);
	if (!error)
		error = futex_store(lock, 0);
	if (error)
		return error;
	if (held & FUTEX_WAITERS)
		futex_wake(lock, 1, FUTEX_ANY_BITS);
	bool late = vclock_now() >= deadline;
	int result = futex_sleep(word, deadline, FUTEX_ANY_BITS, FUTEX_PLAIN, NULL);
	if (late && result == -ETIMEDOUT)
		sched_yield(); /* otherwise a thread that calls this in a loop takes the mutex again before any other
		                  could */
	return result;
}
