/* SPDX-License-Identifier: MIT */
#include "guest/contents_beside.h"

#include "base/beside.h"
#include "base/jitter.h"

#define PIECE_BYTES (1UL << 17) /* what a thread copies at a time */

/* Smaller parts are copied before the second thread wakes. */
#define PART_BYTES (1UL << 19)

static bool is_large(uint64_t bytes)
{
	return bytes >= jitter_instead(PART_BYTES, 2 * PIECE_BYTES);
}

/* Copies pieces until none is left to begin. Called with the lock. */
static void copy_pieces(struct contents_beside *beside)
{
	while (beside->next < beside->bytes) {
		const uint64_t at = beside->next, rest = beside->bytes - at;
		const uint64_t bytes = rest < PIECE_BYTES ? rest : PIECE_BYTES;
		beside->next += bytes;
		pthread_mutex_unlock(&beside->lock);
		jitter_stall();
		guest_contents_copy(beside->contents, beside->address + at, bytes, beside->to + at);
		pthread_mutex_lock(&beside->lock);
		beside->left -= bytes;
		if (!beside->left)
			pthread_cond_signal(&beside->done);
	}
}

static void *help_copy(void *argument)
{
	struct contents_beside *beside = argument;
	pthread_mutex_lock(&beside->lock);
	while (!beside->end) {
		if (beside->next < beside->bytes)
			copy_pieces(beside);
		else
			pthread_cond_wait(&beside->asked, &beside->lock);
	}
	pthread_mutex_unlock(&beside->lock);
	return NULL;
}

/* Starts the thread unless it runs. Returns whether it runs. */
static bool is_copier_running(struct contents_beside *beside)
{
	if (beside->running || beside->refused)
		return beside->running;
	pthread_mutex_init(&beside->lock, NULL);
	pthread_cond_init(&beside->asked, NULL);
	pthread_cond_init(&beside->done, NULL);
	beside->running = beside_start(&beside->thread, help_copy, beside);
	beside->refused = !beside->running;
	return beside->running;
}

bool contents_beside_copy(struct contents_beside *beside, const struct guest_contents *contents, uint64_t address,
                          uint64_t bytes, void *to)
{
	if (!is_large(bytes) || !guest_contents_at(contents, address, bytes) || !is_copier_running(beside))
		return guest_contents_copy(contents, address, bytes, to);
	pthread_mutex_lock(&beside->lock);
	beside->contents = contents;
	beside->address = address;
	beside->bytes = beside->left = bytes;
	beside->to = to;
	beside->next = 0;
	pthread_cond_signal(&beside->asked);
	copy_pieces(beside);
	while (beside->left)
		pthread_cond_wait(&beside->done, &beside->lock);
	pthread_mutex_unlock(&beside->lock);
	return true;
}

void contents_beside_end(struct contents_beside *beside)
{
	if (!beside->running)
		return;
	pthread_mutex_lock(&beside->lock);
	beside->end = true;
	pthread_cond_signal(&beside->asked);
	pthread_mutex_unlock(&beside->lock);
	pthread_join(beside->thread, NULL);
	pthread_cond_destroy(&beside->asked);
	pthread_cond_destroy(&beside->done);
	pthread_mutex_destroy(&beside->lock);
	beside->running = false;
}
