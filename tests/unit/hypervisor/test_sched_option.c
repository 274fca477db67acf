/* SPDX-License-Identifier: MIT */
/* --sched: what each value becomes, what is refused and in which words, and profiles. */
#include "tests/unit/fakes/tap.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi/sched_area.h"
#include "abi/sched_parameters.h"
#include "base/error.h"
#include "sched/sched_option.h"

static void test_what_is_taken(void **state)
{
	static const struct {
		const char *text;
		enum sched_policy_id policy;
		uint64_t parameters[SCHED_PARAMETERS];
		const char *described;
	} good[] = {
		{"fifo", SCHED_fifo, {0}, "fifo:slice=100ms"},
		{"fifo:slice=0", SCHED_fifo, {SCHED_NEVER}, "fifo:slice=0"},
		{"fifo:slice=1s", SCHED_fifo, {4000000000}, "fifo:slice=1000ms"},
		{"fifo:slice=25us", SCHED_fifo, {100000}, "fifo:slice=25000ns"},
		{"rr", SCHED_rr, {0}, "rr:quantum=40000000"},
		{"rr:quantum=1", SCHED_rr, {1}, "rr:quantum=1"},
		{"rr:quantum=1ns", SCHED_rr, {4}, "rr:quantum=4"},
		{"random:p=0.25", SCHED_random, {250000000}, "random:p=0.25,ticks=10000ns,delay=1000ms"},
		{"random:p=1", SCHED_random, {SCHED_CHANCE_ONE}, "random:p=1,ticks=10000ns,delay=1000ms"},
		{"random:p=0.000000001", SCHED_random, {1}, "random:p=0.000000001,ticks=10000ns,delay=1000ms"},
		{"random:ticks=2ms,p=.5", SCHED_random, {0}, NULL},
		{"pct:depth=5,steps=300", SCHED_pct, {5, 300}, "pct:depth=5,steps=300,slice=100ms,delay=1000ms,from=0"},
		{"pct:depth=2045", SCHED_pct, {2045}, "pct:depth=2045,steps=0,slice=100ms,delay=1000ms,from=0"},
		{"pct:steps=4294967295",
	         SCHED_pct,
	         {0, UINT32_MAX},
	         "pct:depth=3,steps=4294967295,slice=100ms,delay=1000ms,from=0"},
		{"pct:from=20,steps=9",
	         SCHED_pct,
	         {0, 9, 0, 20},
	         "pct:depth=3,steps=9,slice=100ms,delay=1000ms,from=20"},
		{"pos", SCHED_pos, {0}, "pos:slice=100ms,delay=1000ms"},
		{"pos:delay=0", SCHED_pos, {0, 0, 0, 0, 0, SCHED_NEVER}, "pos:slice=100ms,delay=0"},
		{"surw:delay=5ms", SCHED_surw, {0, 0, 0, 0, 0, 20000000}, "surw:slice=100ms,delay=5ms,object=0"},
		{"random:ticks=0", SCHED_random, {0, SCHED_NEVER}, "random:p=1,ticks=0,delay=1000ms"},
		{"surw", SCHED_surw, {0}, "surw:slice=100ms,delay=1000ms,object=0"},
		{"surw:object=0x1f00404040",
	         SCHED_surw,
	         {0, 0x1f00404040},
	         "surw:slice=100ms,delay=1000ms,object=0x1f00404040"},
		{"surw:object=any", SCHED_surw, {0, SCHED_OBJECT_ANY}, "surw:slice=100ms,delay=1000ms,object=any"},
		{"replay", SCHED_replay, {0}, "replay"},
	};
	struct error error;
	char text[256];
	(void)state;
	for (unsigned i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		struct sched_config config = {.boot.seed = 7};
		int result = sched_option_parse(good[i].text, &config, &error);
		if (!good[i].described) {
			assert_int_not_equal(result, 0);
			continue;
		}
		if (result)
			fail_msg("%s: %s", good[i].text, error.text);
		assert_int_equal(config.boot.policy, good[i].policy);
		assert_memory_equal(config.boot.parameters, good[i].parameters, sizeof(good[i].parameters));
		assert_int_equal(config.boot.seed, 7);
		sched_option_describe(&config.boot, text, sizeof(text));
		assert_string_equal(text, good[i].described);
		assert_null(config.counts);
	}
}

static void test_what_is_refused(void **state)
{
	static const struct {
		const char *text, *error;
	} bad[] = {
		{"", "there is no policy ''; there are fifo rr random pct pos surw replay"},
		{"rnadom", "there is no policy 'rnadom'; there are fifo rr random pct pos surw replay near; did you "
	                   "mean random?"},
		{"FIFO", "there is no policy 'FIFO'"},
		{"pct:", "there is no parameter of pct ''; there are depth steps slice delay from"},
		{"pct:depht=3",
	         "there is no parameter of pct 'depht'; there are depth steps slice delay from; did you mean depth?"},
		{"pct:depth", "depth needs a value, a number from 1 to 2045"},
		{"pct:depth=", "depth needs a value"},
		{"pct:depth=0", "depth=0: give a number from 1"},
		{"pct:depth=2046", "depth=2046: give a number from 1 to 2045"},
		{"pct:depth=4294967299", "depth=4294967299: give"},
		{"pct:steps=4294967296", "steps=4294967296: give"},
		{"pct:depth=x", "depth=x: give"},
		{"pct:depth=1,depth=2", "depth is given twice"},
		{"pct:depth=1,", "there is no parameter of pct ''"},
		{"fifo:slice=5", "slice=5: give a time such as 100ms, or 0 for never"},
		{"fifo:slice=5m", "slice=5m: give a time"},
		{"fifo:slice=-5ms", "slice=-5ms: give a time"},
		{"fifo:slice=99999999999s", "slice=99999999999s is too large: give at most 2305843009s"},
		{"fifo:slice=99999999999999999999s", "is too large"},
		{"rr:quantum=0", "quantum=0: give a number of ticks"},
		{"rr:quantum=9223372036854775808",
	         "quantum=9223372036854775808 is too large: give at most 2305843009s"},
		{"rr:quantum=18446744073709551616", "is too large: give at most 2305843009s"},
		{"random:p=0", "p=0: give a number above 0 and up to 1"},
		{"random:p=1.1", "p=1.1: give"},
		{"random:p=0.0000000001", "give a number above 0"},
		{"random:p=1e-3", "p=1e-3: give"},
		{"surw:object=x", "object=x: give an address"},
		{"surw:counts=1/x", "counts=1/x: give numbers with slashes between"},
		{"surw:counts=1,counts=2", "counts is given twice"},
		{"pos:reads=", "reads needs a value"},
		{"pos:reads=12", "reads=12: give at most 64 pairs of sites"},
		{"pos:reads=12-34/", "reads=12-34/: give at most 64 pairs"},
		{"pos:reads=12-80000000", "reads=12-80000000: give at most 64 pairs"},
		{"pos:reads=0-1", "reads=0-1: give at most 64 pairs"},
		{"pos:reads=!!1-2", "reads=!!1-2: give at most 64 pairs"},
		{"pos:reads=0x1-2", "reads=0x1-2: give at most 64 pairs"},
		{"pct:reads=1-2", "no parameter of pct 'reads'"},
		{"surw:counts=1,profile=/dev/null", "profile sets the counts, which are set already"},
		{"surw:profile=/no/such/file", "cannot read the profile /no/such/file: No such file"},
		{"surw:profile=/dev/null", "the profile /dev/null has no accounts of threads"},
		{"surw:profile=/dev/zero", "the profile /dev/zero is too large to be a summary"},
		{"replay:x=1", "there is no parameter of replay 'x'; there are none"},
	};
	struct error error;
	(void)state;
	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct sched_config config = {0};
		if (!sched_option_parse(bad[i].text, &config, &error) || !strstr(error.text, bad[i].error))
			fail_msg("%s: %s", bad[i].text, error.text);
		free(config.counts);
	}
}

static void test_reads(void **state)
{
	struct sched_config config = {0};
	struct error error;
	char text[8192], *at = stpcpy(text, "pos:reads=1-2");
	(void)state;
	assert_int_equal(sched_option_parse("pos:slice=1ms,reads=21F7d5-1/!7fffffff-a", &config, &error), 0);
	assert_int_equal(config.boot.counts, 2);
	assert_int_equal(config.counts[0], 0x21f7d500000001);
	assert_int_equal(config.counts[1], SCHED_PAIR_AVOIDED | 0x7fffffff0000000a);
	free(config.counts);
	for (unsigned i = 1; i < SCHED_CONSTRAINTS_MAX; i++)
		at = stpcpy(at, "/!3-4");
	config = (struct sched_config){0};
	assert_int_equal(sched_option_parse(text, &config, &error), 0);
	assert_int_equal(config.boot.counts, SCHED_CONSTRAINTS_MAX);
	assert_int_equal(config.counts[SCHED_CONSTRAINTS_MAX - 1], SCHED_PAIR_AVOIDED | 0x300000004);
	free(config.counts);
	stpcpy(at, "/5-6");
	config = (struct sched_config){0};
	assert_int_equal(sched_option_parse(text, &config, &error), -ERANGE);
	free(config.counts);
}

static void test_counts(void **state)
{
	struct sched_config config = {0};
	static char text[SCHED_COUNTS_MAX * 16];
	struct error error;
	char *at = stpcpy(text, "surw:counts=0");
	(void)state;
	assert_int_equal(sched_option_parse("surw:counts=100/0/7,slice=1ms", &config, &error), 0);
	assert_int_equal(config.boot.counts, 3);
	assert_int_equal(config.counts[0], 100);
	assert_int_equal(config.counts[1], 0);
	assert_int_equal(config.counts[2], 7);
	free(config.counts);
	config = (struct sched_config){0};
	for (unsigned i = 1; i < SCHED_COUNTS_MAX; i++)
		at = stpcpy(at, "/1099511627776");
	assert_int_equal(sched_option_parse(text, &config, &error), 0);
	assert_int_equal(config.boot.counts, SCHED_COUNTS_MAX);
	assert_int_equal(config.counts[SCHED_COUNTS_MAX - 1], 1UL << 40);
	free(config.counts);
	config = (struct sched_config){0};
	strcpy(at, "/1");
	assert_int_not_equal(sched_option_parse(text, &config, &error), 0);
	free(config.counts);
}

/* Parses with a profile of this text. */
static int parse_profile(const char *profile, struct sched_config *config, struct error *error)
{
	char name[] = "/tmp/eremite-profile-XXXXXX", option[64];
	int fd = mkstemp(name);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, profile, strlen(profile)), (ssize_t)strlen(profile));
	close(fd);
	snprintf(option, sizeof(option), "surw:profile=%s", name);
	*config = (struct sched_config){0};
	int result = sched_option_parse(option, config, error);
	unlink(name);
	return result;
}

static void test_profiles(void **state)
{
	static const char *const bad[] = {
		"",
		"{",
		"[]",
		"{\"threads\": 3}",
		"{\"threads\": []}",
		"{\"threads\": [3]}",
		"{\"threads\": [{\"thread\": 0, \"decisions\": 1}]}",
		"{\"threads\": [{\"thread\": 1.5, \"decisions\": 1}]}",
		"{\"threads\": [{\"thread\": 1, \"decisions\": -1}]}",
		"{\"threads\": [{\"thread\": 1, \"decisions\": 1e300}]}",
		"{\"threads\": [{\"thread\": 1}]}",
		"{\"threads\": [{\"thread\": 99999, \"decisions\": 1}]}",
	};
	struct sched_config config;
	struct error error;
	(void)state;
	if (parse_profile(
		    "{\"x\": 1, \"threads\": [{\"thread\": 3, \"decisions\": 55}, {\"thread\": 1, \"name\": \"m\", "
		    "\"decisions\": 2}, {\"thread\": 99999, \"decisions\": 1}]}",
		    &config, &error))
		fail_msg("%s", error.text);
	assert_int_equal(config.boot.counts, 3);
	assert_int_equal(config.counts[0], 2);
	assert_int_equal(config.counts[1], 0);
	assert_int_equal(config.counts[2], 55);
	free(config.counts);
	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		if (!parse_profile(bad[i], &config, &error))
			fail_msg("%s is taken", bad[i]);
		free(config.counts);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_what_is_taken), cmocka_unit_test(test_what_is_refused), cmocka_unit_test(test_counts),
	cmocka_unit_test(test_reads),         cmocka_unit_test(test_profiles),
};

TAP_MAIN(tests)
