/* SPDX-License-Identifier: MIT */
#include "analyze/analyze_leak.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child.h"
#include "base/clean_text.h"
#include "base/die.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmdline/option_words.h"
#include "cmdline/run_line.h"

#define RUNS 5 /* comparisons until one finds a difference, which may be rare */
#define TEXT_MAX 65536

static _Noreturn void run_here(const struct analyze *analyze, char *schedule, int to, pid_t parent)
{
	static char title[] = "eremite run", verify[] = "--verify", timeout[] = "--timeout=60", separator[] = "--";
	const struct search_option *runs = &analyze->option.runs;
	char **words = NULL, path[40] = "/dev/null";
	int count = 0;
	child_follow(parent);
	sigprocmask(SIG_SETMASK, &analyze->mask, NULL);
	if (analyze->input >= 0)
		snprintf(path, sizeof(path), "/proc/self/fd/%d", analyze->input);
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), in = open(path, O_RDONLY | O_CLOEXEC);
	if (null < 0 || in < 0 || dup2(in, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0 ||
	    dup2(to, STDERR_FILENO) < 0)
		_exit(EXIT_EREMITE);
	option_words_append(&words, &count, title);
	option_words_append(&words, &count, verify);
	if (!runs->has_timeout)
		option_words_append(&words, &count, timeout);
	for (int i = 0; i < runs->run_count; i++)
		option_words_append(&words, &count, runs->run[i]);
	option_words_append(&words, &count, schedule);
	for (int i = 1; i < 3; i++)
		if (!analyze->option.schedule && analyze->option.sched[i])
			option_words_append(&words, &count, analyze->option.sched[i]);
	option_words_append(&words, &count, separator);
	for (int i = 0; i < runs->program_count; i++)
		option_words_append(&words, &count, runs->program[i]);
	exit(run_line(count, words));
}

/* Waits until a child ends. A signal that stops the analysis ends it. Returns its wait status. */
static int wait_for(struct analyze *analyze, pid_t child)
{
	int status = 0, sig;
	while (waitpid(child, &status, WNOHANG) == 0) {
		sig = sigwaitinfo(&analyze->signals, NULL);
		if (sig <= 0 || sig == SIGCHLD)
			continue;
		analyze->signal = sig;
		kill(child, SIGTERM);
	}
	return status;
}

/* Makes two runs and compares them. Returns what eremite says if they differ, or NULL. */
static char *compare(struct analyze *analyze, char *schedule)
{
	const pid_t parent = getpid();
	int to = memfd_create("eremite analyze", MFD_CLOEXEC), status = 0;
	char *text = memory_or_die(calloc(1, TEXT_MAX));
	memory_check(to >= 0);
	fflush(NULL);
	const pid_t child = fork();
	if (!child)
		run_here(analyze, schedule, to, parent);
	if (child > 0)
		status = wait_for(analyze, child);
	const bool differs = child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_DIFFER;
	if (!differs || pread(to, text, TEXT_MAX - 1, 0) <= 0) {
		free(text);
		text = NULL;
	}
	close(to);
	return text;
}

void analyze_leak_name(struct analyze *analyze, char *schedule)
{
	char *text = NULL, *line;
	struct text_made made;
	for (unsigned i = 0; !text && i < RUNS && !analyze_is_stopped(analyze); i++)
		text = compare(analyze, schedule);
	FILE *to = text_open(&made);
	fputs(analyze->verdict, to);
	if (!text && !analyze_is_stopped(analyze))
		fprintf(to, "; eremite run --verify found no difference in %d comparisons", RUNS);
	for (char *rest = text; (line = strsep(&rest, "\n"));) {
		clean_text(line, strlen(line));
		if (*line)
			fprintf(to, "\n    %s", line);
	}
	free(text);
	free(analyze->verdict);
	analyze->verdict = text_close(&made);
}
