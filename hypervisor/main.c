/* SPDX-License-Identifier: MIT */
/* The eremite command: finds the verb and calls it. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "die.h"
#include "value.h"
#include "version.h"

static const struct verb {
	const char *name;
	int (*call)(int argc, char **argv);
	char *title; /* argv[0] of the verb */
	const char *help;
} verbs[] = {
	{"run", cmd_run, (char[]){"eremite run"}, "run an image as a deterministic virtual machine"},
};

#define VERB_COUNT (sizeof(verbs) / sizeof(verbs[0]))

static int help(void)
{
	printf("Usage: eremite VERB [OPTION...] ...\n\nVerbs:\n");
	for (unsigned i = 0; i < VERB_COUNT; i++)
		printf("  %-10s %s\n", verbs[i].name, verbs[i].help);
	printf("\n'eremite VERB --help' tells the options of a verb; 'eremite --version' the version.\n");
	return 0;
}

/* Nothing that is opened later may become a standard stream: a closed one reads as empty and cannot be written. */
static void fill_standard_streams(void)
{
	int fd;
	do
		fd = open("/dev/null", O_RDONLY);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd > STDERR_FILENO)
		close(fd);
}

int main(int argc, char **argv)
{
	fill_standard_streams();
	signal(SIGCHLD, SIG_DFL); /* a parent may have had it ignored, and then no child could be waited for */
	signal(SIGXFSZ, SIG_IGN); /* a file-size limit is an error of the write, EFBIG */
	const char *names[VERB_COUNT + 1] = {NULL};
	if (argc < 2)
		die("no verb given; see 'eremite --help'");
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help"))
		return help();
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		printf("eremite %s\n", EREMITE_VERSION);
		return 0;
	}
	for (unsigned i = 0; i < VERB_COUNT; i++) {
		names[i] = verbs[i].name;
		if (!strcmp(argv[1], verbs[i].name)) {
			argv[1] = verbs[i].title;
			return verbs[i].call(argc - 1, argv + 1);
		}
	}
	const char *nearest = value_nearest(argv[1], names);
	if (nearest)
		die("there is no verb '%s'; did you mean '%s'?", argv[1], nearest);
	die("there is no verb '%s'; see 'eremite --help'", argv[1]);
}
