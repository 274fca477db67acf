/* SPDX-License-Identifier: MIT */
/* Guests get batches of numbers, and their results wait in a ring until those of all earlier numbers are there. So what
 * is found depends neither on the number of guests nor on their speed.
 *
 * A try in a guest tells how it ended, but has no stacks. The first try of each kind of failure is therefore made again
 * as a process of its own, which also shows that both do the same. */
#include "search/search_inside.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/doorbell.h"
#include "base/array.h"
#include "base/die.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/process_time.h"
#include "base/text.h"
#include "search/search_guest.h"
#include "search/search_stop.h"

/* Numbers that may be ahead of the first one whose result is missing. */
#define AHEAD 65536U

/* Kinds of failures, each of which costs a process: a minute or so in all. */
#define KINDS_MAX 1000U

/* Different outputs, each of which costs a process, after which a search asks whether guests save any. */
#define OUTPUTS_MIN 200U
#define OUTPUTS_SHARE 16U /* a process takes some 16 times as long as a try, and others do not run beside it */

/* Seconds in which a guest must obey a signal to end. */
#define OBEY_S 10

/* A batch takes a tenth of a second. It is late if it takes this many seconds, and then this many of processor time: a
 * thread may wait in a loop without decision points, which only a process leaves soon. (On a busy machine a batch that
 * takes long has little processor time.) So many times, and then all tries are processes. Time decides only who makes a
 * try. */
#define LATE_S 0.5
#define LATE_MAX 4U

enum made { MADE_NOT, MADE_INSIDE, MADE_BY_PROCESS };

/* Failures that end alike: in the same way at the same place, after the same messages. */
struct kind {
	uint32_t end, status;
	uint64_t place, messages;
	uint64_t errors; /* what it wrote to standard error */
	char *stacks, *identity;
	bool stands_for_all; /* other failures at this place are the same, whatever they write: is_near */
};

/* Failures that end alike at the same place, but for what they wrote. Each costs a process, until many of them turn out
 * to be the same failure. */
#define ALIKE_MAX 16U
#define ALIKE_SHARE 8U

/* What a try wrote to a stream, and whether the regular expression for it matches. */
struct output {
	uint64_t hash, bytes;
	bool matches;
};

struct range {
	uint64_t first, count;
};

static struct {
	const struct search_inside *search;
	struct search_guest *guests;
	unsigned guest_count;
	struct pollfd *polled; /* of each guest what it says, and what it is given; then the signals */
	uint8_t made[AHEAD];   /* enum made, by number modulo AHEAD */
	struct try_result results[AHEAD];
	struct kind *kinds;
	size_t kind_count, kind_room;
	struct output *outputs[2]; /* of standard output and standard error: those that were judged */
	size_t output_count[2], output_room[2];
	uint64_t looked_up;  /* tries whose output had to be judged */
	struct range *again; /* tries that a guest which has ended has left, or that had no room in a batch */
	size_t again_count, again_room;
	unsigned late_count; /* batches that were late */
} work;

/* --- results --- */

static _Noreturn void fail(const char *error)
{
	search_guest_end_all(work.guests, work.guest_count);
	work.search->fail(error);
}

/* Makes a try in the slot. Returns false if the search is to stop before it ends. */
static bool make_in_slot(uint64_t number, struct search_outcome *outcome)
{
	struct error error;
	const struct search_inside *search = work.search;
	uint64_t first[2] = {search->first_output[0], search->first_output[1]};
	if (search_slot_start(search->slot, search->option, number, search->option->vary, search->input, search->mask))
		fail("search: cannot start a process; give a smaller --jobs");
	search->slot->ended = search_stop_wait_slot(search->slot, search->option);
	if (!search->slot->ended)
		return false;
	const bool is_read = !search_slot_read(search->slot, search->option, first, outcome, &error);
	if (!is_read && !search_stop_signal()) /* which has ended it as well */
		fail(error.text);
	return is_read;
}

/* Makes a try as a process of its own; `shows`: feedback learns from it. Returns false if the search is to stop before
 * it ends. */
static bool make_process(uint64_t number, bool shows, struct search_outcome *outcome)
{
	const struct search_inside *search = work.search;
	bool is_made = make_in_slot(number, outcome);
	if (is_made && search_slot_is_again(search->slot, outcome))
		is_made = make_in_slot(number, outcome);
	if (is_made && shows)
		search_slot_show(search->slot, search->option);
	search->slot->number = 0;
	return is_made;
}

/* Makes a try in a process, of which the result inside a guest is known. Both must do the same, unless the program does
 * something else each time. Sets whether it repeats. Returns false if the search is to stop before it ends. */
static bool make_again(const struct try_result *inside, struct search_outcome *outcome, bool *repeats)
{
	const struct try_outcome wanted = search_guest_outcome(inside);
	struct search_outcome second;
	uint64_t hash[2], bytes[2];
	struct error error;
	if (!make_process(inside->number, false, outcome))
		return false;
	search_slot_output(work.search->slot, hash, bytes);
	*repeats = try_outcome_is_same(&wanted, &outcome->outcome) && !memcmp(hash, inside->output, sizeof(hash)) &&
	           !memcmp(bytes, inside->output_bytes, sizeof(bytes));
	if (*repeats)
		return true;
	if (!make_process(inside->number, false, &second)) {
		search_outcome_fini(outcome);
		return false;
	}
	const bool is_steady = try_outcome_is_same(&outcome->outcome, &second.outcome);
	search_outcome_fini(&second);
	if (is_steady) {
		error_set(
			&error, 0,
			"search: try %lu does something else in a guest (%lu events, %lu decisions, %lu ns) than in a "
			"process (%lu, %lu, %lu ns), which is a bug of eremite; --processes makes no tries in guests",
			inside->number, wanted.events, wanted.decisions, wanted.virtual_ns, outcome->outcome.events,
			outcome->outcome.decisions, outcome->outcome.virtual_ns);
		fail(error.text);
	}
	return true;
}

static const struct output *find_output(const struct try_result *result, unsigned i)
{
	for (size_t at = 0; at < work.output_count[i]; at++)
		if (work.outputs[i][at].hash == result->output[i] &&
		    work.outputs[i][at].bytes == result->output_bytes[i])
			return &work.outputs[i][at];
	return NULL;
}

/* Whether the output of a try matches a regular expression. Of a try in a guest, only a hash is known: *is_known is
 * false if no try with this output was judged yet. */
static bool output_matches(const struct try_result *result, bool *is_known)
{
	bool matches = false;
	*is_known = true;
	for (unsigned i = 0; i < 2; i++) {
		if (!work.search->option->failures.has_regex[1 + i])
			continue;
		const struct output *output = find_output(result, i);
		matches |= output && output->matches;
		*is_known &= output != NULL;
	}
	return matches;
}

/* Notes how the output of a try was judged, which a process has just written again. */
static void note_output(const struct try_result *result)
{
	const struct search_failures *failures = &work.search->option->failures;
	for (unsigned i = 0; i < 2; i++) {
		if (!failures->has_regex[1 + i] || find_output(result, i))
			continue;
		memory_check(array_reserve(work.outputs[i], work.output_room[i], work.output_count[i] + 1));
		work.outputs[i][work.output_count[i]++] =
			(struct output){result->output[i], result->output_bytes[i],
		                        search_slot_matches(work.search->slot, failures, 1 + i)};
	}
}

/* Whether so many tries write something new that guests save nothing. */
static bool has_many_outputs(void)
{
	const size_t count = work.output_count[0] + work.output_count[1];
	return count > OUTPUTS_MIN && count > work.looked_up / OUTPUTS_SHARE;
}

static bool has_failed(const struct try_result *result, struct search_outcome *outcome, bool *is_known)
{
	const struct search_failures *failures = &work.search->option->failures;
	const uint64_t *first = work.search->first_output;
	bool has_other = failures->output && (result->output[0] != first[0] || result->output_bytes[0] != first[1]);
	*outcome = (struct search_outcome){.outcome = search_guest_outcome(result)};
	search_outcome_judge(outcome, failures, output_matches(result, is_known) || has_other);
	return outcome->failed;
}

/* Whether a failure is of a kind but for what it wrote. A signal mostly comes after a message, which still counts. */
static bool is_near(const struct kind *kind, const struct kind *like)
{
	return kind->end == like->end && kind->status == like->status && kind->place == like->place &&
	       (kind->end == END_EXIT || kind->errors == like->errors);
}

/* Whether what failures of a kind have written tells them apart so rarely that no more processes look at it. */
static bool is_known_well(const struct kind *like)
{
	size_t count = 0, different = 0;
	for (size_t i = 0; i < work.kind_count; i++) {
		const struct kind *kind = &work.kinds[i];
		bool is_new = true;
		if (!is_near(kind, like))
			continue;
		for (size_t j = 0; j < i && is_new; j++)
			is_new = strcmp(work.kinds[j].identity, kind->identity);
		count++;
		different += is_new;
	}
	return count >= ALIKE_MAX && count >= ALIKE_SHARE * different;
}

static struct kind kind_like(const struct try_result *result)
{
	return (struct kind){.end = result->end,
	                     .status = result->status,
	                     .place = result->place,
	                     .messages = search_guest_messages(result),
	                     .errors = result->output[1]};
}

/* The kind of a failure; NULL: a new one. Beyond KINDS_MAX, one that ends in the same way must do, unless --fail-by
 * says what tells them apart. */
static const struct kind *kind_of(const struct try_result *result)
{
	const struct kind like = kind_like(result), *alike = NULL, *near = NULL;
	for (size_t i = 0; i < work.kind_count; i++) {
		const struct kind *kind = &work.kinds[i];
		if (kind->end != like.end || kind->status != like.status)
			continue;
		if (kind->place == like.place && kind->messages == like.messages)
			return kind;
		near = is_near(kind, &like) ? kind : near;
		alike = kind;
	}
	if (near && near->stands_for_all)
		return near;
	return work.kind_count < KINDS_MAX || work.search->option->fail_by.has_regex ? NULL : alike;
}

static void note_kind(const struct try_result *result, const struct search_outcome *outcome)
{
	memory_check(array_reserve(work.kinds, work.kind_room, work.kind_count + 1));
	struct kind *last = &work.kinds[work.kind_count++];
	*last = kind_like(result);
	last->stacks = text_of("%s", outcome->stacks);
	last->identity = text_of("%s", outcome->identity);
	last->stands_for_all = !work.search->option->fail_by.has_regex && is_known_well(last);
}

static void add(uint64_t number, struct search_outcome *outcome, bool is_made_again, bool repeats)
{
	struct search_results *results = work.search->results;
	size_t before = results->distinct_count;
	results->inside += work.made[number % AHEAD] == MADE_INSIDE;
	search_results_add(results, work.search->option, number, outcome);
	if (results->distinct_count > before && is_made_again)
		results->distinct[before].repeats = repeats ? REPEATS : REPEATS_NOT;
}

/* Adds a result of a guest. Returns false if a process is needed for it, and the search is to stop before. */
static bool add_inside(const struct try_result *result)
{
	struct search_outcome outcome;
	bool is_known, repeats;
	const bool failed = has_failed(result, &outcome, &is_known),
		   needs_process = !is_known || work.search->option->checks;
	const struct kind *kind = failed && !needs_process ? kind_of(result) : NULL;
	work.looked_up++;
	if (kind) {
		outcome.stacks = text_of("%s", kind->stacks);
		outcome.identity = text_of("%s", kind->identity);
	}
	if (kind || (!failed && !needs_process)) {
		add(result->number, &outcome, false, false);
		return true;
	}
	search_outcome_fini(&outcome);
	if (!make_again(result, &outcome, &repeats))
		return false;
	if (repeats) {
		note_output(result);
		if (outcome.failed && !kind_of(result))
			note_kind(result, &outcome);
	}
	add(result->number, &outcome, true, repeats);
	return true;
}

/* Takes results as far as all earlier ones are there. */
static void take_all(void)
{
	struct search_results *results = work.search->results;
	for (;;) {
		uint64_t number = results->tries + 1;
		uint8_t *made = &work.made[number % AHEAD];
		struct search_outcome outcome;
		if (*made == MADE_NOT || search_stop_is_due() || work.search->is_enough())
			return;
		if (*made == MADE_INSIDE) {
			if (!add_inside(&work.results[number % AHEAD]))
				return;
		} else {
			if (!make_process(number, true, &outcome))
				return;
			add(number, &outcome, false, false);
		}
		*made = MADE_NOT;
	}
}

/* --- guests --- */

/* Chooses the next tries: those that were left come first. */
static struct range next_range(uint64_t most)
{
	const struct search_inside *search = work.search;
	if (work.again_count) {
		struct range *last = &work.again[work.again_count - 1], range = *last;
		if (range.count > most) {
			range.count = most;
			last->first += most;
			last->count -= most;
		} else {
			work.again_count--;
		}
		return range;
	}
	if (!search->may_start())
		return (struct range){0, 0};
	uint64_t left = search->option->runs - *search->started;
	uint64_t room = search->results->tries + AHEAD - *search->started;
	if (search->option->feedback) {
		const uint64_t planned = search_feedback_limit(search->option->feedback) - *search->started;
		const uint64_t part = (SEARCH_GENERATION + search->option->jobs - 1) / search->option->jobs;
		room = planned < room ? planned : room;
		room = part < room ? part : room; /* so that all guests have something to do */
	}
	struct range range = {*search->started + 1, most < left ? most : left};
	if (range.count > room)
		range.count = room;
	*search->started += range.count;
	return range;
}

/* Notes tries that another batch is to make. */
static void leave(uint64_t first, uint64_t count)
{
	if (!count)
		return;
	memory_check(array_reserve(work.again, work.again_room, work.again_count + 1));
	work.again[work.again_count++] = (struct range){first, count};
}

static void schedule_of(const void *context, uint64_t number, struct sched_config *config)
{
	search_try_schedule(context, number, config);
}

static void give(struct search_guest *guest)
{
	if (!guest->slot.child || !guest->is_ready || guest->count)
		return;
	struct range range = next_range(guest->size);
	if (!range.count)
		return;
	if (search_guest_give(guest, schedule_of, work.search->option, range.first, range.count))
		fail("out of memory");
	leave(range.first + guest->count, range.count - guest->count);
}

static void keep_results(struct search_guest *guest)
{
	const uint64_t *pairs = guest->pairs;
	for (uint64_t i = 0; i < guest->result_count; i++) {
		const struct try_result *result = &guest->results[i];
		uint64_t number = guest->first + i;
		work.results[number % AHEAD] = *result;
		work.made[number % AHEAD] = MADE_INSIDE;
		if (work.search->option->feedback)
			search_feedback_show(work.search->option->feedback, number, result->signature, pairs,
			                     result->pairs);
		pairs += result->pairs;
	}
}

/* A guest has ended. The try that it was making is made by a process of its own, and the others of its batch by another
 * guest. Returns whether a guest can go on. */
static bool bury(struct search_guest *guest)
{
	uint64_t left = guest->count - guest->result_count, first = guest->first + guest->result_count;
	if (left) {
		work.made[first % AHEAD] = MADE_BY_PROCESS;
		leave(first + 1, left - 1);
	}
	guest->count = guest->result_count = 0;
	return guest->is_ready &&
	       !search_guest_start(guest, work.search->option, work.search->input, work.search->mask);
}

/* Takes what a guest says. Returns whether it, or another in its place, goes on. */
static bool take(struct search_guest *guest)
{
	int result = search_guest_take(guest);
	if (result == -EAGAIN)
		return true;
	if (result < 0)
		fail("search: the process of a guest says something impossible");
	if (result > 0)
		return bury(guest);
	keep_results(guest);
	if (guest->result_count == guest->count)
		guest->count = guest->result_count = 0;
	return true;
}

/* Whether a batch that has taken LATE_S goes on to use as much processor time. Where the system does not say, it does.
 */
static bool uses_much(struct search_guest *guest)
{
	const double used = process_time_with_descendants(guest->slot.child);
	if (!guest->is_watched) {
		guest->is_watched = true;
		guest->used_before = used;
	}
	return used < 0 || used - guest->used_before >= LATE_S;
}

/* Ends a guest that does not reach the point, or in which a batch is late; its channel then ends. */
static void limit(struct search_guest *guest)
{
	const double timeout_s = work.search->option->timeout_s,
		     seconds = (double)(search_guest_now_ns() - guest->now_ns) / 1e9;
	const bool is_awaited = guest->count || !guest->is_ready;
	if (!guest->slot.child || !is_awaited)
		return;
	if (guest->is_late) {
		kill(guest->slot.child, seconds > guest->late_after + OBEY_S ? SIGKILL : SIGTERM);
		return;
	}
	if (seconds <= timeout_s && !(guest->is_ready && seconds > LATE_S && uses_much(guest)))
		return;
	work.late_count++;
	guest->is_late = true;
	guest->late_after = seconds;
	kill(guest->slot.child, SIGTERM);
}

/* Waits until a guest says something, or the search is to stop. Returns whether the guests go on. */
static bool wait_for_guests(void)
{
	bool goes_on = true;
	for (unsigned i = 0; i < work.guest_count; i++) {
		const struct search_guest *guest = &work.guests[i];
		work.polled[2 * i] = (struct pollfd){.fd = guest->slot.child ? guest->from : -1, .events = POLLIN};
		work.polled[2 * i + 1] =
			(struct pollfd){.fd = guest->slot.child && guest->unsent ? guest->to : -1, .events = POLLOUT};
	}
	work.polled[2 * work.guest_count] = (struct pollfd){.fd = search_stop_fd(), .events = POLLIN};
	if (poll(work.polled, 2 * work.guest_count + 1, search_stop_wait_ms()) < 0 && errno != EINTR)
		die("search: cannot wait for guests: %s", strerror(errno));
	for (unsigned i = 0; i < work.guest_count; i++) {
		if (work.polled[2 * i + 1].revents)
			search_guest_send(&work.guests[i]);
		if (work.polled[2 * i].revents)
			goes_on = take(&work.guests[i]) && goes_on;
		limit(&work.guests[i]);
	}
	return goes_on;
}

static bool is_busy(void)
{
	for (unsigned i = 0; i < work.guest_count; i++)
		if (work.guests[i].slot.child && (work.guests[i].count || !work.guests[i].is_ready))
			return true;
	return work.again_count > 0;
}

static void open_guests(void)
{
	const struct search_option *option = work.search->option;
	work.guest_count = option->jobs;
	work.guests = memory_or_die(calloc(work.guest_count, sizeof(*work.guests)));
	work.polled = memory_or_die(calloc(2UL * work.guest_count + 1, sizeof(*work.polled)));
	for (unsigned i = 0; i < work.guest_count; i++)
		if (search_slot_open(&work.guests[i].slot) ||
		    search_guest_start(&work.guests[i], option, work.search->input, work.search->mask))
			fail("search: cannot start a process; give a smaller --jobs");
}

int search_inside(const struct search_inside *search, struct error *error)
{
	bool goes_on = true;
	work.search = search;
	const sighandler_t pipe_before = signal(SIGPIPE, SIG_IGN); /* a guest may end while it is given a batch */
	open_guests();
	while (goes_on && !has_many_outputs() && work.late_count < LATE_MAX && !search_stop_is_due() &&
	       !search->is_enough() && is_busy()) {
		goes_on = wait_for_guests();
		take_all();
		for (unsigned i = 0; i < work.guest_count && goes_on; i++)
			give(&work.guests[i]);
		search->on_progress();
	}
	if (!goes_on) {
		char *said = search_slot_last_line(&work.guests[0].slot);
		error_set(error, 0, "%s", said ? said : "a guest cannot make tries");
		free(said);
	}
	search_guest_end_all(work.guests, work.guest_count);
	signal(SIGPIPE, pipe_before);
	*search->started = search->results->tries;
	if (goes_on && has_many_outputs()) {
		error_set(error, 0,
		          "too many tries write what no other has written, and --fail-on has a regular expression");
		goes_on = false;
	} else if (goes_on && work.late_count >= LATE_MAX) {
		error_set(error, 0, "tries in guests take long: a thread may wait in a loop without decision points");
		goes_on = false;
	}
	return goes_on ? 0 : -1;
}
