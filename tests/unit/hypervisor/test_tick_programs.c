/* SPDX-License-Identifier: MIT */
/* Made-up programs with the sites of --clock work: they compute what they compute without; the ticks are those of the
 * sites that a run without them, step by step, has passed; and in no loop a round passes none, if the planner says that
 * each loop has one. EREMITE_SEED and EREMITE_STEPS choose the first program, and how many. */
#include "tests/unit/fakes/tap.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "code/code_scan.h"
#include "code/ticks/tick_plan.h"
#include "tests/unit/ticks/program.h"
#include "tests/unit/ticks/run.h"

#define PROGRAMS 250
#define FUEL_MAX 60

static struct {
	unsigned long sites, groups, counted, loops, steps, traps, left, whole, died;
} seen;

static struct program program;
static struct code_scan scan;
static struct tick_counts counts;
static struct run_trace trace;
static uint64_t seed;

static uint64_t number(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);
	return text ? strtoull(text, NULL, 0) : otherwise;
}

/* Writes the program into a file, and prints its sites. */
static void show_program(void)
{
	FILE *file = fopen(getenv("EREMITE_SHOW"), "w");
	if (file) {
		fwrite(program.file, 1, sizeof(program.file), file);
		fclose(file);
	}
	for (size_t i = 0; i < scan.count; i++)
		fprintf(stderr, "# %#llx: kind %#x, %u+%u bytes, %u ticks\n",
		        (unsigned long long)(scan.patches[i].offset - PROGRAM_CODE_OFFSET + PROGRAM_CODE),
		        scan.patches[i].kind, scan.patches[i].length, scan.patches[i].after,
		        code_ticks(&scan.patches[i]));
}

static void report_program(const char *what)
{
	fprintf(stderr, "# %s; again: EREMITE_SEED=%llu EREMITE_STEPS=1\n", what, (unsigned long long)seed);
	if (getenv("EREMITE_SHOW"))
		show_program();
	fail_msg("%s", what);
}

static void plan_program(void)
{
	static const struct code_points none;
	struct error error;
	code_scan_fini(&scan);
	counts = (struct tick_counts){0};
	program_make(&program, seed);
	assert_int_equal(code_scan_elf(program.file, sizeof(program.file), &none, &scan, &error), 0);
	assert_int_equal(tick_plan_add(program.file, sizeof(program.file), &scan, &counts, &error), 0);
	if (!code_scan_is_possible(scan.patches, scan.count, sizeof(program.file)))
		report_program("the patches are not possible");
	for (size_t i = 0; i < scan.count; i++) {
		seen.sites += code_is_tick(scan.patches[i].kind);
		seen.groups += scan.patches[i].after != 0;
		seen.counted += scan.patches[i].kind == CODE_TICK_COUNT;
		seen.loops += scan.patches[i].kind == CODE_LOOP;
	}
}

static struct run_registers draw_registers(uint64_t random)
{
	struct run_registers registers = {.flags = 0x202 | (random & 0x8d5)};
	for (unsigned i = 0; i < 16; i++) {
		random = random * 6364136223846793005 + 1442695040888963407;
		registers.general[i] = random >> (random % 3 * 20);
	}
	registers.general[7] = PROGRAM_BUFFER;
	registers.general[14] = random >> 33 & (FUEL_MAX - 1);
	registers.general[4] = 0; /* rsp is the run's own */
	return registers;
}

static bool is_same(const struct run_result *a, const struct run_result *b)
{
	return a->end == b->end && !memcmp(&a->registers, &b->registers, sizeof(a->registers)) &&
	       !memcmp(a->data, b->data, sizeof(a->data));
}

/* The site at an offset in the code, or NULL. */
static const struct code_patch *site_at(uint16_t at)
{
	for (size_t i = 0; i < scan.count; i++)
		if (code_is_tick(scan.patches[i].kind) &&
		    scan.patches[i].offset + scan.patches[i].before == PROGRAM_CODE_OFFSET + at)
			return &scan.patches[i];
	return NULL;
}

/* By how much a step changes the number of calls that are still to return. */
static int depth_change(uint16_t at)
{
	const uint8_t *code = program.file + PROGRAM_CODE_OFFSET + at;
	return code[0] == 0xc3 ? -1 : code[0] == 0xe8 || (code[0] == 0xff && code[1] == 0xd0);
}

/* The ticks of the sites that the trace passes. Also looks for instructions that are executed again and again between
 * two sites. Calls of small functions without a site execute these once each; what follows the return of a call from
 * before the last site is paid for by that call's. */
static uint64_t count_ticks(void)
{
	static unsigned times[PROGRAM_CODE_BYTES], window_of[PROGRAM_CODE_BYTES];
	const bool is_covered =
		!counts.loops_without && !counts.jumps_without && !counts.entries_without && !program.has_wrong_tables;
	unsigned window = 1;
	int depth = 0, least = 0;
	uint64_t ticks = 0;
	memset(window_of, 0, sizeof(window_of));
	for (unsigned i = 0; i < trace.count; i++) {
		const uint16_t at = trace.at[i];
		const struct code_patch *site = site_at(at);
		const bool is_counted = site && site->kind == CODE_TICK_COUNT;
		if (is_counted)
			ticks += (uint64_t)trace.rcx[i] * code_ticks(site) / CODE_TICK_PARTS;
		else if (site)
			ticks += code_ticks(site);
		times[at] = window_of[at] == window ? times[at] + 1 : 1;
		window_of[at] = window;
		if (is_covered && times[at] > 1 + program.calls) {
			fprintf(stderr, "# at %#lx\n", PROGRAM_CODE + at);
			report_program("a loop passes no site in many rounds, and the planner says that each has one");
		}
		depth += depth_change(at);
		const bool is_paid = (site && !is_counted) || depth < least;
		window += is_paid;
		least = is_paid ? depth : least;
	}
	seen.whole += is_covered;
	return ticks;
}

static void check_made_program(void)
{
	static struct run_result plain, stepped, planned, trapped;
	const struct run_registers registers = draw_registers(seed);
	const unsigned left = seed % 3 ? 1U << 20 : 1 + (unsigned)(seed % 61);
	plan_program();
	run_program(&program, &registers, NULL, 0, 1, &plain);
	if (plain.end != RUN_DONE) {
		seen.died++;
		return;
	}
	run_program(&program, &registers, scan.patches, scan.count, left, &planned);
	if (planned.end != RUN_DONE) {
		fprintf(stderr, "# signal %d at %#llx\n", planned.signal, (unsigned long long)planned.rip);
		report_program("with sites it dies");
	}
	if (!is_same(&plain, &planned)) {
		for (unsigned i = 0; i < 16; i++)
			if (plain.registers.general[i] != planned.registers.general[i])
				fprintf(stderr, "# register %u: %#llx, with sites %#llx\n", i,
				        (unsigned long long)plain.registers.general[i],
				        (unsigned long long)planned.registers.general[i]);
		report_program("with sites it computes something else");
	}
	run_program_trapped(&program, &registers, scan.patches, scan.count, left, seed, &trapped);
	if (!is_same(&planned, &trapped) || trapped.ticks != planned.ticks)
		report_program("with traps in rounds that have one check it computes or charges something else");
	run_steps(&program, &registers, &trace, &stepped);
	if (stepped.end != RUN_DONE || !is_same(&plain, &stepped))
		report_program("step by step it computes something else");
	const uint64_t ticks = count_ticks();
	if (ticks != planned.ticks) {
		fprintf(stderr, "# %llu ticks charged, %llu expected\n", (unsigned long long)planned.ticks,
		        (unsigned long long)ticks);
		report_program("the ticks are not those of the sites passed");
	}
	seen.steps += trace.count;
	seen.traps += planned.traps;
	seen.left += trapped.left;
}

/* Programs that failed once. */
static const uint64_t found[] = {5093694, 5094867};

static void test_programs(void **state)
{
	const uint64_t first = number("EREMITE_SEED", 1), programs = number("EREMITE_STEPS", PROGRAMS);
	(void)state;
	for (seed = first; seed < first + programs; seed++)
		check_made_program();
	for (size_t i = 0; i < sizeof(found) / sizeof(found[0]); i++) {
		seed = found[i];
		check_made_program();
	}
	printf("# %lu sites, of them %lu of several instructions, %lu by a count; %lu loops that can be copied; %lu "
	       "steps, %lu traps, %lu times rounds were left; %lu of %lu "
	       "programs with all "
	       "loops, %lu died\n",
	       seen.sites, seen.groups, seen.counted, seen.loops, seen.steps, seen.traps, seen.left, seen.whole,
	       (unsigned long)programs, seen.died);
	if (programs >= PROGRAMS)
		assert_true(seen.sites > programs && seen.groups > programs / 2 && seen.counted && seen.loops &&
		            seen.whole > programs / 20 && seen.died < programs / 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_programs)};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	const int failed = cmocka_run_group_tests(tests, NULL, NULL);
	code_scan_fini(&scan);
	return failed;
}
