/* SPDX-License-Identifier: MIT */
/* What a guest says is checked, although its monitor has checked it, too: that one has met the guest. For the same
 * reason nothing here waits for it. */
#include "search/search_guest.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "abi/doorbell.h"
#include "abi/sched_reads.h"
#include "search/search_stop.h"

/* A batch takes about this long: long against a doorbell, short against a user's patience. */
#define BATCH_NS 100000000UL
#define BATCH_FIRST 1 /* tries may be slow, and one that is not complete at the end of --time is lost */

uint64_t search_guest_messages(const struct try_result *result)
{
	return result->end == END_DEADLOCK ? 0 : result->output[1] ^ result->output[0] << 1;
}

uint64_t search_guest_now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000UL + (uint64_t)now.tv_nsec;
}

int search_guest_start(struct search_guest *guest, const struct search_option *option, int input, const sigset_t *mask)
{
	int down[2], up[2];
	if (!guest->results && !(guest->results = calloc(TRIES_BATCH, sizeof(*guest->results))))
		return -ENOMEM;
	if (!guest->pairs && !(guest->pairs = calloc(TRIES_PAIRS, sizeof(*guest->pairs))))
		return -ENOMEM;
	if (!guest->plans && !(guest->plans = calloc(TRIES_BATCH, sizeof(*guest->plans))))
		return -ENOMEM;
	if (!guest->uses && !(guest->uses = calloc(TRIES_PLANS, sizeof(*guest->uses))))
		return -ENOMEM;
	if (pipe2(down, O_CLOEXEC))
		return -errno;
	if (pipe2(up, O_CLOEXEC)) {
		const int error = errno;
		close(down[0]);
		close(down[1]);
		return -error;
	}
	guest->to = down[1];
	guest->from = up[0];
	fcntl(guest->to, F_SETFL, O_NONBLOCK);
	fcntl(guest->from, F_SETFL, O_NONBLOCK);
	const struct tries_channel channel = {down[0], up[1]};
	int result = search_slot_start_guest(&guest->slot, option, &channel, input, mask);
	close(down[0]);
	close(up[1]);
	if (result) {
		guest->slot.child = 0;
		close(guest->to);
		close(guest->from);
		return result;
	}
	guest->is_ready = guest->is_late = guest->is_watched = false;
	guest->now_ns = search_guest_now_ns();
	guest->count = guest->result_count = guest->said = 0;
	guest->size = BATCH_FIRST;
	return 0;
}

/* A batch, too large for a stack. */
static struct {
	struct try_request requests[TRIES_BATCH];
	uint64_t counts[TRIES_COUNTS];
	struct sched_plan plans[TRIES_PLANS];
	uint64_t count, count_of_counts, count_of_plans;
} batch;

/* Adds a try to the batch. Returns whether its counts and its plan fit. */
static bool add_request(uint64_t number, const struct sched_config *config)
{
	const bool is_near = config->boot.policy == SCHED_near;
	const uint64_t more = !is_near && config->counts ? config->boot.counts : 0,
		       plan = is_near ? config->boot.counts : 0;
	if (more > TRIES_COUNTS - batch.count_of_counts || plan > TRIES_PLANS - batch.count_of_plans)
		return false;
	batch.requests[batch.count++] =
		(struct try_request){number, is_near ? batch.count_of_plans : batch.count_of_counts, config->boot};
	if (more)
		memcpy(&batch.counts[batch.count_of_counts], config->counts, more * sizeof(batch.counts[0]));
	if (plan)
		memcpy(&batch.plans[batch.count_of_plans], config->plan, plan * sizeof(batch.plans[0]));
	batch.count_of_counts += more;
	batch.count_of_plans += plan;
	return true;
}

/* Fills the batch with as many tries as fit. */
static void fill_batch(struct search_guest *guest, search_guest_schedule *schedule, const void *context, uint64_t first,
                       uint64_t count)
{
	bool fits = true;
	batch.count = batch.count_of_counts = batch.count_of_plans = 0;
	while (fits && batch.count < count) {
		struct sched_config config;
		const uint64_t before = batch.count_of_plans, at = batch.count;
		schedule(context, first + at, &config);
		fits = add_request(first + at, &config);
		guest->plans[at] = (uint32_t)(batch.count_of_plans - before);
		free(config.counts);
	}
}

void search_guest_send(struct search_guest *guest)
{
	ssize_t put = 0;
	while (guest->sent < guest->unsent_bytes && put >= 0) {
		put = write(guest->to, guest->unsent + guest->sent, guest->unsent_bytes - guest->sent);
		guest->sent += put > 0 ? (size_t)put : 0;
	}
	if (put < 0 && errno == EAGAIN)
		return;
	free(guest->unsent);
	guest->unsent = NULL;
}

int search_guest_give(struct search_guest *guest, search_guest_schedule *schedule, const void *context, uint64_t first,
                      uint64_t count)
{
	fill_batch(guest, schedule, context, first, count);
	const uint64_t head[2] = {batch.count, batch.count_of_counts};
	const struct {
		const void *from;
		size_t bytes;
	} parts[] = {{head, sizeof(head)},
	             {batch.requests, batch.count * sizeof(batch.requests[0])},
	             {batch.counts, batch.count_of_counts * sizeof(batch.counts[0])},
	             {batch.plans, batch.count_of_plans * sizeof(batch.plans[0])}};
	free(guest->unsent);
	guest->unsent_bytes = 0;
	for (unsigned i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		guest->unsent_bytes += parts[i].bytes;
	guest->unsent = malloc(guest->unsent_bytes);
	if (!guest->unsent)
		return -ENOMEM;
	for (size_t i = 0, at = 0; i < sizeof(parts) / sizeof(parts[0]); at += parts[i++].bytes)
		memcpy(guest->unsent + at, parts[i].from, parts[i].bytes);
	guest->first = first;
	guest->count = batch.count;
	guest->result_count = guest->sent = 0;
	guest->now_ns = search_guest_now_ns();
	guest->is_watched = false;
	search_guest_send(guest);
	return 0;
}

/* Ends what belongs to a child that has ended, or is to. */
static int finish(struct search_guest *guest)
{
	close(guest->to);
	close(guest->from);
	free(guest->unsent);
	guest->unsent = NULL;
	search_stop_reap(guest->slot.child, &guest->slot.status);
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

/* Whether a guest can say that it has made so many tries. After a part of its results, it can only end. */
static bool is_possible(const struct search_guest *guest)
{
	return guest->said_count <= guest->count && !guest->result_count;
}

/* Whether its results can be those of its batch. */
static bool are_possible(const struct search_guest *guest)
{
	for (uint64_t i = 0; i < guest->said_count; i++)
		if (guest->results[i].number != guest->first + i || guest->results[i].pairs > SCHED_PAIRS_LISTED)
			return false;
	return true;
}

/* Where the next byte of a message belongs. Sets *wanted to the bytes that are missing there; 0: it is complete. */
static uint8_t *next_place(struct search_guest *guest, size_t *wanted)
{
	const size_t head = sizeof(guest->said_count);
	size_t at = guest->said, results = 0, pairs = 0, plans = 0;
	if (at < head) {
		*wanted = head - at;
		return (uint8_t *)&guest->said_count + at;
	}
	at -= head;
	results = guest->said_count * sizeof(guest->results[0]);
	if (at < results) {
		*wanted = results - at;
		return (uint8_t *)guest->results + at;
	}
	at -= results;
	for (uint64_t i = 0; i < guest->said_count; i++)
		pairs += guest->results[i].pairs * sizeof(guest->pairs[0]);
	if (at < pairs) {
		*wanted = pairs - at;
		return (uint8_t *)guest->pairs + at;
	}
	at -= pairs;
	for (uint64_t i = 0; i < guest->said_count; i++)
		plans += guest->plans[i];
	*wanted = plans - at;
	return guest->uses + at;
}

/* Reads what there is of a message: a count, as many results, their pairs and uses. Returns 0 when it is complete,
 * -EAGAIN, -ENODATA at the end, or -EPROTO. */
static int hear(struct search_guest *guest)
{
	const size_t head = sizeof(guest->said_count);
	for (;;) {
		size_t wanted;
		if (guest->said >= head && !is_possible(guest))
			return -EPROTO;
		const size_t results = guest->said < head ? 0 : guest->said_count * sizeof(guest->results[0]);
		if (guest->said >= head && guest->said == head + results && !are_possible(guest))
			return -EPROTO;
		uint8_t *to = next_place(guest, &wanted);
		if (!wanted)
			return 0;
		const ssize_t got = read(guest->from, to, wanted);
		if (got < 0 && errno == EAGAIN)
			return -EAGAIN;
		if (got <= 0)
			return -ENODATA;
		guest->said += (size_t)got;
	}
}

int search_guest_take(struct search_guest *guest)
{
	const int result = hear(guest);
	if (result == -ENODATA)
		return finish(guest);
	if (result)
		return result;
	guest->said = 0;
	guest->is_ready = true;
	guest->result_count = guest->said_count;
	if (guest->said_count && guest->said_count == guest->count)
		settle_size(guest);
	return 0;
}

void search_guest_end(struct search_guest *guest)
{
	if (!guest->slot.child)
		return;
	kill(guest->slot.child, SIGTERM);
	finish(guest);
}

void search_guest_end_all(struct search_guest *guests, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (guests[i].slot.child)
			kill(guests[i].slot.child, SIGTERM);
	for (unsigned i = 0; i < count; i++)
		search_guest_end(&guests[i]);
}

struct try_outcome search_guest_outcome(const struct try_result *result)
{
	return (struct try_outcome){.is_complete = TRY_COMPLETE,
	                            .end = result->end == END_EXIT     ? RUN_EXIT
	                                   : result->end == END_SIGNAL ? RUN_SIGNAL
	                                                               : RUN_DEADLOCK,
	                            .status = (int32_t)result->status,
	                            .chain = {result->chain[0], result->chain[1]},
	                            .events = result->events,
	                            .decisions = result->decisions,
	                            .signature = result->signature,
	                            .virtual_ns = result->virtual_ns};
}
