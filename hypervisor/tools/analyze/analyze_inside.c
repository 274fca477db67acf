/* SPDX-License-Identifier: MIT */
/* A try in a guest is the run of a process with the same plan and --from: with the same events, decisions and output.
 * It tells no stacks, so the first one that ends in a new way is made again as a process, which has to do the same. */
#include "analyze/analyze_inside.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "abi/doorbell.h"
#include "analyze/analyze_progress.h"
#include "base/array.h"
#include "base/die.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/value.h"
#include "guest/program.h"
#include "sched/sched_option.h"
#include "search/search_guest.h"

#define KINDS_MAX 200U /* each costs a process */
#define WAIT_MS 1000
#define OBEY_S 10

/* Tries that end alike: in the same way at the same place, after the same messages. */
struct kind {
	bool failed;
	uint32_t end, status;
	uint64_t place, messages;
	char *identity;
};

static struct {
	struct search_guest *guests;
	unsigned guest_count;
	bool has_begun, has_failed;
	int signals; /* signalfd */
	struct kind *kinds;
	size_t kind_count, kind_room;
	struct analyze_try **todo; /* of this call: tries that guests are to make */
	size_t count, next, left;  /* left: without a result */
} work = {.signals = -1};

/* --- which --- */

/* A native image has a kernel of its own, perhaps of an older version, which knows no plans of tries. Its processes
 * start in a millisecond or two. */
void analyze_inside_choose(struct analyze *analyze)
{
	struct search_option *runs = &analyze->option.runs;
	const char *given = analyze->option.sched[2] ? strchr(analyze->option.sched[2], '=') + 1 : NULL;
	const struct search_failures *failures = &runs->failures;
	if (analyze->option.html || failures->has_regex[1] || failures->has_regex[2] ||
	    !strcmp(analyze->end, "timeout") || program_kind(runs->program[0]) == PROGRAM_IMAGE)
		return;
	runs->from = given ? given : search_option_is_own(runs) ? "main" : "start";
	if (strcmp(runs->from, "start"))
		analyze->from = text_of("--from=%s", runs->from);
}

/* Whether a guest can make it: it has no schedule of its own, and only its end is wanted. */
static bool can_make(const struct analyze_try *made)
{
	const bool is_near = !made->words[0] || !strncmp(made->words[0], "--sched=near", strlen("--sched=near"));
	return is_near && !made->records && !made->looked && !made->is_first && !made->is_known &&
	       made->plan.count <= TRIES_PLANS;
}

/* The schedule of the try that is number `number` of the list, from 1. */
static void schedule_of(const void *context, uint64_t number, struct sched_config *config)
{
	struct analyze_try *const *list = context;
	const struct analyze_try *made = list[number - 1];
	struct error error;
	*config = (struct sched_config){0};
	if (sched_option_parse(made->words[0] ? made->words[0] + strlen("--sched=") : "near", config, &error))
		die("analyze: %s", error.text);
	if (made->words[0] && made->words[1] &&
	    value_number(made->words[1] + strlen("--sched-seed="), &config->boot.seed))
		die("analyze: the seed %s is no number", made->words[1]);
	config->plan = made->plan.entries;
	config->boot.counts = made->plan.count;
}

/* --- what a guest tells --- */

static struct kind *find_kind(const struct try_result *result, bool failed)
{
	for (size_t i = 0; i < work.kind_count; i++) {
		struct kind *kind = &work.kinds[i];
		const bool is_same = kind->end == result->end && kind->status == result->status &&
		                     kind->place == result->place && kind->messages == search_guest_messages(result);
		if (kind->failed == failed && (!failed || is_same))
			return kind;
	}
	return NULL;
}

/* Takes a result, if a process has shown before what ends so is. */
static void take_result(struct analyze *analyze, struct analyze_try *made, const struct try_result *result,
                        const uint8_t *uses)
{
	const struct search_failures *failures = &analyze->option.runs.failures;
	const bool has_other = failures->output && (result->output[0] != analyze->first_output[0] ||
	                                            result->output_bytes[0] != analyze->first_output[1]);
	struct search_outcome outcome = {.outcome = search_guest_outcome(result)};
	search_outcome_judge(&outcome, failures, has_other);
	const struct kind *kind = find_kind(result, outcome.failed);
	made->was_inside = true;
	made->inside = *result;
	if (!kind) {
		search_outcome_fini(&outcome);
		return;
	}
	for (size_t i = 0; i < made->plan.count; i++) {
		made->plan.entries[i].use = uses[i];
		made->is_vain = made->is_vain || uses[i] == SCHED_PLAN_VAIN;
	}
	made->outcome = outcome;
	made->outcome.identity = text_of("%s", kind->identity);
	made->is_made = true;
	made->result = !outcome.failed                              ? TRY_PASSES
	               : !strcmp(kind->identity, analyze->identity) ? TRY_FAILS
	                                                            : TRY_OTHERWISE;
}

bool analyze_inside_learn(struct analyze *analyze, const struct analyze_try *made)
{
	const struct try_result *inside = &made->inside;
	const struct try_outcome wanted = search_guest_outcome(inside), *did = &made->outcome.outcome;
	if (!made->was_inside || find_kind(inside, made->outcome.failed) || work.kind_count == KINDS_MAX)
		return true;
	if (!try_outcome_is_same(&wanted, did)) {
		error_set(&analyze->error, 0,
		          "a try does something else in a guest (%lu events, %lu decisions, %lu ns) than in a process "
		          "(%lu, %lu, %lu ns), which is a bug of eremite",
		          wanted.events, wanted.decisions, wanted.virtual_ns, did->events, did->decisions,
		          did->virtual_ns);
		return false;
	}
	memory_check(array_reserve(work.kinds, work.kind_room, work.kind_count + 1));
	work.kinds[work.kind_count++] = (struct kind){.failed = made->outcome.failed,
	                                              .end = inside->end,
	                                              .status = inside->status,
	                                              .place = inside->place,
	                                              .messages = search_guest_messages(inside),
	                                              .identity = text_of("%s", made->outcome.identity)};
	return true;
}

/* --- guests --- */

void analyze_inside_end(void)
{
	search_guest_end_all(work.guests, work.guest_count);
	work.guest_count = 0;
	work.has_begun = false;
}

static void start_guest(const struct analyze *analyze, struct search_guest *guest)
{
	if (search_guest_start(guest, &analyze->option.runs, analyze->input, &analyze->mask))
		work.has_failed = true;
}

static void begin(const struct analyze *analyze)
{
	work.has_begun = true;
	work.signals = signalfd(-1, &analyze->signals, SFD_CLOEXEC | SFD_NONBLOCK);
	work.guests = memory_or_die(calloc(analyze->option.runs.jobs, sizeof(*work.guests)));
	memory_check(work.signals >= 0);
	for (unsigned i = 0; i < analyze->option.runs.jobs && !work.has_failed; i++) {
		if (search_slot_open(&work.guests[i].slot))
			work.has_failed = true;
		else
			start_guest(analyze, &work.guests[i]);
		work.guest_count += !work.has_failed;
	}
}

/* Gives a guest its share of what is left. */
static void give(struct search_guest *guest)
{
	const size_t left = work.count - work.next, share = (left + work.guest_count - 1) / work.guest_count;
	const uint64_t most = share < guest->size ? share : guest->size;
	if (!guest->slot.child || !guest->is_ready || guest->count || !left)
		return;
	memory_check(!search_guest_give(guest, schedule_of, work.todo, work.next + 1, most));
	work.next += guest->count;
}

static void take_batch(struct analyze *analyze, struct search_guest *guest)
{
	const uint8_t *uses = guest->uses;
	for (uint64_t i = 0; i < guest->result_count; i++) {
		take_result(analyze, work.todo[guest->first - 1 + i], &guest->results[i], uses);
		uses += guest->plans[i];
		work.left--;
	}
	if (guest->result_count == guest->count) /* otherwise it is about to end */
		guest->count = guest->result_count = 0;
}

/* Takes what a guest says. One that has ended in a try leaves this and the rest of its batch to processes. */
static void hear(struct analyze *analyze, struct search_guest *guest)
{
	const int result = search_guest_take(guest);
	if (result == -EAGAIN)
		return;
	if (result < 0)
		die("analyze: the process of a guest says something impossible");
	if (!result) {
		take_batch(analyze, guest);
		return;
	}
	work.left -= guest->count - guest->result_count;
	if (guest->is_ready)
		start_guest(analyze, guest);
	else
		work.has_failed = true; /* it does not reach the point */
}

/* Ends a guest in which a batch takes longer than one try may. */
static void limit(const struct analyze *analyze, struct search_guest *guest)
{
	const double seconds = (double)(search_guest_now_ns() - guest->now_ns) / 1e9, most = analyze->limit_s;
	if (guest->slot.child && (guest->count || !guest->is_ready) && seconds > most)
		kill(guest->slot.child, seconds > most + OBEY_S ? SIGKILL : SIGTERM);
}

static void take_signals(struct analyze *analyze)
{
	struct signalfd_siginfo info;
	while (read(work.signals, &info, sizeof(info)) == sizeof(info))
		if (info.ssi_signo != SIGCHLD)
			analyze->signal = (int)info.ssi_signo;
}

static void wait_for_guests(struct analyze *analyze)
{
	const unsigned count = work.guest_count;
	struct pollfd *polled = memory_or_die(calloc(2UL * count + 1, sizeof(*polled)));
	for (unsigned i = 0; i < count; i++) {
		const struct search_guest *guest = &work.guests[i];
		polled[2 * i] = (struct pollfd){.fd = guest->slot.child ? guest->from : -1, .events = POLLIN};
		polled[2 * i + 1] =
			(struct pollfd){.fd = guest->slot.child && guest->unsent ? guest->to : -1, .events = POLLOUT};
	}
	polled[2UL * count] = (struct pollfd){.fd = work.signals, .events = POLLIN};
	if (poll(polled, 2UL * count + 1, WAIT_MS) < 0 && errno != EINTR)
		die("analyze: cannot wait for guests: %s", strerror(errno));
	take_signals(analyze);
	for (unsigned i = 0; i < count && !analyze->signal; i++) {
		if (polled[2 * i + 1].revents)
			search_guest_send(&work.guests[i]);
		if (polled[2 * i].revents)
			hear(analyze, &work.guests[i]);
		limit(analyze, &work.guests[i]);
	}
	free(polled);
}

void analyze_inside_make(struct analyze *analyze, struct analyze_try *tries, size_t count)
{
	if (!analyze->from || !analyze->identity || work.has_failed)
		return;
	work.count = work.next = 0;
	work.todo = memory_or_die(calloc(count, sizeof(*work.todo)));
	for (size_t i = 0; i < count; i++)
		if (can_make(&tries[i]))
			work.todo[work.count++] = &tries[i];
	work.left = work.count;
	if (work.count && !work.has_begun)
		begin(analyze);
	const sighandler_t before = signal(SIGPIPE, SIG_IGN); /* a guest may end while it is given a batch */
	while (work.left && !work.has_failed && !analyze_is_stopped(analyze)) {
		for (unsigned i = 0; i < work.guest_count; i++)
			give(&work.guests[i]);
		wait_for_guests(analyze);
		analyze_progress_show(analyze);
	}
	signal(SIGPIPE, before);
	if (work.has_failed || analyze_is_stopped(analyze))
		analyze_inside_end();
	free(work.todo);
}
