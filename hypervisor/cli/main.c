/* SPDX-License-Identifier: MIT */
/* The eremite command: finds the verb and calls it. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/commit.h"
#include "base/die.h"
#include "base/error.h"
#include "base/inherited.h"
#include "base/value.h"
#include "cli/cmd.h"
#include "cmdline/other_words.h"
#include "cmdline/time_option.h"
#include "option/option_complete.h"

static const struct verb {
	const char *name;
	int (*call)(int argc, char **argv);
	char *title; /* the verb's argv[0] */
	const char *help;
} verbs[] = {
	{"run", cmd_run, (char[]){"eremite run"}, "run an image as a deterministic virtual machine"},
	{"debug", cmd_debug, (char[]){"eremite debug"}, "run a Linux program under gdb"},
	{"profile", cmd_profile, (char[]){"eremite profile"}, "say which functions of a program take virtual time"},
	{"search", cmd_search, (char[]){"eremite search"}, "find the schedules under which a program fails"},
	{"analyze", cmd_analyze, (char[]){"eremite analyze"}, "find the two events whose order makes a program fail"},
	{"pack", cmd_pack, (char[]){"eremite pack"}, "run a program and seal the run into one file"},
	{"verify", cmd_verify, (char[]){"eremite verify"}, "repeat the runs of such files and compare everything"},
	{"sign", cmd_sign, (char[]){"eremite sign"}, "sign such a file by a key of ssh-keygen"},
	{"info", cmd_info, (char[]){"eremite info"},
         "print what a file is, and which of its instructions cannot run unchanged"},
	{"extract", cmd_extract, (char[]){"eremite extract"}, "write the files of an image into a directory"},
	{"diff", cmd_diff, (char[]){"eremite diff"}, "say how two sealed images differ"},
	{"compare", cmd_compare, (char[]){"eremite compare"}, "say how two runs differ, also of different hosts"},
	{"provenance", cmd_provenance, (char[]){"eremite provenance"},
         "describe the runs of a sealed image as RO-Crate"},
};

#define VERB_COUNT (sizeof(verbs) / sizeof(verbs[0]))

static int help(void)
{
	printf("Usage: eremite VERB [OPTION...] ...\n\nVerbs:\n");
	for (unsigned i = 0; i < VERB_COUNT; i++)
		printf("  %-10s %s\n", verbs[i].name, verbs[i].help);
	printf("\n'eremite help VERB' lists the options of a verb; 'eremite --version' prints the version.\n");
	return 0;
}

static const struct verb *find_verb(const char *word)
{
	for (unsigned i = 0; i < VERB_COUNT; i++)
		if (!strcmp(word, verbs[i].name))
			return &verbs[i];
	return NULL;
}

/* Opens /dev/null for closed standard streams, so that no file opened later becomes one. Such a stream reads as empty
 * and cannot be written. */
static void fill_standard_streams(void)
{
	int fd;
	do
		fd = open("/dev/null", O_RDONLY);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd > STDERR_FILENO)
		close(fd);
}

/* Refuses a word that is neither a verb nor an option before the verb. */
static _Noreturn void refuse_word(const char *word)
{
	static const char *const options[] = {"help", "version", NULL};
	const char *names[VERB_COUNT + 1] = {NULL}, *nearest;
	for (unsigned i = 0; i < VERB_COUNT; i++)
		names[i] = verbs[i].name;
	bool option = word[0] == '-';
	if (!option && other_words_verb(word))
		die("there is no verb '%s'; %s", word, other_words_verb(word));
	nearest = value_nearest(word + strspn(word, "-"), option ? options : names);
	if (nearest)
		die("there is no %s '%s'; did you mean '%s%s'?", option ? "option" : "verb", word, option ? "--" : "",
		    nearest);
	if (option)
		die("there is no option '%s' before the verb; type options of a verb after it, see 'eremite --help'",
		    word);
	if (strchr(word, '/') || !access(word, F_OK))
		die("there is no verb '%s'; type 'eremite run %s' to run that program", word, word);
	die("there is no verb '%s'; see 'eremite --help'", word);
}

/* Whether a limit of this process is at least `least`, or can be raised to it. */
static bool has_room(int resource, rlim_t least, rlim_t *limit)
{
	struct rlimit now;
	if (getrlimit(resource, &now) || now.rlim_cur >= least)
		return true;
	*limit = now.rlim_max;
	now.rlim_cur = least;
	return now.rlim_max >= least && !setrlimit(resource, &now);
}

/* The C library uses the stack limit as the size of threads' stacks. Raises that size if the limit is low. */
static void give_threads_room(void)
{
	const rlim_t least = 1 << 20;
	struct rlimit now;
	pthread_attr_t attributes;
	if (getrlimit(RLIMIT_STACK, &now) || now.rlim_cur >= least || pthread_attr_init(&attributes))
		return;
	if (!pthread_attr_setstacksize(&attributes, least))
		pthread_setattr_default_np(&attributes);
	pthread_attr_destroy(&attributes);
}

/* Refuses limits with which a verb would fail later with a worse message. Called before the verb, whose frame needs
 * stack, too. */
static void check_limits(void)
{
	const rlim_t stack = 256 << 10, files = 16; /* a run opens a dozen, and one for each tree that is shown */
	rlim_t limit;
	if (!has_room(RLIMIT_STACK, stack, &limit))
		die("the stack limit is %lu KiB, and eremite needs %lu; raise it with 'ulimit -s 1024'", limit >> 10,
		    stack >> 10);
	give_threads_room();
	if (!has_room(RLIMIT_NOFILE, files, &limit))
		die("Too many open files: eremite needs %lu, and the limit is %lu; raise it with 'ulimit -n 64'", files,
		    limit);
}

static void leave_inherited(char **argv)
{
	struct error error;
	if (inherited_leave_page_zero(argv, &error) || inherited_leave_class(&error))
		die("%s", error.text);
}

/* At the exit, what stdio(3) still holds must reach standard output: also --help, which argp(3) prints. */
static void check_output(void)
{
	if ((!fflush(stdout) && !ferror(stdout)) || die_was_called)
		return;
	if (errno == EPIPE)
		_exit(EXIT_SIGNAL_BASE + SIGPIPE);
	say("cannot write standard output: %s", strerror(errno));
	_exit(EXIT_EREMITE);
}

int main(int argc, char **argv)
{
	atexit(check_output);
	fill_standard_streams();
	signal(SIGCHLD, SIG_DFL); /* the parent may have ignored it; then waitpid(2) would find no children */
	signal(SIGUSR1, SIG_IGN); /* batch systems send it to all processes of a step; a run has a handler of its own */
	signal(SIGXFSZ, SIG_IGN); /* beyond the file-size limit, writes fail with EFBIG */
	if (argc < 2)
		die("no verb given; see 'eremite --help'");
	const char *word = argv[1];
	const struct verb *verb = find_verb(word);
	bool help_wanted = !strcmp(word, "--help") || !strcmp(word, "-h") || !strcmp(word, "help");
	if (help_wanted && argc == 2)
		return help();
	if (help_wanted && argc == 4 && !strcmp(argv[2], "--complete"))
		return option_complete_print(stdout, argv[3]) ? 0
		                                              : EXIT_EREMITE; /* no message: a shell would show it */
	if (help_wanted) {
		static char option[] = "--help";
		verb = find_verb(argv[2]);
		if (!verb)
			refuse_word(argv[2]);
		return verb->call(2, (char *[]){verb->title, option, NULL});
	}
	if (!strcmp(word, "--version") || !strcmp(word, "-V") || !strcmp(word, "version")) {
		puts(commit_version);
		return 0;
	}
	if (!verb)
		refuse_word(word);
	leave_inherited(argv);
	check_limits();
	time_option_begin();
	argv[1] = verb->title;
	return verb->call(argc - 1, argv + 1);
}
