/* SPDX-License-Identifier: MIT */
/* Options: what getopt and its long forms return, report and do to the order of the arguments. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int set_by_flag;

static const struct option longs[] = {
	{"alpha", no_argument, NULL, 'a'},       {"beta", required_argument, NULL, 'b'},
	{"bet", optional_argument, NULL, 'B'},   {"gamma", optional_argument, NULL, 'g'},
	{"flag", no_argument, &set_by_flag, 42}, {"verbose", no_argument, NULL, 'v'},
	{"version", no_argument, NULL, 'V'},     {"same-one", no_argument, NULL, 's'},
	{"same-two", no_argument, NULL, 's'},    {NULL, 0, NULL, 0},
};

enum form { SHORT, LONG, LONG_ONLY };

static int step(enum form form, int argc, char **argv, const char *shorts, int *index)
{
	if (form == SHORT)
		return getopt(argc, argv, shorts);
	if (form == LONG)
		return getopt_long(argc, argv, shorts, longs, index);
	return getopt_long_only(argc, argv, shorts, longs, index);
}

/* Parses the words of line. */
static void parse(enum form form, const char *shorts, const char *line)
{
	char buf[128], *argv[16], *rest = buf, *word;
	int argc = 1, result, index, steps = 0;
	argv[0] = "prog";
	strcpy(buf, line);
	while ((word = strsep(&rest, " ")) != NULL && argc < 15)
		if (*line)
			argv[argc++] = strcmp(word, "@") == 0 ? "" : word;
	argv[argc] = NULL;
	printf("%d \"%s\" %s\n", form, shorts, line);
	optind = 0;
	do {
		index = -1;
		set_by_flag = 0;
		result = step(form, argc, argv, shorts, &index);
		printf("  %d arg=%s ind=%d index=%d flag=%d", result, optarg ? optarg : "(none)", optind, index,
		       set_by_flag);
		if (result == '?' || result == ':')
			printf(" opt=%d", optopt);
		printf("\n");
	} while (result != -1 && ++steps < 20);
	printf(" ");
	for (int i = 1; i < argc; i++)
		printf(" %s", argv[i]);
	printf("\n");
}

static const char *const short_lines[] = {
	"",          "-a -b x",
	"-abx y",    "-b",
	"-ab",       "- -a",
	"x - -a y",  "-a - -b z",
	"x -a y -a", "-a -- -b x",
	"x -- -a",   "x -a -- y",
	"-z",        "-a:",
	"-;",        "-g -gx",
	"-g x",      "--",
	"-- --",     "--alpha",
	"x y z",     "x -b y z -a w -bv u",
	"@ -a @",    "-b -- -a",
	"-Walpha",   "-W alpha",
	"-a-",       "-zab q",
	"-b -a",
};

static const char *const long_lines[] = {
	"--alpha",
	"--alpha=3",
	"--alp",
	"--beta",
	"--beta=x",
	"--beta x y",
	"--beta= x",
	"--bet x",
	"--bet=x",
	"--be x",
	"--be=x",
	"--gamma",
	"--gamma=",
	"--gamma=7 q",
	"--flag",
	"--flag=3",
	"--fl -a",
	"--ver",
	"--ver=2",
	"--verb",
	"--same",
	"--same=1",
	"--bad",
	"--bad=1 -a",
	"x --alpha y -a",
	"x --bad y",
	"--=x",
	"x -- --alpha",
	"-alpha",
	"-beta x",
	"-bad",
	"-zed",
	"-g=3",
	"-flag",
	"-v",
	"-ver",
	"-a -al -alphabet",
	"x -gamma=1 -y",
	"-W beta=3 -a",
	"-Wbad",
	"-W",
	"-W alpha x",
	"-W alpha=x -a",
	"-W ver",
	"-beta",
	"-Wbeta",
	"-- x",
	"--v",
	"- --alpha -",
};

static void parse_all(const char *shorts)
{
	for (size_t i = 0; i < sizeof(short_lines) / sizeof(*short_lines); i++)
		parse(SHORT, shorts, short_lines[i]);
	for (int form = LONG; form <= LONG_ONLY; form++) {
		for (size_t i = 0; i < sizeof(short_lines) / sizeof(*short_lines); i++)
			parse(form, shorts, short_lines[i]);
		for (size_t i = 0; i < sizeof(long_lines) / sizeof(*long_lines); i++)
			parse(form, shorts, long_lines[i]);
	}
}

/* A second list without a reset, as programs parse two lines one after the other; and messages switched off. */
static void again(void)
{
	char *first[] = {"one", "-a", "x", "-b", "y", NULL}, *second[] = {"two", "z", "-a", "-q", NULL};
	optind = 1;
	for (int c; (c = getopt(5, first, "ab:")) != -1;)
		printf("%d %d\n", c, optind);
	printf("%d\n", optind);
	optind = 1;
	opterr = 0;
	for (int c; (c = getopt(4, second, "ab:")) != -1;)
		printf("%d %d\n", c, optind);
	printf("%d %s %s %s\n", optind, second[1], second[2], second[3]);
	opterr = 1;
}

int main(void)
{
	setvbuf(stdout, NULL, _IONBF, 0);
	dup2(1, 2); /* the messages are compared, too */
	static const char *const shorts[] = {
		"ab:g::", "+ab:g::", "-ab:g::", ":ab:g::", "+:ab:g::", "-:ab:g::", "ab:W;v", ""};
	for (size_t i = 0; i < sizeof(shorts) / sizeof(*shorts); i++)
		parse_all(shorts[i]);
	setenv("POSIXLY_CORRECT", "1", 1);
	parse_all("ab:g::");
	parse_all("-ab:g::");
	unsetenv("POSIXLY_CORRECT");
	again();
	return 0;
}
