/* SPDX-License-Identifier: MIT */
/* Tables of what users of rr, strace, docker, perf and of other verbs type first. */
#include "cmdline/other_words.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "option/option_table.h"

struct word {
	const char *name, *instead;
};

static const struct word peer_verbs[] = {
	{"record", "type 'eremite run --record DIR PROGRAM'"},
	{"rec", "type 'eremite run --record DIR PROGRAM'"},
	{"replay", "type 'eremite run --replay DIR'"},
	{"rerun", "type 'eremite run --replay DIR' for a recording, or 'eremite run FILE.eri' for a sealed image"},
	{"trace",
         "type 'eremite run --strace PROGRAM' for its kernel calls, 'eremite run --trace DIR PROGRAM' for a trace "
         "of all events, or 'eremite run --files-out FILE' for "
         "what it reads"},
	{"strace", "type 'eremite run --strace PROGRAM'"},
	{"stat", "type 'eremite run --summary PROGRAM'"},
	{"exec", "type 'eremite run PROGRAM'"},
	{"start", "type 'eremite run PROGRAM'"},
	{"shell", "type 'eremite run --tty bash'"},
	{"chaos", "type 'eremite search PROGRAM'"},
	{"fuzz", "type 'eremite search PROGRAM'"},
	{"test",
         "type 'eremite search PROGRAM' to try its schedules, or 'eremite run --verify PROGRAM' to compare two runs"},
	{"check", "type 'eremite verify FILE.eri' for a sealed image, or 'eremite run --verify PROGRAM'"},
	{"explain", "type 'eremite analyze --search FILE'"},
	{"bisect", "type 'eremite analyze --search FILE'"},
	{"minimize", "type 'eremite analyze --search FILE'"},
	{"gdb", "type 'eremite debug PROGRAM'; docs/debugging.md says what works"},
	{"build", "type 'eremite pack -o FILE.eri -- PROGRAM'"},
	{"seal", "type 'eremite pack -o FILE.eri -- PROGRAM'"},
	{"save", "type 'eremite pack -o FILE.eri -- PROGRAM', or 'eremite run --save PROGRAM' to keep its files"},
	{"commit", "type 'eremite pack -o FILE.eri -- PROGRAM'"},
	{"load", "type 'eremite pack -o FILE.eri --from-oci IMAGE' for the image of a container"},
	{"import", "type 'eremite pack -o FILE.eri --from-oci IMAGE' for the image of a container"},
	{"pull", "type 'skopeo copy docker://NAME oci:IMAGE', then 'eremite pack -o FILE.eri --from-oci IMAGE'"},
	{"unpack", "type 'eremite extract FILE DIRECTORY'"},
	{"inspect", "type 'eremite info FILE'"},
	{"show", "type 'eremite info FILE'"},
	{"dump", "type 'eremite info DIR' for a recording"},
	{"ls", "type 'eremite info FILE'"},
	{"list", "type 'eremite info FILE'"},
	{"doctor", "type 'eremite info --host'"},
	{NULL, NULL},
};

static const struct word peer_options[] = {
	{"interactive", "--tty gives the program your terminal"},
	{"rm", "leave it out: a run keeps nothing, unless --save, --out or --record is given"},
	{"detach", "leave it out, and end the line with &"},
	{"volume", "type --bind HOST:GUEST[:ro]"},
	{"mount", "type --bind HOST:GUEST[:ro]"},
	{"port", "type --publish HOSTPORT:GUESTPORT"},
	{"network", "type --net host to permit the network outside"},
	{"chdir", "type --workdir DIR"},
	{"cwd", "type --workdir DIR"},
	{"rootfs", "type --root DIR"},
	{"chroot", "type --root DIR"},
	{"env-file", "give each variable by --env K=V"},
	{"hostname", "the guest's name is eremite; give the program another one by --env HOSTNAME=NAME"},
	{"name", "leave it out: runs have no names"},
	{"entrypoint", "give the program and its arguments as PROGRAM ARG..."},
	{"read-only", "leave it out: nothing is written to the host, unless --save or --out is given"},
	{"privileged", "leave it out: the program is root in a machine of its own"},
	{"chaos", "type 'eremite search PROGRAM'"},
	{"output-dir", "type --out DIR"},
	{"date", "type --epoch TIME"},
	{"faketime", "type --epoch TIME"},
	{"random-seed", "type --seed N"},
	{"threads", "type --cpus N"},
	{"batch", "type -batch before the other options of 'eremite debug'"},
	{"listen", "type --listen before the other options of 'eremite debug'"},
	{"at", "type --at before the other options of 'eremite debug'"},
	{NULL, NULL},
};

/* Of docker run, where -v, -e and -h mean something. */
static const struct word peer_letters[] = {
	{"i", "--tty gives the program your terminal"},
	{"t", "--tty gives the program your terminal"},
	{"d", "end the line with & to run in the background"},
	{"p", "type --publish HOSTPORT:GUESTPORT"},
	{"w", "type --workdir DIR"},
	{"u", "type --user UID:GID"},
	{"m", "type --memory SIZE"},
	{"c", "give the program and its arguments, such as sh -c 'COMMAND'"},
	{"o", "type --out DIR for the files that it leaves in /out, or > FILE for its output"},
	{"s", "type --seed N, or --summary"},
	{"b", "type -batch before the other options of 'eremite debug'"},
	{"x", "type -x FILE before the other options of 'eremite debug'"},
	{NULL, NULL},
};

static const char *find_word(const struct word *words, const char *name, size_t length)
{
	for (; words->name; words++)
		if (strlen(words->name) == length && !strncmp(words->name, name, length))
			return words->instead;
	return NULL;
}

/* Whether a verb makes runs with a command line of its own, so that hints for `eremite run` fit. */
static bool makes_runs(const char *verb)
{
	return !strcmp(verb, "run") || !strcmp(verb, "search") || !strcmp(verb, "analyze") || !strcmp(verb, "pack");
}

const char *other_words_verb(const char *word)
{
	return find_word(peer_verbs, word, strlen(word));
}

const char *other_words_option(const char *verb, const char *name, size_t length)
{
	static char text[160];
	const char *owner = option_table_owner(name, length);
	if (owner && strcmp(owner, verb)) {
		snprintf(text, sizeof(text), "it is an option of 'eremite %s'; see 'eremite %s --help'", owner, owner);
		return text;
	}
	return makes_runs(verb) ? find_word(peer_options, name, length) : NULL;
}

const char *other_words_letter(const char *verb, char letter)
{
	return makes_runs(verb) ? find_word(peer_letters, &letter, 1) : NULL;
}
