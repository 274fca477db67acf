/* SPDX-License-Identifier: MIT */
/* What a guest says is checked, although its monitor has checked it, too: that one has met the guest. */
#include "cli/search/search_guest.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/die.h"

/* A batch takes about this long: long against a doorbell, short against a user's patience. */
#define BATCH_NS 100000000UL
#define BATCH_FIRST 4

uint64_t search_guest_now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000UL + (uint64_t)now.tv_nsec;
}

int search_guest_start(struct search_guest *guest, const struct search_option *option, const sigset_t *mask)
{
	int down[2], up[2];
	if (!guest->results && !(guest->results = calloc(TRIES_BATCH, sizeof(*guest->results))))
		return -ENOMEM;
	if (pipe2(down, O_CLOEXEC))
		return -errno;
	if (pipe2(up, O_CLOEXEC)) {
		close(down[0]);
		close(down[1]);
		return -EMFILE;
	}
	guest->to = down[1];
	guest->from = up[0];
	fcntl(guest->to, F_SETFD, FD_CLOEXEC);
	const struct tries_channel channel = {down[0], up[1]};
	int result = search_slot_start_guest(&guest->slot, option, &channel, mask);
	close(down[0]);
	close(up[1]);
	if (result) {
		guest->slot.child = 0;
		close(guest->to);
		close(guest->from);
		return result;
	}
	guest->is_ready = false;
	guest->now_ns = search_guest_now_ns();
	guest->count = guest->result_count = 0;
	guest->size = BATCH_FIRST;
	return 0;
}

static int write_pipe(int fd, const void *from, size_t bytes)
{
	for (size_t done = 0; done < bytes;) {
		ssize_t put = write(fd, (const char *)from + done, bytes - done);
		if (put < 0 && errno != EINTR)
			return -errno;
		done += put > 0 ? (size_t)put : 0;
	}
	return 0;
}

/* A batch, too large for a stack. */
static struct {
	struct try_request requests[TRIES_BATCH];
	uint64_t counts[TRIES_COUNTS];
	uint64_t count, count_of_counts;
} batch;

/* Adds a try to the batch. Returns whether its counts fit. */
static bool add_request(const struct search_option *option, uint64_t number)
{
	struct sched_config config;
	search_try_schedule(option, number, &config);
	const uint64_t more = config.counts ? config.boot.counts : 0;
	const bool fits = more <= TRIES_COUNTS - batch.count_of_counts;
	if (fits) {
		batch.requests[batch.count++] = (struct try_request){number, batch.count_of_counts, config.boot};
		if (more)
			memcpy(&batch.counts[batch.count_of_counts], config.counts, more * sizeof(batch.counts[0]));
		batch.count_of_counts += more;
	}
	free(config.counts);
	return fits;
}

int search_guest_give(struct search_guest *guest, const struct search_option *option, uint64_t first, uint64_t count)
{
	batch.count = batch.count_of_counts = 0;
	while (batch.count < count && add_request(option, first + batch.count))
		;
	guest->first = first;
	guest->count = batch.count;
	guest->result_count = 0;
	guest->now_ns = search_guest_now_ns();
	const uint64_t head[2] = {batch.count, batch.count_of_counts};
	int result = write_pipe(guest->to, head, sizeof(head));
	if (!result)
		result = write_pipe(guest->to, batch.requests, batch.count * sizeof(batch.requests[0]));
	return result ? result : write_pipe(guest->to, batch.counts, batch.count_of_counts * sizeof(batch.counts[0]));
}

/* Returns the number of bytes read, fewer than wanted at the end. */
static size_t read_pipe(int fd, void *to, size_t bytes)
{
	size_t done = 0;
	while (done < bytes) {
		ssize_t got = read(fd, (char *)to + done, bytes - done);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		done += (size_t)got;
	}
	return done;
}

static int wait_end(struct search_guest *guest)
{
	close(guest->to);
	close(guest->from);
	while (waitpid(guest->slot.child, &guest->slot.status, 0) < 0 && errno == EINTR)
		;
	guest->slot.child = 0;
	return 1;
}

/* The next batch takes about BATCH_NS. */
static void settle_size(struct search_guest *guest)
{
	uint64_t took = search_guest_now_ns() - guest->now_ns;
	if (took < BATCH_NS / 2 && guest->size < TRIES_BATCH)
		guest->size *= 2;
	else if (took > BATCH_NS * 2 && guest->size > 1)
		guest->size /= 2;
}

int search_guest_take(struct search_guest *guest)
{
	uint64_t count;
	if (read_pipe(guest->from, &count, sizeof(count)) != sizeof(count))
		return wait_end(guest);
	if (count > guest->count || guest->result_count) /* after a part of its results, a guest can only end */
		return -EPROTO;
	if (read_pipe(guest->from, guest->results, count * sizeof(guest->results[0])) !=
	    count * sizeof(guest->results[0]))
		return wait_end(guest);
	for (uint64_t i = 0; i < count; i++)
		if (guest->results[i].number != guest->first + i)
			return -EPROTO;
	guest->is_ready = true;
	guest->result_count = count;
	if (count && count == guest->count)
		settle_size(guest);
	return 0;
}

void search_guest_end(struct search_guest *guest)
{
	if (!guest->slot.child)
		return;
	kill(guest->slot.child, SIGTERM);
	wait_end(guest);
}
