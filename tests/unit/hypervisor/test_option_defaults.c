/* SPDX-License-Identifier: MIT */
/* Defaults of inputs: each input is spelled or has none, what is spelled can be read again, and what is given replaces
 * it. */
#include "tests/unit/fakes/tap.h"

#include <stdlib.h>
#include <string.h>

#include "abi/sched_parameters.h"
#include "cmdline/time_option.h"
#include "session/file_times.h"
#include "session/option_defaults.h"
#include "option/option_table.h"
#include "session/session.h"
#include "eri/eri_manifest.h"

const char *const info_calls_unknown[UNKNOWN_KINDS] = {"probe", "stop", "enosys"};

static char text[2000]; /* the defaults, with a blank before each */

void session_given_add(struct record_given *given, const char *name, const char *value)
{
	(void)given;
	strcat(strcat(text, " --"), name);
	if (value)
		strcat(strcat(text, "="), value);
}

bool net_is_wanted(const struct net_config *config)
{
	return config->has_route;
}

static struct session options;
static char *inputs[8];
static char *environment[] = {"PATH=/bin", "A=1", NULL};

static void begin(void)
{
	memset(&options, 0, sizeof(options));
	memset(inputs, 0, sizeof(inputs));
	options.given.inputs = inputs;
	options.run.linux_program = true;
	options.run.cpu = (struct engine_cpu){.model = CPU_V3, .processors = 2};
	options.run.memory_bytes = 4096;
	options.run.uptime_s = 5;
	options.run.seed = 7;
	options.run.environment = environment;
	options.run.environment_count = 2;
	options.run.workdir = "/";
	options.run.file_times = DEFAULT_FILE_TIMES;
}

static void give(const char *option)
{
	inputs[options.given.input_count++] = (char *)option; /* never written to */
}

static const char *list(void)
{
	struct record_given to = {0};
	*text = 0;
	option_defaults_list(&options, &to);
	return text;
}

/* Whether an image takes the option with some value. */
static bool is_taken(const char *name)
{
	static const char *const values[] = {"", "=1", "=K=V", "=lines"};
	char option[64];
	for (unsigned i = 0; i < 4; i++) {
		snprintf(option, sizeof(option), "--%s%s", name, values[i]);
		if (eri_manifest_takes(option))
			return true;
	}
	return false;
}

static void test_every_input(void **state)
{
	unsigned taken = 0;
	(void)state;
	for (const struct option_row *option = option_table_run; option->name; option++) {
		if (!is_taken(option->name))
			continue;
		taken++;
		if (!option_table_is_input(option))
			fail_msg("--%s is in images, and no input", option->name);
	}
	assert_true(taken > 15);
	assert_false(option_table_is_input(option_table_find(option_table_run, "engine", 6)));
	assert_false(option_table_is_input(option_table_find(option_table_run, "save", 4)));
}

static void test_list(void **state)
{
	(void)state;
	begin();
	assert_string_equal(
		list(),
		" --seed=7 --epoch=1970-01-01T00:00:00Z --uptime=5 --memory=4096 --cpu=v3 --cpus=2 --layout-seed=seed"
		" --no-env --env=PATH=/bin --env=A=1 --workdir=/ --user=0:0 --file-times=content:1990-01-01T00:00:00Z"
		" --unknown-syscall=probe --stdin=lines --sched=fifo:slice=100ms --sched-seed=0"
		" --from=start");
	for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
		assert_true(option_defaults_takes(word));
		assert_true(eri_manifest_takes(word));
	}
	give("--seed=9"), give("--env=A=1"), give("--sched=pct"), give("--uptime=5"), give("--workdir=/tmp");
	options.net.has_route = true;
	options.run.linux_program = false;
	options.run.workdir = NULL;
	assert_string_equal(
		list(),
		" --epoch=1970-01-01T00:00:00Z --memory=4096 --cpu=v3 --cpus=2 --no-env --env=PATH=/bin --stdin=live"
		" --net-time=wall --sched-seed=0 --from=start");
	options.net.jumps = true;
	assert_non_null(strstr(list(), " --net-time=jump "));
	give("--net-time=wall");
	assert_null(strstr(list(), "net-time"));
	begin();
	give("--no-env"), give("--schedule=/f");
	options.schedule_path = "/f";
	options.run.tty = true;
	assert_string_equal(
		list(),
		" --seed=7 --epoch=1970-01-01T00:00:00Z --uptime=5 --memory=4096 --cpu=v3 --cpus=2 --layout-seed=seed"
		" --workdir=/ --user=0:0 --file-times=content:1990-01-01T00:00:00Z --unknown-syscall=probe");
}

static bool gives_way(const char *given, const char *kept)
{
	begin();
	give(given);
	return option_defaults_gives_way(&options.given, kept);
}

static void test_gives_way(void **state)
{
	(void)state;
	assert_true(gives_way("--seed=1", "--seed=0"));
	assert_false(gives_way("--sched-seed=1", "--seed=0"));
	assert_false(gives_way("--seed=1", "--sched-seed=0"));
	assert_true(gives_way("--no-env", "--no-env"));
	assert_true(gives_way("--no-env", "--env=A=1"));
	assert_true(gives_way("--env=A=2", "--env=A=1"));
	assert_false(gives_way("--env=AA=2", "--env=A=1"));
	assert_false(gives_way("--env=A=2", "--no-env"));
	assert_true(gives_way("--schedule=/f", "--sched=fifo"));
	assert_true(gives_way("--schedule=/f", "--sched-seed=0"));
	assert_true(gives_way("--schedule-near=/f", "--sched=fifo"));
	assert_false(gives_way("--sched-seed=1", "--sched=fifo"));
	assert_true(gives_way("--net=host", "--stdin=lines"));
	assert_false(gives_way("--strict-files", "--stdin=lines"));
}

static void test_takes(void **state)
{
	(void)state;
	assert_true(option_defaults_takes("--no-env"));
	assert_true(option_defaults_takes("--env=A=1"));
	assert_false(option_defaults_takes("--env=A"));
	assert_false(option_defaults_takes("--env"));
	assert_false(option_defaults_takes("--out=/tmp"));
	assert_false(option_defaults_takes("--bind=/:/host"));
	assert_false(option_defaults_takes("--net=host"));
	assert_false(option_defaults_takes("--seed"));
	assert_false(option_defaults_takes("seed=1"));
	assert_false(option_defaults_takes("--"));
	assert_false(option_defaults_takes(""));
}

static void test_complete(void **state)
{
	(void)state;
	begin();
	give("--seed=1"), give(strdup("--sched=pct:depth=5"));
	options.run.sched.boot.policy = SCHED_pct;
	options.run.sched.boot.parameters[SCHED_PARAMETER_pct_depth] = 5;
	option_defaults_complete(&options);
	assert_string_equal(inputs[0], "--seed=1");
	assert_string_equal(inputs[1], "--sched=pct:depth=5,steps=0,slice=100ms,delay=1000ms,from=0");
	option_defaults_complete(&options);
	assert_string_equal(inputs[1], "--sched=pct:depth=5,steps=0,slice=100ms,delay=1000ms,from=0");
	free(inputs[1]);
	begin();
	give(strdup("--sched=fifo"));
	option_defaults_complete(&options);
	assert_string_equal(inputs[0], "--sched=fifo:slice=100ms");
	free(inputs[0]);
	begin();
	give(strdup("--net-fault=refuse=1%,delay=1ms")), give("--net-fault=seed=7,loss=1%"),
		give("--net-fault=loss=1%,seed=7");
	options.run.faults.seed = 9;
	option_defaults_complete(&options);
	option_defaults_complete(&options);
	assert_string_equal(inputs[0], "--net-fault=refuse=1%,delay=1ms,seed=9");
	assert_string_equal(inputs[1], "--net-fault=seed=7,loss=1%");
	assert_string_equal(inputs[2], "--net-fault=loss=1%,seed=7");
	free(inputs[0]);
	begin();
	give("--file-times=bytecode"), give(strdup("--file-times=content"));
	option_defaults_complete(&options);
	option_defaults_complete(&options);
	assert_string_equal(inputs[0], "--file-times=bytecode");
	assert_string_equal(inputs[1], "--file-times=content:1990-01-01T00:00:00Z");
	free(inputs[1]);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_every_input), cmocka_unit_test(test_list),     cmocka_unit_test(test_gives_way),
	cmocka_unit_test(test_takes),       cmocka_unit_test(test_complete),
};

TAP_MAIN(tests)
