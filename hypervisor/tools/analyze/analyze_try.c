/* SPDX-License-Identifier: MIT */
/* A try is a run in a child (search_try.h). Results are kept by the hash of the plan, so that none is made twice. */
#include "analyze/analyze_try.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "analyze/analyze_edits.h"
#include "analyze/analyze_inside.h"
#include "analyze/analyze_progress.h"
#include "base/array.h"
#include "base/die.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"

#define WORDS_MAX 6

/* A slot, and the try that runs in it. */
struct place {
	struct search_slot *slot;
	struct search_schedule schedule;
	char *words[WORDS_MAX];
	struct analyze_try *made;
	struct timespec began;
	size_t tries; /* that are made together */
};

static void key_of(const struct analyze_try *made, uint64_t key[2])
{
	XXH3_state_t state;
	XXH3_128bits_reset(&state);
	for (unsigned i = 0; made->words[i]; i++)
		XXH3_128bits_update(&state, made->words[i], strlen(made->words[i]) + 1);
	for (size_t i = 0; i < made->plan.count; i++) {
		struct sched_plan entry = made->plan.entries[i];
		entry.use = 0;
		XXH3_128bits_update(&state, &entry, sizeof(entry));
	}
	const XXH128_hash_t hash = XXH3_128bits_digest(&state);
	key[0] = hash.low64;
	key[1] = hash.high64;
}

static const struct try_note *find(const struct analyze *analyze, const uint64_t key[2])
{
	for (size_t i = 0; i < analyze->note_count; i++)
		if (!memcmp(analyze->notes[i].key, key, sizeof(analyze->notes[i].key)))
			return &analyze->notes[i];
	return NULL;
}

static void note(struct analyze *analyze, struct analyze_try *made)
{
	struct try_note new = {.step = made->step,
	                       .distance = made->distance,
	                       .edits = ANALYZE_EDITS_UNKNOWN,
	                       .result = made->result,
	                       .is_vain = made->is_vain};
	key_of(made, new.key);
	new.end = text_copy(made->outcome.end);
	memory_check(array_reserve(analyze->notes, analyze->note_room, analyze->note_count + 1));
	if (made->is_taken)
		analyze_edits_keep(analyze, &new, &made->taken);
	analyze->notes[analyze->note_count++] = new;
}

/* Sets the options of a try. Policy near starts where it does in guests. Returns their number. */
static int set_words(const struct analyze *analyze, struct place *place, const struct analyze_try *made)
{
	static char near[] = "--sched=near";
	int count = 0;
	for (; made->words[count]; count++)
		place->words[count] = made->words[count];
	if (!count)
		place->words[count++] = near;
	if (analyze->from && !strncmp(place->words[0], near, strlen(near)))
		place->words[count++] = analyze->from;
	return count;
}

static void start(struct analyze *analyze, struct place *place, struct analyze_try *made)
{
	place->made = made;
	place->schedule = (struct search_schedule){.words = place->words,
	                                           .word_count = set_words(analyze, place, made),
	                                           .plan = made->plan.entries,
	                                           .plan_count = made->plan.count,
	                                           .records = made->records || analyze->option.html,
	                                           .looked = made->looked};
	place->slot->schedule = &place->schedule;
	clock_gettime(CLOCK_MONOTONIC, &place->began);
	if (search_slot_start(place->slot, &analyze->option.runs, made->is_first ? 1 : 2, 0, analyze->input,
	                      &analyze->mask)) {
		place->made = NULL;
		error_set(&analyze->error, EAGAIN, "cannot start a process; give a smaller --jobs");
	}
}

/* Reads a file of a slot. The caller frees the text, which has a NUL behind. */
static char *read_text(int fd)
{
	const off_t bytes = lseek(fd, 0, SEEK_END);
	char *text = bytes < 0 ? NULL : malloc((size_t)bytes + 1);
	if (!text || pread(fd, text, (size_t)bytes, 0) != bytes)
		die("out of memory");
	text[bytes] = 0;
	return text;
}

/* Reads the schedule that a slot has recorded. Returns 0, or a negative errno with one line in *error. */
static int read_schedule(struct schedule *schedule, const struct place *place, struct error *error)
{
	int fd = fcntl(place->slot->recorded, F_DUPFD_CLOEXEC, 0);
	FILE *from = fd < 0 ? NULL : fdopen(fd, "r");
	if (!from)
		die("out of memory");
	rewind(from);
	int result = schedule_read(schedule, from, "the schedule of a try", error);
	fclose(from);
	return result;
}

/* Takes the decisions of a try, for the page. */
static void take_decisions(const struct place *place, struct analyze_try *made)
{
	struct schedule schedule = {0};
	struct error error;
	if (made->records)
		made->is_taken = analyze_edits_take(&made->taken, &made->schedule, place->tries);
	else if (!read_schedule(&schedule, place, &error))
		made->is_taken = analyze_edits_take(&made->taken, &schedule, place->tries);
	schedule_free(&schedule);
}

static void take(struct analyze *analyze, struct place *place)
{
	struct analyze_try *made = place->made;
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	place->made = NULL;
	if (analyze_is_stopped(analyze) || search_slot_read(place->slot, &analyze->option.runs, analyze->first_output,
	                                                    &made->outcome, &analyze->error))
		return;
	made->seconds = (double)(now.tv_sec - place->began.tv_sec) + (double)(now.tv_nsec - place->began.tv_nsec) / 1e9;
	made->is_made = true;
	for (size_t i = 0; i < made->plan.count; i++)
		made->is_vain = made->is_vain || made->plan.entries[i].use == SCHED_PLAN_VAIN;
	made->result = !made->outcome.failed                                                      ? TRY_PASSES
	               : !analyze->identity || !strcmp(made->outcome.identity, analyze->identity) ? TRY_FAILS
	                                                                                          : TRY_OTHERWISE;
	if (made->outcome.outcome.end == RUN_TIMEOUT && made->result == TRY_PASSES)
		made->result = TRY_OTHERWISE; /* nobody knows how it would have ended */
	if ((made->records && read_schedule(&made->schedule, place, &analyze->error)) ||
	    !analyze_inside_learn(analyze, made))
		made->is_made = false;
	if (made->is_made && analyze->option.html)
		take_decisions(place, made);
	if (made->looked)
		made->seen = read_text(place->slot->looks);
}

/* Waits until a child ends or a signal arrives. Signals end all tries. */
static void wait_for(struct analyze *analyze, struct place *places, unsigned count)
{
	const struct timespec second = {.tv_sec = 1};
	int status;
	pid_t pid;
	bool any = false;
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		for (unsigned i = 0; i < count; i++) {
			if (!places[i].made || places[i].slot->child != pid)
				continue;
			places[i].slot->status = status;
			take(analyze, &places[i]);
			any = true;
		}
	}
	if (any)
		return;
	int sig = sigtimedwait(&analyze->signals, NULL, &second);
	if (sig <= 0 || sig == SIGCHLD)
		return;
	analyze->signal = sig;
	for (unsigned i = 0; i < count; i++)
		if (places[i].made)
			kill(places[i].slot->child, SIGTERM);
}

/* Takes over what an equal try has shown before. */
static void take_known(const struct analyze *analyze, struct analyze_try *made)
{
	uint64_t key[2];
	key_of(made, key);
	const struct try_note *known = made->records || made->looked ? NULL : find(analyze, key);
	if (!known)
		return;
	made->is_known = true;
	made->result = known->result;
	made->is_vain = known->is_vain;
	made->known_end = known->end;
}

/* Starts the next tries in free places, as far as they were not made before. Returns whether any runs. */
static bool start_some(struct analyze *analyze, struct place *places, unsigned count, struct analyze_try *tries,
                       size_t try_count, size_t *next)
{
	bool any = false;
	for (unsigned i = 0; i < count; i++) {
		while (!places[i].made && *next < try_count && !analyze_is_stopped(analyze)) {
			struct analyze_try *made = &tries[(*next)++];
			if (!made->is_known && !made->is_made)
				start(analyze, &places[i], made);
		}
		any = any || places[i].made;
	}
	return any;
}

bool analyze_try_all(struct analyze *analyze, struct analyze_try *tries, size_t count)
{
	const unsigned jobs = analyze->option.runs.jobs;
	struct place *places = memory_or_die(calloc(jobs, sizeof(*places)));
	size_t next = 0;
	for (unsigned i = 0; i < jobs; i++)
		places[i] = (struct place){.slot = &analyze->slots[i], .tries = count};
	for (size_t i = 0; i < count; i++)
		take_known(analyze, &tries[i]);
	analyze_inside_make(analyze, tries, count);
	while (start_some(analyze, places, jobs, tries, count, &next)) {
		wait_for(analyze, places, jobs);
		analyze_progress_show(analyze);
	}
	for (size_t i = 0; i < count; i++) /* in this order, which does not depend on how long each took */
		if (tries[i].is_made)
			note(analyze, &tries[i]);
	free(places);
	return !analyze_is_stopped(analyze);
}

void analyze_try_fini(struct analyze_try *made)
{
	search_outcome_fini(&made->outcome);
	schedule_free(&made->schedule);
	plan_fini(&made->taken);
	free(made->seen);
	made->seen = NULL;
	made->outcome = (struct search_outcome){0};
}
