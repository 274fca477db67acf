/* SPDX-License-Identifier: MIT */
/* The first try is under fifo, with all inputs at their defaults: it shows at once that a program fails always, and its
 * output is what --fail-on=output compares. The next tries are under random if later ones learn from them, with the
 * other inputs at their defaults, and these and the first one make it. Later tries use the policies in turn, or as
 * feedback plans, try n with n as its seed, so what it does depends on nothing but its number and --search-seed. */
#include "search/search_try.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "abi/sched_note.h"
#include "abi/sched_reads.h"
#include "base/child.h"
#include "base/clean_text.h"
#include "base/die.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmdline/option_words.h"
#include "sealed/image_text.h"
#include "search/search_pairs.h"
#include "search/shards/search_shard.h"

/* --- the command line of a try --- */

/* Accesses that a try notes for its list, and the share of --time that it may take. Programs that compute have far
 * more; what several threads use, they mostly use in the first of them. */
#define NOTES_MAX (4UL * SCHED_NOTES)
#define TIME_SHARE 8
#define TIME_MIN_S 0.5

static bool makes_list(const struct search_option *option, uint64_t number)
{
	return number <= option->points_tries && !(number == 1 && option->first_is_plain);
}

static bool makes_profile(const struct search_option *option, uint64_t number)
{
	return number > option->points_tries && number <= option->points_tries + option->profile_tries;
}

/* Whether it is one of the first tries, from which others learn. */
static bool is_early(const struct search_option *option, uint64_t number)
{
	return makes_list(option, number) || makes_profile(option, number);
}

double search_try_limit(const struct search_option *option, uint64_t number)
{
	const double share = option->time_s / TIME_SHARE, least = share > TIME_MIN_S ? share : TIME_MIN_S;
	return option->time_s > 0 && is_early(option, number) && least < option->timeout_s ? least : option->timeout_s;
}

uint64_t search_try_awaits(const struct search_option *option, uint64_t number)
{
	const uint64_t points = option->points_tries, all = points + option->profile_tries;
	return number > all ? all : number > points ? points : 0;
}

/* Returns the value of --sched of a try under `feedback`, which is pos with constraints. */
static char *with_reads(const char *policy, const struct search_reads *reads)
{
	struct text_made made;
	FILE *to = text_open(&made);
	const char *parameters = strchr(policy, ':');
	fprintf(to, "pos%s", parameters ? parameters : "");
	if (reads && reads->count) {
		fputs(parameters ? ",reads=" : ":reads=", to);
		search_corpus_print_reads(to, reads);
	}
	return text_close(&made);
}

/* Returns the value of --sched of a try, for the caller to free. */
static char *policy_of(const struct search_option *option, uint64_t number)
{
	const uint64_t early = option->points_tries + option->profile_tries, first = early > 1 ? early : 1;
	if (number == 1)
		return text_of("fifo");
	if (number <= first)
		return text_of("random");
	const uint64_t global = search_shard_number(option, number);
	const struct search_pair_try *pair = option->pairs ? search_pairs_at(option->pairs, global) : NULL;
	if (pair)
		return search_pairs_policy(pair);
	const uint64_t behind = global - first - 1 - (option->pairs ? option->pairs->count : 0);
	uint64_t at = behind % option->policy_count, turn = behind / option->policy_count;
	if (option->feedback) {
		const struct search_plan *plan = search_feedback_plan(option->feedback, number);
		at = plan->member;
		turn = option->shard.shard ? plan->turn * option->shard.shards + option->shard.shard - 1 : plan->turn;
		if (search_option_has_feedback(option->policies[at]))
			return with_reads(option->policies[at], &plan->reads);
	}
	if (search_option_has_feedback(option->policies[at]))
		return with_reads(option->policies[at], NULL);
	return search_profile_policy(option->profile, option->policies[at], (option->seed << 32) + at, turn);
}

static uint64_t seed_of(const struct search_option *option, uint64_t number)
{
	return (option->seed << 32) + search_shard_number(option, number);
}

static void add_from(const struct search_option *option, char ***words, int *count)
{
	if (strcmp(option->from, "start"))
		option_words_append(words, count, text_of("--from=%s", option->from));
}

static void add_program(const struct search_option *option, char ***words, int *count)
{
	static char separator[] = "--";
	option_words_append(words, count, separator);
	for (int i = 0; i < option->program_count; i++)
		option_words_append(words, count, option->program[i]);
}

unsigned search_try_inputs(const struct search_option *option, uint64_t number)
{
	const unsigned sched = 1U << SEARCH_INPUT_sched;
	return number == 1 ? 0 : is_early(option, number) ? option->vary & sched : option->vary;
}

/* Appends the options that give the inputs `vary` of a try their values. */
static void add_inputs(const struct search_option *option, uint64_t number, unsigned vary, char ***words, int *count)
{
	for (unsigned input = 0; input < SEARCH_INPUTS; input++)
		if (input != SEARCH_INPUT_sched && vary & 1U << input)
			option_words_append(
				words, count,
				search_vary_option(input, option->seed, search_shard_number(option, number)));
	if (vary & 1U << SEARCH_INPUT_sched) {
		char *policy = policy_of(option, number);
		option_words_append(words, count, text_of("--sched=%s", policy));
		option_words_append(words, count, text_of("--sched-seed=%lu", seed_of(option, number)));
		free(policy);
	}
	if (vary & 1U << SEARCH_INPUT_sched || (number == 1 && is_early(option, number)))
		add_from(option, words, count);
}

/* Appends the options of a try, the program and its arguments. */
static void add_line(const struct search_option *option, uint64_t number, unsigned vary,
                     const struct search_schedule *special, char ***words, int *count)
{
	for (int i = 0; i < option->run_count; i++)
		option_words_append(words, count, option->run[i]);
	const bool is_plain = special ? special->is_plain : number == 1 && option->first_is_plain;
	if (option->points_tries && !is_plain)
		search_points_words(option->points, makes_list(option, number), option->has_atomics, words, count);
	for (int i = 0; special && i < special->word_count; i++)
		option_words_append(words, count, special->words[i]);
	if (!special) /* its words say all */
		add_inputs(option, number, vary & search_try_inputs(option, number), words, count);
	add_program(option, words, count);
}

void search_try_schedule(const struct search_option *option, uint64_t number, struct sched_config *config)
{
	struct error error;
	char *policy = policy_of(option, number);
	*config = (struct sched_config){0};
	if (sched_option_parse(policy, config, &error))
		die("search: %s", error.text);
	free(policy);
	config->boot.seed = seed_of(option, number);
	config->boot.flags |= option->feedback ? SCHED_FLAG_READS : 0;
}

char *search_try_command(const struct search_option *option, uint64_t number, unsigned vary,
                         const struct search_schedule *special)
{
	static char eremite[] = "eremite", run[] = "run";
	char **words = NULL;
	int count = 0;
	option_words_append(&words, &count, eremite);
	option_words_append(&words, &count, run);
	add_line(option, number, vary, special, &words, &count);
	char *text = image_text_words_utf8(words, (unsigned)count);
	free(words);
	return text;
}

/* --- the child --- */

static void set_schedule(const struct search_slot *slot, const struct search_schedule *special, struct try_run *try)
{
	try->plan = special->plan;
	try->plan_count = special->plan_count;
	try->record_to = special->records ? slot->recorded : -1;
	try->looked = special->looked;
	try->looks = slot->looks;
}

static void set_streams(const struct search_slot *slot, int input, pid_t parent)
{
	char path[40] = "/dev/null";
	child_follow(parent);
	if (input >= 0)
		snprintf(path, sizeof(path), "/proc/self/fd/%d", input); /* with an offset of its own */
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), in = open(path, O_RDONLY | O_CLOEXEC);
	if (null < 0 || in < 0 || dup2(in, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0 ||
	    dup2(slot->messages, STDERR_FILENO) < 0)
		_exit(EXIT_EREMITE);
	close(in);
}

static char title[] = "eremite search", quiet[] = "--quiet";

static _Noreturn void run_here(const struct search_slot *slot, const struct search_option *option)
{
	char **words = NULL;
	int count = 0;
	option_words_append(&words, &count, title);
	option_words_append(&words, &count, quiet);
	const struct search_schedule *special = slot->schedule;
	const double whole_s = option->has_timeout ? option->timeout_s : SEARCH_TIMEOUT_S,
		     limit_s = special && !special->lists ? whole_s : search_try_limit(option, slot->number);
	if (!option->has_timeout || limit_s < whole_s)
		option_words_append(&words, &count, text_of("--timeout=%g", limit_s));
	add_line(option, slot->number, slot->vary, special, &words, &count);
	const bool counts = (!special || special->lists) && is_early(option, slot->number);
	struct try_run try = {.profiles = counts,
	                      .notes = counts && makes_list(option, slot->number),
	                      .notes_max = NOTES_MAX,
	                      .lists_failure = special != NULL,
	                      .races = counts && option->finds_races,
	                      .fds = slot->fds,
	                      .record_to = -1,
	                      .report = option->fail_by.junit,
	                      .report_to = slot->report,
	                      .wants_pairs = !special && option->feedback};
	const bool has_regex = option->failures.has_regex[1] || option->failures.has_regex[2];
	const bool is_first = slot->number == 1;
	if (special)
		set_schedule(slot, special, &try);
	if (slot->note_look_count) {
		try.note_looks = slot->note_looks;
		try.note_look_count = slot->note_look_count;
		try.looks = slot->looks;
		try.races = false;
	}
	try.streams_bytes = has_regex || is_first ? SEARCH_OUTPUT_MAX : SEARCH_SAID_MAX;
	exit(try_run_make(count, words, &try));
}

/* Without a timeout, which would be one for all tries. */
static _Noreturn void guest_here(const struct search_slot *slot, const struct search_option *option,
                                 const struct tries_channel *channel)
{
	static char policy[] = "--sched=random"; /* for its memory, which each policy needs; each try sets its own */
	char **words = NULL;
	int count = 0;
	option_words_append(&words, &count, title);
	option_words_append(&words, &count, quiet);
	for (int i = 0; i < option->run_count; i++)
		if (strncmp(option->run[i], "--timeout", 9))
			option_words_append(&words, &count, option->run[i]);
	if (option->points_tries)
		search_points_words(option->points, false, option->has_atomics, &words, &count);
	option_words_append(&words, &count, policy);
	add_from(option, &words, &count);
	add_program(option, &words, &count);
	struct try_run try = {.fds = slot->fds, .record_to = -1, .tries = channel};
	try.fds.streams[1] = try.fds.streams[2] = -1;
	exit(try_run_make(count, words, &try));
}

/* --- the parent --- */

int search_slot_open(struct search_slot *slot)
{
	int *const all[] = {&slot->messages, &slot->recorded,       &slot->looks,         &slot->report,
	                    &slot->fds.text, &slot->fds.streams[1], &slot->fds.streams[2]};
	slot->fds = (struct trace_fds){-1, -1, -1, -1, -1, -1, {-1, -1, -1}};
	for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		*all[i] = memfd_create("eremite search", MFD_CLOEXEC);
		if (*all[i] < 0)
			return -errno;
	}
	return 0;
}

void search_slot_close(struct search_slot *slot)
{
	int fds[SEARCH_SLOT_FILES];
	search_slot_files(slot, fds);
	for (unsigned i = 0; i < SEARCH_SLOT_FILES; i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

void search_slot_files(const struct search_slot *slot, int fds[SEARCH_SLOT_FILES])
{
	const int all[] = {slot->messages, slot->recorded,       slot->looks,         slot->report,
	                   slot->fds.text, slot->fds.streams[1], slot->fds.streams[2]};
	_Static_assert(sizeof(all) == SEARCH_SLOT_FILES * sizeof(int), "SEARCH_SLOT_FILES");
	memcpy(fds, all, sizeof(all));
}

int search_slot_clear(struct search_slot *slot, uint64_t number, unsigned vary)
{
	int fds[SEARCH_SLOT_FILES];
	search_slot_files(slot, fds);
	for (unsigned i = 0; i < SEARCH_SLOT_FILES; i++)
		if (ftruncate(fds[i], 0) || lseek(fds[i], 0, SEEK_SET))
			return -errno;
	slot->number = number;
	slot->vary = vary;
	slot->ended = false;
	clock_gettime(CLOCK_MONOTONIC, &slot->began);
	return 0;
}

/* Makes the files of a slot empty, and forks. Returns 0 to the child, 1, or a negative errno. */
static int start(struct search_slot *slot, uint64_t number, unsigned vary, int input, const sigset_t *mask)
{
	const pid_t parent = getpid();
	const int result = search_slot_clear(slot, number, vary);
	if (result)
		return result;
	fflush(NULL);
	slot->child = fork();
	if (slot->child < 0)
		slot->number = 0;
	if (slot->child)
		return slot->child < 0 ? -errno : 1;
	signal(SIGUSR1, SIG_IGN); /* to stop is the search's decision */
	sigprocmask(SIG_SETMASK, mask, NULL);
	set_streams(slot, input, parent);
	return 0;
}

int search_slot_start(struct search_slot *slot, const struct search_option *option, uint64_t number, unsigned vary,
                      int input, const sigset_t *mask)
{
	int result = start(slot, number, vary, input, mask);
	if (!result)
		run_here(slot, option);
	return result < 0 ? result : 0;
}

int search_slot_start_guest(struct search_slot *slot, const struct search_option *option,
                            const struct tries_channel *channel, int input, const sigset_t *mask)
{
	int result = start(slot, 0, 0, input, mask);
	if (!result)
		guest_here(slot, option, channel);
	return result < 0 ? result : 0;
}

/* Returns a part of what the run has left, with a NUL; NULL: it is not there. */
static char *part_of(const struct search_slot *slot, uint64_t at, uint64_t bytes)
{
	const off_t all = lseek(slot->fds.text, 0, SEEK_END);
	if (all < 0 || at > (uint64_t)all || bytes > (uint64_t)all - at)
		return NULL;
	char *part = memory_or_die(malloc(bytes + 1));
	if (pread(slot->fds.text, part, bytes, (off_t)at) != (ssize_t)bytes) {
		free(part);
		return NULL;
	}
	part[bytes] = 0;
	return part;
}

void search_slot_learn(const struct search_slot *slot, const struct search_option *option, struct search_points *points,
                       struct search_profile *profile, struct search_races *races)
{
	struct try_outcome ended = {0};
	const bool is_there = is_early(option, slot->number) && search_slot_outcome(slot, option, &ended) &&
	                      ended.is_complete == TRY_COMPLETE && ended.end != RUN_TIMEOUT &&
	                      ended.accesses <= SCHED_ACCESSES && ended.pairs <= SCHED_PAIRS_LISTED;
	const uint64_t bytes = ended.accesses * sizeof(struct sched_access);
	if (is_there && makes_list(option, slot->number)) {
		char *list = part_of(slot, sizeof(ended) + bytes, ended.list_bytes);
		char *text = part_of(slot, sizeof(ended) + bytes + ended.list_bytes + ended.pairs * sizeof(uint64_t),
		                     ended.races_bytes);
		if (list)
			search_points_add(points, list, ended.list_bytes);
		if (races && !slot->schedule)
			races->cut += ended.end == RUN_STOPPED;
		if (text && races)
			search_races_add(races, slot->schedule ? 0 : slot->number, text);
		free(list);
		free(text);
	} else if (is_there && ended.end != RUN_STOPPED) {
		char *access = part_of(slot, sizeof(ended), bytes);
		if (access)
			search_profile_add(profile, ended.several_first, ended.several_last,
			                   (struct sched_access *)(void *)access, ended.accesses);
		free(access);
	}
}

void search_slot_show(const struct search_slot *slot, const struct search_option *option)
{
	struct try_outcome ended;
	uint64_t pairs[SCHED_PAIRS_LISTED];
	if (!option->feedback || !search_slot_outcome(slot, option, &ended) || ended.is_complete != TRY_COMPLETE ||
	    ended.end == RUN_TIMEOUT || ended.end == RUN_STOPPED || ended.pairs > SCHED_PAIRS_LISTED ||
	    ended.accesses > SCHED_ACCESSES)
		return;
	const size_t bytes = ended.pairs * sizeof(pairs[0]);
	const off_t at = (off_t)(sizeof(ended) + ended.accesses * sizeof(struct sched_access) + ended.list_bytes);
	if (pread(slot->fds.text, pairs, bytes, at) == (ssize_t)bytes)
		search_feedback_show(option->feedback, slot->number, ended.signature, pairs, ended.pairs);
}
