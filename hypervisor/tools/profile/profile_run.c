/* SPDX-License-Identifier: MIT */
/* The run is a child, whose monitor is confined; it leaves the stacks in a file in memory. So nothing of the profile is
 * in the file system while the program runs. */
#include "profile/profile_run.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "abi/ticks.h"
#include "base/die.h"
#include "base/exit_status.h"
#include "cmdline/option_words.h"
#include "cmdline/options.h"
#include "cmdline/run_finish.h"
#include "cmdline/run_say.h"
#include "library/cjson.h"
#include "profile/profile_compare.h"
#include "profile/profile_stacks.h"
#include "profile/profile_write.h"
#include "session/program_choice.h"

/* --- the run --- */

static void check_session(const struct session *session)
{
	if (program_choice_is_native(session))
		die("profile: %s is a native image; eremite profile is for Linux programs", session->run.image);
	if (session->verify || session->events_path)
		die("profile: --verify and --events compare runs; give them to eremite run");
}

/* Writes the stacks: on each line samples, nanoseconds and names. */
static int put_stacks(int fd, const struct profile_table *table)
{
	FILE *to = fdopen(fd, "w");
	for (size_t i = 0; to && i < table->count; i++)
		fprintf(to, "%" PRIu64 " %" PRIu64 " %s\n", table->stacks[i].samples, table->stacks[i].ns,
		        table->stacks[i].names);
	return !to || fflush(to) || ferror(to) ? -1 : 0;
}

/* Has the guest tell where its threads are. */
static void observe(struct session *session, const struct profile_option *option, struct profile_stacks *stacks)
{
	static struct strace silent = {.is_silent = true};
	struct run_config *run = &session->run;
	if (!run->strace)
		run->strace = &silent;
	run->strace->sample_by = option->by;
	run->strace->sample_every = option->by == STRACE_BY_TICKS ? option->every * TICKS_PER_NS : option->every;
	run->sched.boot.flags |= SCHED_FLAG_ACCOUNT; /* the time of threads after their last sample */
	stacks->counts_ahead = option->by == STRACE_BY_CALLS;
	run->observer.context = stacks;
	run->observer.sampled = profile_stacks_add;
	run->observer.placed = profile_places_add;
}

static int make_run(const struct profile_option *option, int argc, char **argv, int fd)
{
	static struct session session;
	static struct run_result result;
	static struct profile_stacks stacks = {.file = -1};
	options_parse(&session, argc, argv);
	const int refused = session_open(&session);
	if (refused)
		return refused;
	check_session(&session);
	run_say_unread_input(&session);
	session_choose_engine(&session);
	observe(&session, option, &stacks);
	run_config_keep(&session.run, fd);
	session_start(&session);
	session_run(&session, &result);
	if (option->by == STRACE_BY_PLACES)
		profile_places_end(&stacks, &result);
	else
		profile_stacks_end(&stacks, &result);
	if (!session.run.strace->is_told && result.end != RUN_ERROR && !result.not_started)
		say("there are no samples: the kernel in this image is older than eremite profile; pack it again");
	if (put_stacks(fd, &stacks.table))
		die("cannot keep the stacks: %s", strerror(errno));
	return run_finish(&session, &result);
}

/* --- the profile --- */

/* Reads what the run has left. */
static void take_stacks(struct profile *profile, int fd)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t bytes;
	FILE *from = lseek(fd, 0, SEEK_SET) ? NULL : fdopen(fd, "r");
	if (!from)
		die("cannot read the stacks: %s", strerror(errno));
	while ((bytes = getline(&line, &room, from)) > 0) {
		uint64_t samples, ns;
		int names = 0;
		line[bytes - 1] = 0;
		if (sscanf(line, "%" SCNu64 " %" SCNu64 " %n", &samples, &ns, &names) != 2 || !names)
			die("the run has left no stacks");
		const size_t at = profile_table_stack(&profile->table, line + names);
		struct profile_stack *stack = &profile->table.stacks[at];
		stack->samples += samples;
		stack->ns += ns;
		profile->samples += samples;
		profile->ns += ns;
	}
	free(line);
	fclose(from);
	profile_table_sort(&profile->table);
}

static pid_t running;

static void pass_on(int sig)
{
	kill(running, sig);
}

/* Waits for the run, which gets the signals of this process, too. */
static int await_run(pid_t run)
{
	int status;
	running = run;
	signal(SIGINT, SIG_IGN); /* a terminal sends them to both */
	signal(SIGQUIT, SIG_IGN);
	signal(SIGTERM, pass_on);
	signal(SIGHUP, pass_on);
	while (waitpid(run, &status, 0) < 0)
		if (errno != EINTR)
			die("cannot wait for the run: %s", strerror(errno));
	return WIFSIGNALED(status) ? EXIT_SIGNAL_BASE + WTERMSIG(status) : WEXITSTATUS(status);
}

/* The command line of the run. */
static char **run_words(const struct profile_option *option, int *count)
{
	static char title[] = "eremite profile", end[] = "--";
	char **words = NULL;
	*count = 0;
	option_words_append(&words, count, title);
	for (int i = 0; i < option->run_count; i++)
		option_words_append(&words, count, option->run[i]);
	option_words_append(&words, count, end);
	for (int i = 0; i < option->program_count; i++)
		option_words_append(&words, count, option->program[i]);
	return words;
}

static void make_profile(const struct profile_option *option, int fd)
{
	struct profile profile = {.option = option, .has_times = option->by != STRACE_BY_FAULTS};
	take_stacks(&profile, fd);
	if (!profile.table.count)
		return;
	profile_write(&profile);
	if (!option->is_quiet)
		profile_write_functions(stderr, &profile);
	profile_table_fini(&profile.table);
}

int profile_run(const struct profile_option *option)
{
	struct error error;
	if (cjson_load(&error))
		die("%s", error.text);
	if (option->compares)
		return profile_compare(option->program[0], option->program[1]);
	const int fd = memfd_create("profile", MFD_CLOEXEC);
	int argc;
	char **argv = run_words(option, &argc);
	if (fd < 0)
		die("cannot make a file in memory: %s", strerror(errno));
	fflush(stdout);
	const pid_t run = fork();
	if (run < 0)
		die("cannot start a process: %s", strerror(errno));
	if (!run)
		return make_run(option, argc, argv, fd);
	const int status = await_run(run);
	make_profile(option, fd);
	return status;
}
