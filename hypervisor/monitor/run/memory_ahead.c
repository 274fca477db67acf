/* SPDX-License-Identifier: MIT */
/* A thread populates huge pages one by one, a few ahead of those in use. */
#include "run/memory_ahead.h"

#include <stddef.h>
#include <sys/mman.h>

#include "abi/layout.h"
#include "abi/stats.h"
#include "base/beside.h"
#include "base/jitter.h"

/* Huge pages to keep ready ahead of use. More would be wasted on programs that end soon. */
#define AHEAD_BLOCKS 3
#define JITTER_BLOCKS 16 /* limit with jitter */

/* How much of the memory that an earlier run used is populated at the start. The thread would reach more than this only
 * after the guest has used it. */
#define EXPECTED_BYTES (32 * BLOCK_SIZE)

/* A run that used no more than this is not served: it would wait for the thread longer than for its memory. */
#define UNSERVED_BYTES BLOCK_SIZE

/* Makes a block present. Returns whether it is. */
static bool make_present(const struct guest_memory *memory, uint64_t at)
{
	uint8_t *block = guest_memory_at(memory, gpa(at), BLOCK_SIZE);
	if (block && memory->ram.file < 0)
		host_memory_touch(block);
	return block && !madvise(block, BLOCK_SIZE, MADV_POPULATE_WRITE); /* Linux 5.14 */
}

static void *populate(void *argument)
{
	struct memory_ahead *ahead = argument;
	pthread_mutex_lock(&ahead->lock);
	while (!ahead->end) {
		uint64_t at = ahead->next;
		if (at >= ahead->want) {
			pthread_cond_wait(&ahead->changed, &ahead->lock);
			continue;
		}
		ahead->next = at + BLOCK_SIZE;
		pthread_mutex_unlock(&ahead->lock);
		jitter_stall();
		const bool is_present = make_present(ahead->memory, at);
		pthread_mutex_lock(&ahead->lock);
		if (!is_present)
			ahead->next = UINT64_MAX;
	}
	pthread_mutex_unlock(&ahead->lock);
	return NULL;
}

static bool start(struct memory_ahead *ahead, const struct guest_memory *memory)
{
	ahead->memory = memory;
	pthread_mutex_init(&ahead->lock, NULL);
	pthread_cond_init(&ahead->changed, NULL);
	ahead->running = beside_start(&ahead->thread, populate, ahead);
	return ahead->running;
}

/* Starts the thread unless it runs. Returns whether it runs. */
static bool is_running(struct memory_ahead *ahead, const struct guest_memory *memory)
{
	if (!ahead->running && !ahead->refused)
		ahead->refused = !start(ahead, memory);
	return ahead->running;
}

/* Asks for the memory [first, up_to). Memory below `first` is in use, so the thread skips it. */
static void want(struct memory_ahead *ahead, uint64_t first, uint64_t up_to)
{
	pthread_mutex_lock(&ahead->lock);
	if (ahead->next < first)
		ahead->next = first;
	if (ahead->want < up_to) {
		ahead->want = up_to;
		pthread_cond_signal(&ahead->changed);
	}
	pthread_mutex_unlock(&ahead->lock);
}

void memory_ahead_expect(struct memory_ahead *ahead, const struct guest_memory *memory, uint64_t low, uint64_t high)
{
	low &= ~(BLOCK_SIZE - 1);
	if (low >= high || high > memory->bytes)
		return;
	ahead->expected = high;
	if (high - low <= UNSERVED_BYTES || !is_running(ahead, memory))
		return;
	want(ahead, low, high - low > EXPECTED_BYTES ? low + EXPECTED_BYTES : high);
}

void memory_ahead_follow(struct memory_ahead *ahead, const struct guest_memory *memory, uint64_t used)
{
	uint64_t first = (used + BLOCK_SIZE - 1) & ~(BLOCK_SIZE - 1),
		 up_to = first + jitter_instead(AHEAD_BLOCKS, JITTER_BLOCKS) * BLOCK_SIZE;
	if (used <= ahead->expected && up_to > ahead->expected)
		up_to = ahead->expected;
	if (first < up_to && used < memory->bytes && is_running(ahead, memory))
		want(ahead, first, up_to);
}

void memory_ahead_follow_guest(struct memory_ahead *ahead, const struct guest_memory *memory)
{
	struct run_stats stats;
	if (!guest_memory_read(memory, gpa(LAYOUT_STATS), &stats, offsetof(struct run_stats, calls)))
		memory_ahead_follow(ahead, memory, stats.frames_low + stats.memory_peak_bytes);
}

void memory_ahead_end(struct memory_ahead *ahead)
{
	if (!ahead->running)
		return;
	pthread_mutex_lock(&ahead->lock);
	ahead->end = true;
	pthread_cond_signal(&ahead->changed);
	pthread_mutex_unlock(&ahead->lock);
	pthread_join(ahead->thread, NULL);
	pthread_cond_destroy(&ahead->changed);
	pthread_mutex_destroy(&ahead->lock);
	ahead->running = false;
}
