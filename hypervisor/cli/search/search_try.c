/* SPDX-License-Identifier: MIT */
/* The first try is under fifo, with all inputs at their defaults: it shows at once that a program fails always, and its
 * output is what --fail-on=output compares. The next tries are under random if later ones learn from them, with the
 * other inputs at their defaults, and these and the first one make it. Later tries use the policies in turn, or as
 * feedback plans, try n with n as its seed, so what it does depends on nothing but its number and --search-seed. */
#include "cli/search/search_try.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clean_text.h"
#include "base/die.h"
#include "base/text.h"
#include "cli/image/image_text.h"
#include "cli/option_words.h"
#include "pack/pack_step.h"

#define PREFIX "eremite: "
#define MESSAGES_MAX (1L << 20)
#define OUTPUT_MAX (64L << 20) /* of each stream, for regular expressions: it is memory of each job */

/* --- the command line of a try --- */

static bool makes_list(const struct search_option *option, uint64_t number)
{
	return number <= option->points_tries;
}

static bool makes_profile(const struct search_option *option, uint64_t number)
{
	return !makes_list(option, number) && number <= option->points_tries + option->profile_tries;
}

/* Whether it is one of the first tries, from which others learn. */
static bool is_early(const struct search_option *option, uint64_t number)
{
	return makes_list(option, number) || makes_profile(option, number);
}

uint64_t search_try_awaits(const struct search_option *option, uint64_t number)
{
	const uint64_t points = option->points_tries, all = points + option->profile_tries;
	return number > all ? all : number > points ? points : 0;
}

/* Returns the value of --sched of a try under `feedback`, which is pos with constraints. */
static char *with_reads(const char *policy, const struct search_reads *reads)
{
	char *text;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);
	if (!to)
		die("out of memory");
	const char *parameters = strchr(policy, ':');
	fprintf(to, "pos%s", parameters ? parameters : "");
	if (reads && reads->count) {
		fputs(parameters ? ",reads=" : ":reads=", to);
		search_corpus_print_reads(to, reads);
	}
	if (fclose(to))
		die("out of memory");
	return text;
}

/* Returns the value of --sched of a try, for the caller to free. */
static char *policy_of(const struct search_option *option, uint64_t number)
{
	const uint64_t early = option->points_tries + option->profile_tries, first = early > 1 ? early : 1;
	if (number == 1)
		return text_of("fifo");
	if (number <= first)
		return text_of("random");
	uint64_t at = (number - first - 1) % option->policy_count, turn = (number - first - 1) / option->policy_count;
	if (option->feedback) {
		const struct search_plan *plan = search_feedback_plan(option->feedback, number);
		at = plan->member;
		turn = plan->turn;
		if (search_option_has_feedback(option->policies[at]))
			return with_reads(option->policies[at], &plan->reads);
	}
	if (search_option_has_feedback(option->policies[at]))
		return with_reads(option->policies[at], NULL);
	return search_profile_policy(option->profile, option->policies[at], (option->seed << 32) + at, turn);
}

static uint64_t seed_of(const struct search_option *option, uint64_t number)
{
	return (option->seed << 32) + number;
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
			option_words_append(words, count, search_vary_option(input, option->seed, number));
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
	if (option->points_tries)
		search_points_words(option->points, makes_list(option, number), option->has_atomics, words, count);
	for (int i = 0; special && i < special->word_count; i++)
		option_words_append(words, count, special->words[i]);
	if (!special) /* its words say all */
		add_inputs(option, number, vary & search_try_inputs(option, number), words, count);
	add_program(option, words, count);
}

void search_try_schedule(const struct search_option *option, uint64_t number, struct sched_config *config)
{
	char error[256], *policy = policy_of(option, number);
	*config = (struct sched_config){0};
	if (sched_option_parse(policy, config, error))
		die("search: %s", error);
	free(policy);
	config->boot.seed = seed_of(option, number);
	config->boot.flags |= option->feedback ? SCHED_FLAG_READS : 0;
}

char *search_try_command(const struct search_option *option, uint64_t number, unsigned vary)
{
	static char eremite[] = "eremite", run[] = "run";
	char **words = NULL;
	int count = 0;
	option_words_append(&words, &count, eremite);
	option_words_append(&words, &count, run);
	add_line(option, number, vary, NULL, &words, &count);
	char *text = image_text_words(words, (unsigned)count);
	free(words);
	return text;
}

/* --- the child --- */

static void set_schedule(const struct search_slot *slot, const struct search_schedule *special, struct trace_run *trace)
{
	trace->plan = special->plan;
	trace->plan_count = special->plan_count;
	trace->record_to = special->records ? slot->recorded : -1;
	trace->looked = special->looked;
	trace->looks = slot->looks;
}

static void set_streams(const struct search_slot *slot, int input, pid_t parent)
{
	char path[40] = "/dev/null";
	pack_run_follow(parent);
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
	if (!option->has_timeout)
		option_words_append(&words, &count, text_of("--timeout=%u", SEARCH_TIMEOUT_S));
	const struct search_schedule *special = slot->schedule;
	add_line(option, slot->number, slot->vary, special, &words, &count);
	const bool counts = !special && is_early(option, slot->number);
	struct trace_run trace = {.purpose = counts ? TRACE_PROFILE : TRACE_OUTCOME,
	                          .notes = counts && makes_list(option, slot->number),
	                          .races = counts && option->finds_races,
	                          .fds = slot->fds,
	                          .record_to = -1,
	                          .wants_pairs = !special && option->feedback};
	const bool has_regex = option->failures.has_regex[1] || option->failures.has_regex[2];
	const bool is_first = slot->number == 1;
	if (special)
		set_schedule(slot, special, &trace);
	if (option->why_not && !option->failures.output && !has_regex)
		trace.fds.streams[1] = trace.fds.streams[2] = -1; /* nobody looks at the output */
	if (is_first)
		trace.fds.streams[2] = slot->fds.streams[2]; /* where the guest says why it cannot start the program */
	trace.streams_bytes = has_regex || is_first ? OUTPUT_MAX : 0;
	exit(cmd_run_traced(count, words, &trace));
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
	struct trace_run trace = {.purpose = TRACE_OUTCOME, .fds = slot->fds, .record_to = -1, .tries = channel};
	trace.fds.streams[1] = trace.fds.streams[2] = -1;
	exit(cmd_run_traced(count, words, &trace));
}

/* --- the parent --- */

int search_slot_open(struct search_slot *slot)
{
	int *const all[] = {&slot->messages, &slot->recorded,       &slot->looks,
	                    &slot->fds.text, &slot->fds.streams[1], &slot->fds.streams[2]};
	slot->fds = (struct trace_fds){-1, -1, -1, -1, -1, -1, {-1, -1, -1}};
	for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		*all[i] = memfd_create("eremite search", MFD_CLOEXEC);
		if (*all[i] < 0)
			return -errno;
	}
	return 0;
}

/* Makes the files of a slot empty, and forks. Returns 0 to the child, 1, or a negative errno. */
static int start(struct search_slot *slot, uint64_t number, unsigned vary, int input, const sigset_t *mask)
{
	const int all[] = {slot->messages, slot->recorded,       slot->looks,
	                   slot->fds.text, slot->fds.streams[1], slot->fds.streams[2]};
	pid_t parent = getpid();
	for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (ftruncate(all[i], 0) || lseek(all[i], 0, SEEK_SET))
			return -errno;
	slot->number = number;
	slot->vary = vary;
	slot->ended = false;
	clock_gettime(CLOCK_MONOTONIC, &slot->began);
	fflush(NULL);
	slot->child = fork();
	if (slot->child < 0)
		slot->number = 0;
	if (slot->child)
		return slot->child < 0 ? -errno : 1;
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

/* Returns the first `max` bytes of a file, and a NUL. */
static char *contents(int fd, off_t max, size_t *bytes)
{
	off_t all = lseek(fd, 0, SEEK_END);
	if (all < 0 || all > max)
		all = all < 0 ? 0 : max;
	char *text = malloc((size_t)all + 1);
	if (!text)
		die("out of memory");
	if (pread(fd, text, (size_t)all, 0) != all)
		die("cannot read what a try has left: %s", strerror(errno));
	text[all] = 0;
	*bytes = (size_t)all;
	return text;
}

/* Returns a part of what the run has left, with a NUL; NULL: it is not there. */
static char *part_of(const struct search_slot *slot, uint64_t at, uint64_t bytes)
{
	const off_t all = lseek(slot->fds.text, 0, SEEK_END);
	if (all < 0 || at > (uint64_t)all || bytes > (uint64_t)all - at)
		return NULL;
	char *part = malloc(bytes + 1);
	if (!part)
		die("out of memory");
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
	struct trace_outcome ended = {0};
	const bool is_there = is_early(option, slot->number) &&
	                      pread(slot->fds.text, &ended, sizeof(ended), 0) == (ssize_t)sizeof(ended) &&
	                      ended.is_complete == TRACE_COMPLETE && ended.end != RUN_TIMEOUT &&
	                      ended.accesses <= SCHED_ACCESSES && ended.pairs <= SCHED_PAIRS_LISTED;
	const uint64_t bytes = ended.accesses * sizeof(struct sched_access);
	if (is_there && makes_list(option, slot->number)) {
		char *list = part_of(slot, sizeof(ended) + bytes, ended.list_bytes);
		char *text = part_of(slot, sizeof(ended) + bytes + ended.list_bytes + ended.pairs * sizeof(uint64_t),
		                     ended.races_bytes);
		if (list)
			search_points_add(points, list, ended.list_bytes);
		if (text)
			search_races_add(races, slot->number, text);
		free(list);
		free(text);
	} else if (is_there) {
		char *access = part_of(slot, sizeof(ended), bytes);
		if (access)
			search_profile_add(profile, ended.several_first, ended.several_last,
			                   (struct sched_access *)(void *)access, ended.accesses);
		free(access);
	}
	if (option->points_tries && slot->number == option->points_tries)
		search_points_settle(points);
}

void search_slot_show(const struct search_slot *slot, const struct search_option *option)
{
	struct trace_outcome ended;
	uint64_t pairs[SCHED_PAIRS_LISTED];
	if (!option->feedback || pread(slot->fds.text, &ended, sizeof(ended), 0) != (ssize_t)sizeof(ended) ||
	    ended.is_complete != TRACE_COMPLETE || ended.end == RUN_TIMEOUT || ended.pairs > SCHED_PAIRS_LISTED ||
	    ended.accesses > SCHED_ACCESSES)
		return;
	const size_t bytes = ended.pairs * sizeof(pairs[0]);
	const off_t at = (off_t)(sizeof(ended) + ended.accesses * sizeof(struct sched_access) + ended.list_bytes);
	if (pread(slot->fds.text, pairs, bytes, at) == (ssize_t)bytes)
		search_feedback_show(option->feedback, slot->number, ended.signature, pairs, ended.pairs);
}

/* Returns the frame in a line of a stack, without its number and address: "main+0x1a (x.c:3)". NULL: another line. */
static const char *frame_of(const char *line)
{
	line += strspn(line, " ");
	if (*line != '#')
		return NULL;
	line += strcspn(line, " ");
	line += strspn(line, " ");
	line += strcspn(line, " ");
	return line + strspn(line, " ");
}

char *search_outcome_identity(const char *end, const char *stacks)
{
	char *identity;
	size_t bytes;
	FILE *to = open_memstream(&identity, &bytes);
	if (!to)
		die("out of memory");
	fprintf(to, "%s\n", end);
	if (!strcmp(end, "timeout"))
		stacks = ""; /* where a thread was when the time was over depends on the host */
	for (const char *line = stacks, *next; (next = strchr(line, '\n')); line = next + 1) {
		const char *frame = frame_of(line);
		if (frame && frame < next)
			fprintf(to, "%.*s\n", (int)strcspn(frame, "+\n"), frame);
	}
	if (fclose(to))
		die("out of memory");
	return identity;
}

/* Returns what eremite said of the end: the stacks, and its lines without its name. */
static char *take_stacks(char *text)
{
	char *stacks;
	size_t bytes;
	FILE *to = open_memstream(&stacks, &bytes);
	if (!to)
		die("out of memory");
	for (char *line; (line = strsep(&text, "\n"));) {
		clean_text(line, strlen(line));
		if (frame_of(line) || !strncmp(line, PREFIX, strlen(PREFIX)))
			fprintf(to, "%s\n", frame_of(line) ? line : line + strlen(PREFIX));
	}
	if (fclose(to))
		die("out of memory");
	return stacks;
}

static char *name_end(const struct trace_outcome *outcome)
{
	switch (outcome->end) {
	case RUN_EXIT:
		return text_of("exit %d", outcome->status);
	case RUN_SIGNAL:
		return text_of("signal %d (%s)", outcome->status, strsignal(outcome->status));
	case RUN_DEADLOCK:
		return text_of("deadlock");
	default:
		return text_of("timeout");
	}
}

bool search_slot_matches(const struct search_slot *slot, const struct search_failures *failures, unsigned stream)
{
	size_t bytes;
	if (!failures->has_regex[stream])
		return false;
	char *text = contents(slot->fds.streams[stream], OUTPUT_MAX, &bytes);
	for (size_t i = 0; i < bytes; i++)
		if (!text[i])
			text[i] = ' '; /* regexec(3) would end there */
	const bool found = !regexec(&failures->regex[stream], text, 0, NULL, 0);
	free(text);
	return found;
}

void search_slot_output(const struct search_slot *slot, uint64_t hash[2], uint64_t bytes[2])
{
	struct trace_outcome ended = {0};
	if (pread(slot->fds.text, &ended, sizeof(ended), 0) != (ssize_t)sizeof(ended))
		die("cannot read what a try has left: %s", strerror(errno));
	for (unsigned i = 0; i < 2; i++) {
		hash[i] = ended.output[i].hash;
		bytes[i] = ended.output[i].bytes;
	}
}

/* Whether standard output differs from that of the first try. */
static bool has_other_output(const struct search_slot *slot, const struct search_failures *failures,
                             const struct trace_outcome *ended, uint64_t first[2])
{
	const uint64_t now[2] = {ended->output[0].hash, ended->output[0].bytes};
	if (!failures->output)
		return false;
	if (slot->number == 1)
		memcpy(first, now, sizeof(now));
	return memcmp(first, now, sizeof(now));
}

/* Returns the last line of eremite's own. Changes the text. */
static char *last_line(char *text)
{
	char *last = NULL;
	for (char *line; (line = strsep(&text, "\n"));)
		if (!strncmp(line, PREFIX, strlen(PREFIX)))
			last = line + strlen(PREFIX);
	return last;
}

char *search_slot_last_line(const struct search_slot *slot)
{
	size_t bytes;
	char *text = contents(slot->messages, MESSAGES_MAX, &bytes), *last = last_line(text);
	last = last ? strdup(last) : NULL;
	free(text);
	return last;
}

static int explain(char *text, int status, uint64_t number, char error[256])
{
	char *last = last_line(text);
	if (last)
		return refuse(error, EIO, "%s", last);
	if (WIFSIGNALED(status))
		return refuse(error, EIO, "try %lu was ended by signal %d (%s)", number, WTERMSIG(status),
		              strsignal(WTERMSIG(status)));
	return refuse(error, EIO, "try %lu ended early with status %d", number, WEXITSTATUS(status));
}

/* Says why a program was not started, in the words of the guest if they were kept. */
static int explain_start(const struct search_slot *slot, const struct trace_outcome *ended, char error[256])
{
	size_t bytes;
	char *text = contents(slot->fds.streams[2], MESSAGES_MAX, &bytes), *last = text ? last_line(text) : NULL;
	int result =
		last ? refuse(error, ENOENT, "%s", last)
		     : refuse(error, ENOENT,
	                      "the guest cannot start the program, and ends with status %d; 'eremite run' says why",
	                      ended->status);
	free(text);
	return result;
}

/* What became of the entries of a plan. */
static void read_uses(const struct search_slot *slot)
{
	const struct search_schedule *special = slot->schedule;
	uint8_t uses[4096];
	for (size_t i = 0, got; special && i < special->plan_count; i += got) {
		const size_t left = special->plan_count - i, wanted = left < sizeof(uses) ? left : sizeof(uses);
		const ssize_t bytes = pread(slot->fds.text, uses, wanted, (off_t)(sizeof(struct trace_outcome) + i));
		if (bytes <= 0)
			return;
		got = (size_t)bytes;
		for (size_t j = 0; j < got; j++)
			special->plan[i + j].use = uses[j];
	}
}

void search_outcome_judge(struct search_outcome *outcome, const struct search_failures *failures, bool output_fails)
{
	const struct trace_outcome *ended = &outcome->outcome;
	outcome->failed = (failures->exit_other && ended->end == RUN_EXIT && ended->status) ||
	                  (failures->signal && ended->end == RUN_SIGNAL) ||
	                  (failures->deadlock && ended->end == RUN_DEADLOCK) ||
	                  (failures->timeout && ended->end == RUN_TIMEOUT) || output_fails;
	outcome->end = name_end(ended);
}

int search_slot_read(struct search_slot *slot, const struct search_option *option, uint64_t first_output[2],
                     struct search_outcome *outcome, char error[256])
{
	const struct search_failures *failures = &option->failures;
	struct trace_outcome *ended = &outcome->outcome;
	size_t bytes;
	*outcome = (struct search_outcome){0};
	char *text = contents(slot->messages, MESSAGES_MAX, &bytes);
	const bool is_told = pread(slot->fds.text, ended, sizeof(*ended), 0) == sizeof(*ended);
	if (ended->end == RUN_REPLAYED)
		ended->end = RUN_TIMEOUT; /* the recorded run was stopped there: here, too, the program did not end */
	if (!is_told || ended->is_complete != TRACE_COMPLETE ||
	    (ended->end != RUN_EXIT && ended->end != RUN_SIGNAL && ended->end != RUN_DEADLOCK &&
	     ended->end != RUN_TIMEOUT)) {
		int result = explain(text, slot->status, slot->number, error);
		free(text);
		return result;
	}
	if (ended->not_started) {
		free(text);
		return explain_start(slot, ended, error);
	}
	read_uses(slot);
	bool has_other = has_other_output(slot, failures, ended, first_output);
	bool matches = search_slot_matches(slot, failures, 1) || search_slot_matches(slot, failures, 2);
	search_outcome_judge(outcome, failures, matches || has_other);
	outcome->stacks = take_stacks(text);
	outcome->identity = search_outcome_identity(outcome->end, outcome->stacks);
	free(text);
	return 0;
}

void search_outcome_fini(struct search_outcome *outcome)
{
	free(outcome->end);
	free(outcome->stacks);
	free(outcome->identity);
}
