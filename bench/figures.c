/* SPDX-License-Identifier: MIT */
/* The figures that Eremite promises, each beside its peers in the same run: one table.
 *
 * Every row is a command, with each engine that the host has, and what it is compared with. A whole process is timed by
 * the wall clock. A rate is processor time: the difference between runs of two counts, divided by the difference of the
 * counts, so that what it costs to start drops out. A target in units is met by the median, a target against a peer by
 * the minimum, which other work on the machine disturbs least. Runs in the build directory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "counts.h"
#include "figure.h"
#include "parts.h"
#include "runner.h"
#include "ticks.h"

#define PEERS_MAX FIGURE_PEERS_MAX
#define COMMAND_BYTES 512
#define LIMIT_S 12.0

/* Each row is run with each engine that the host has, the first of which the targets are judged by. */
#define ENGINES 2
#define SIDES_MAX (ENGINES + PEERS_MAX)
#define RUN FIGURE_RUN
#define QEMU \
	"qemu-system-x86_64 -display none -nodefaults -no-user-config -no-reboot " \
	"-device isa-debug-exit,iobase=0xf4,iosize=1 "

static const struct figure figures[] = {
	{.name = "hello, whole process",
         .kind = FIGURE_WALL,
         .command = RUN "apps/hello",
         .rounds = 60,
         .peers = {{"bare KVM guest of one instruction", "bench/kvm_floor", 0},
                   {"eremite --version, no guest", "./eremite --version", 0},
                   {"static musl process", "bench/hello-musl", 0},
                   {"glibc process", "bench/hello-glibc", 0},
                   {"bwrap, glibc process", "bwrap --ro-bind / / bench/hello-glibc", 0},
                   {"without walls, kvm", RUN "--engine kvm --no-confine apps/hello", 0},
                   {"without walls, process", RUN "--engine process --no-confine apps/hello", 0}},
         .unit = "ms",
         .unit_s = 1e-3,
         .at_most = 3,
         .process_at_most = 2.3},
	{.name = "hello, whole process",
         .kind = FIGURE_WALL,
         .command = RUN "apps/hello",
         .rounds = 15,
         .peers = {{"QEMU TCG microvm, kernel of two instructions", QEMU "-M microvm -m 16M -kernel bench/pvh_exit",
                    1}},
         .unit = "ms",
         .unit_s = 1e-3,
         .at_most = 3},
	{.name = "hello, on a PC",
         .kind = FIGURE_WALL,
         .command = RUN "apps/hello",
         .rounds = 5,
         .peers = {{"QEMU TCG pc, the same image",
                    QEMU "-M pc -m 528 -serial null -kernel apps/hello -append eremite.memory=512M", 1}},
         .unit = "ms",
         .unit_s = 1e-3},
	{.name = "nbody, a step (-fno-ticks)",
         .kind = FIGURE_RATE,
         .command = RUN "--root bench/root bench/plain/nbody --steps %n solar.csv",
         .rounds = 9,
         .peers = {{"native gcc -O2", "native/nbody --steps %n --out bench bench/root/solar.csv", 0}},
         .low = 1000,
         .high = 501000,
         .unit = "us",
         .unit_s = 1e-6,
         .ratio = 1.02,
         .process_ratio = 1.01},
	{.name = "matrix product (-fno-ticks)",
         .kind = FIGURE_RATE,
         .command = RUN "bench/plain/compute matmul %n",
         .rounds = 9,
         .peers = {{"native gcc -O2", "bench/compute matmul %n", 0}},
         .low = 2,
         .high = 152,
         .unit = "ms",
         .unit_s = 1e-3,
         .ratio = 1.02,
         .process_ratio = 1.01},
	{.name = "integer hash over 1 MiB (-fno-ticks)",
         .kind = FIGURE_RATE,
         .command = RUN "bench/plain/compute hash %n",
         .rounds = 9,
         .peers = {{"native gcc -O2", "bench/compute hash %n", 0}},
         .low = 10,
         .high = 310,
         .unit = "ms",
         .unit_s = 1e-3,
         .ratio = 1.02,
         .process_ratio = 1.01},
	{.name = "branches (3n+1) (-fno-ticks)",
         .kind = FIGURE_RATE,
         .command = RUN "bench/plain/compute branch %n",
         .rounds = 9,
         .peers = {{"native gcc -O2", "bench/compute branch %n", 0}},
         .low = 1,
         .high = 91,
         .unit = "ms",
         .unit_s = 1e-3,
         .ratio = 1.02,
         .process_ratio = 1.01},
	{.name = "getpid",
         .kind = FIGURE_RATE,
         .command = RUN "bench/micro.eremite getpid %n",
         .rounds = 7,
         .peers = {{"native", "bench/micro getpid %n", 0}},
         .low = 100000,
         .high = 1100000,
         .unit = "ns",
         .unit_s = 1e-9,
         .at_most = 10},
	{.name = "open, read 4 KiB, close; tmpfs",
         .kind = FIGURE_RATE,
         .command = RUN "bench/micro.eremite file %n /tmp/page",
         .rounds = 7,
         .peers = {{"native", "bench/micro file %n /dev/shm/eremite-bench-page", 0}},
         .low = 20000,
         .high = 220000,
         .unit = "us",
         .unit_s = 1e-6,
         .at_most = 0.4},
	{.name = "open, read 4 KiB, close; root",
         .kind = FIGURE_RATE,
         .command = RUN "--root bench/root bench/micro.eremite file %n /page",
         .rounds = 7,
         .peers = {{"native", "bench/micro file %n bench/root/page", 0}},
         .low = 20000,
         .high = 220000,
         .unit = "us",
         .unit_s = 1e-6,
         .at_most = 0.4},
	{.name = "1M lines to a pipe, puts",
         .kind = FIGURE_WALL,
         .command = RUN "bench/micro.eremite puts 1000000",
         .rounds = 7,
         .peers = {{"native", "bench/micro puts 1000000", 0}},
         .unit = "ms",
         .unit_s = 1e-3,
         .ratio = 1,
         .pipe = true},
	{.name = "1M lines to a pipe, printf",
         .kind = FIGURE_WALL,
         .command = RUN "bench/micro.eremite printf 1000000",
         .rounds = 7,
         .peers = {{"native", "bench/micro printf 1000000", 0}},
         .unit = "ms",
         .unit_s = 1e-3,
         .ratio = 1,
         .pipe = true},
	{.name = "1M lines to a pipe, fwrite",
         .kind = FIGURE_WALL,
         .command = RUN "bench/micro.eremite fwrite 1000000",
         .rounds = 7,
         .peers = {{"native", "bench/micro fwrite 1000000", 0}},
         .unit = "ms",
         .unit_s = 1e-3,
         .ratio = 1,
         .pipe = true},
	{.name = "1 GiB mapped, touched, unmapped: first",
         .kind = FIGURE_RATE,
         .command = RUN "--memory 2G bench/micro.eremite map %n 0x40000000",
         .rounds = 5,
         .peers = {{"native, 4 KiB pages", "bench/micro map %n 0x40000000", 0}},
         .low = 0,
         .high = 1,
         .unit = "ms",
         .unit_s = 1e-3,
         .ratio = 1,
         .process_ratio = 1.2},
	{.name = "1 GiB mapped, touched, unmapped: again",
         .kind = FIGURE_RATE,
         .command = RUN "--memory 2G bench/micro.eremite map %n 0x40000000",
         .rounds = 5,
         .peers = {{"native, 4 KiB pages", "bench/micro map %n 0x40000000", 0}},
         .low = 1,
         .high = 3,
         .unit = "ms",
         .unit_s = 1e-3,
         .ratio = 1},
	{.name = "64 KiB mapped, touched, unmapped",
         .kind = FIGURE_RATE,
         .command = RUN "bench/micro.eremite map %n 0x10000",
         .rounds = 5,
         .peers = {{"native, 4 KiB pages", "bench/micro map %n 0x10000", 0}},
         .low = 100,
         .high = 1100,
         .unit = "us",
         .unit_s = 1e-6},
	{.name = "threads: sched_yield to another",
         .kind = FIGURE_RATE,
         .command = RUN "bench/threads.eremite yield %n",
         .rounds = 9,
         .peers = {{"native, on one processor", "bench/threads yield %n", 0}},
         .low = 100000,
         .high = 3100000,
         .unit = "ns",
         .unit_s = 1e-9,
         .at_most = 60},
	{.name = "threads: lock and unlock",
         .kind = FIGURE_RATE,
         .command = RUN "bench/threads.eremite lock %n",
         .rounds = 9,
         .peers = {{"native, on one processor", "bench/threads lock %n", 0}},
         .low = 1000000,
         .high = 51000000,
         .unit = "ns",
         .unit_s = 1e-9,
         .at_most = 8},
	{.name = "threads: contended hand-over",
         .kind = FIGURE_RATE,
         .command = RUN "bench/threads.eremite handover %n",
         .rounds = 9,
         .peers = {{"native, on one processor", "bench/threads handover %n", 0}},
         .low = 100000,
         .high = 1100000,
         .unit = "ns",
         .unit_s = 1e-9,
         .at_most = 150},
	{.name = "threads: create and join",
         .kind = FIGURE_RATE,
         .command = RUN "bench/threads.eremite create %n",
         .rounds = 9,
         .peers = {{"native, on one processor", "bench/threads create %n", 0}},
         .low = 1000,
         .high = 101000,
         .unit = "us",
         .unit_s = 1e-6,
         .at_most = 1},
	{.name = "hello image, stripped",
         .kind = FIGURE_SIZE,
         .command = "bench/hello.stripped",
         .peers = {{"static musl, stripped", "bench/hello-musl", 0}},
         .unit = "KB",
         .unit_s = 1e3,
         .at_most = 200},
	{.name = "hello, peak memory without libraries",
         .kind = FIGURE_PEAK,
         .command = RUN "apps/hello",
         .peers = {{"glibc process", "bench/hello-glibc", 0}},
         .unit = "MB",
         .unit_s = 1e6,
         .at_most = 6},
	{.name = NULL},
};

/* What was measured of one side of a row, in units. */
struct value {
	double min, median;
	char refused[128];
};

static const char *const engines[ENGINES] = {"kvm", "process"};
static bool has_engine[ENGINES];

static FILE *raw;
static unsigned missed;

static struct value from_series(const struct figure *figure, struct series *low, struct series *high, bool of_cpu)
{
	struct value value = {0};
	if (low->refused[0] || (high && high->refused[0])) {
		snprintf(value.refused, sizeof(value.refused), "%s", low->refused[0] ? low->refused : high->refused);
		return value;
	}
	if (high) {
		double operations = (double)(figure->high - figure->low);
		double *more = figure->kind == FIGURE_RATE ? high->cpu_s : high->wall_s,
		       *less = figure->kind == FIGURE_RATE ? low->cpu_s : low->wall_s;
		value.min = runner_min(more, high->samples) - runner_min(less, low->samples);
		value.median = runner_median(more, high->samples) - runner_median(less, low->samples);
		value.min /= operations;
		value.median /= operations;
	} else {
		double *samples = of_cpu ? low->cpu_s : low->wall_s;
		value.min = runner_min(samples, low->samples);
		value.median = runner_median(samples, low->samples);
	}
	value.min /= figure->unit_s;
	value.median /= figure->unit_s;
	return value;
}

static bool is_rate(const struct figure *figure)
{
	return figure->kind == FIGURE_RATE || figure->kind == FIGURE_TURN;
}

/* A command with the name of an engine in the place of %e. */
static const char *with_engine(const char *command, unsigned engine, char text[COMMAND_BYTES])
{
	const char *name = strstr(command, "%e");
	if (!name)
		return command;
	snprintf(text, COMMAND_BYTES, "%.*s%s%s", (int)(name - command), command, engines[engine], name + 2);
	return text;
}

/* The command of a row for one engine. NULL: this host does not have it, or no guest is run. */
static const char *command_of(const struct figure *figure, unsigned engine)
{
	static char texts[ENGINES][COMMAND_BYTES];
	const size_t run = strlen(RUN);
	bool inserts = !strncmp(figure->command, RUN, run);
	if (!inserts && !strstr(figure->command, "%e"))
		return engine ? NULL : figure->command;
	if (!has_engine[engine])
		return NULL;
	if (!inserts)
		return with_engine(figure->command, engine, texts[engine]);
	snprintf(texts[engine], COMMAND_BYTES, RUN "--engine %s %s", engines[engine], figure->command + run);
	return texts[engine];
}

/* The command of a peer, or one that prepares a row: for the engine by which the targets are judged. */
static const char *command_beside(const char *command, char text[COMMAND_BYTES])
{
	return with_engine(command, has_engine[0] ? 0 : 1, text);
}

/* Runs the command that prepares a row. Returns whether it could. */
static bool prepare(const struct figure *figure)
{
	static struct series runs[2];
	struct series *list[] = {&runs[0], &runs[1]};
	char text[COMMAND_BYTES];
	if (!figure->prepare)
		return true;
	for (unsigned i = 0; i < 2; i++)
		runs[i] = (struct series){.command = command_beside(figure->prepare, text),
		                          .count = i ? figure->high : figure->low};
	runner_measure(list, 2, 0, 0);
	for (unsigned i = 0; i < 2; i++)
		if (runs[i].refused[0]) {
			printf("%-39s left out: what prepares it failed, %s\n", figure->name, runs[i].refused);
			return false;
		}
	return true;
}

/* Times the command of a row with each engine and those of its peers, in turns. Also sets the processor times, if the
 * row has them. */
static void time_row(const struct figure *figure, struct value values[SIDES_MAX], struct value cpu[SIDES_MAX])
{
	static struct series all[2 * SIDES_MAX];
	static char texts[PEERS_MAX][COMMAND_BYTES];
	struct series *list[2 * SIDES_MAX];
	unsigned sides = ENGINES, used = 0, each = is_rate(figure) ? 2 : 1;
	while (sides < SIDES_MAX && figure->peers[sides - ENGINES].name)
		sides++;
	for (unsigned i = 0; i < sides; i++)
		for (unsigned j = 0; j < each; j++) {
			const struct peer *peer = i < ENGINES ? NULL : &figure->peers[i - ENGINES];
			all[used] = (struct series){
				.command = peer ? command_beside(peer->command, texts[i - ENGINES])
			                        : command_of(figure, i),
				.expect = peer ? peer->expect : 0,
				.count = j ? figure->high : figure->low,
				.pipe = figure->pipe,
			};
			if (!all[used].command)
				snprintf(all[used].refused, sizeof(all[used].refused), "-");
			list[used] = &all[used];
			used++;
		}
	runner_measure(list, used, figure->rounds, LIMIT_S);
	for (unsigned i = 0; i < sides; i++) {
		values[i] = from_series(figure, &all[i * each], each == 2 ? &all[i * each + 1] : NULL, false);
		if (!all[i * each].command)
			snprintf(values[i].refused, sizeof(values[i].refused), "-");
		cpu[i] = values[i];
		if (figure->has_cpu && !values[i].refused[0])
			cpu[i] = from_series(figure, &all[i * each], NULL, true);
	}
}

static struct value one_value(const struct figure *figure, const char *command)
{
	struct value value = {0};
	struct stat st;
	double bytes = -1;
	if (!command) {
		snprintf(value.refused, sizeof(value.refused), "-");
		return value;
	}
	if (figure->kind == FIGURE_JUMPS)
		bytes = runner_jumps(command, FIGURE_SUMMARY);
	else if (figure->kind == FIGURE_PEAK)
		bytes = (double)runner_peak_bytes(command);
	else if (stat(command, &st) == 0)
		bytes = (double)st.st_size;
	if (bytes < 0)
		snprintf(value.refused, sizeof(value.refused), "cannot be measured");
	value.min = value.median = bytes / figure->unit_s;
	return value;
}

static const char *number(double value, char text[16])
{
	snprintf(text, 16, value < 10 ? "%.3f" : value < 100 ? "%.2f" : "%.1f", value);
	return text;
}

/* Whether a target is met, as text; "" without one. Counts those that are missed. */
static const char *judge(bool is_target, const struct value *ours, bool is_met)
{
	if (!is_target)
		return "";
	bool met = !ours->refused[0] && is_met;
	missed += !met;
	return met ? "yes" : "no";
}

static void print_targets(const struct figure *figure, const struct value values[SIDES_MAX])
{
	const struct value *kvm = &values[0], *process = &values[1];
	const struct value *first = kvm->refused[0] ? process : kvm;
	char target[32] = "";
	bool is_met = true;
	if (figure->at_most > 0) {
		snprintf(target, sizeof(target), "%g %s", figure->at_most, figure->unit);
		is_met = first->median <= figure->at_most;
	} else if (figure->at_least > 0) {
		snprintf(target, sizeof(target), ">= %g", figure->at_least);
		is_met = first->median >= figure->at_least;
	} else if (figure->ratio > 0) {
		snprintf(target, sizeof(target), "%g x", figure->ratio);
		is_met = first->min <= figure->ratio * values[ENGINES].min;
	} else if (figure->above > 0) {
		snprintf(target, sizeof(target), "+%g %s", figure->above, figure->unit);
		is_met = first->median <= values[ENGINES].median + figure->above;
	}
	printf(" %7s %-3s", target, judge(target[0], first, is_met));
	target[0] = 0;
	if (figure->process_at_most > 0) {
		snprintf(target, sizeof(target), "%g %s", figure->process_at_most, figure->unit);
		is_met = process->median <= figure->process_at_most;
	} else if (figure->process_beside > 0) {
		snprintf(target, sizeof(target), "%g x", figure->process_beside);
		is_met = process->min <= figure->process_beside * values[ENGINES].min;
	} else if (figure->process_ratio > 0 && !kvm->refused[0]) {
		snprintf(target, sizeof(target), "%g kvm", figure->process_ratio);
		is_met = process->min <= figure->process_ratio * kvm->min;
	}
	printf(" %8s %s", target, judge(target[0], process, is_met));
}

static void print_value(const struct value *value)
{
	char texts[2][16];
	if (value->refused[0])
		printf(" %-17.17s", value->refused);
	else
		printf(" %8s %8s", number(value->min, texts[0]), number(value->median, texts[1]));
}

static void print_ratio(const struct value *ours, const struct value *peer)
{
	if (ours->refused[0])
		printf(" %6s", "-");
	else
		printf(" %6.3f", ours->min / peer->min);
}

static void print_row(const struct figure *figure, const char *of, unsigned side, const struct value values[SIDES_MAX])
{
	const struct value *peer = &values[ENGINES + side];
	const char *name = figure->peers[side].name;
	char title[64];
	snprintf(title, sizeof(title), "%s%s", figure->name, of);
	printf("%-39s", side ? "" : title);
	for (unsigned i = 0; i < ENGINES; i++) {
		if (side)
			printf("%18s", "");
		else
			print_value(&values[i]);
	}
	printf(" %-3s %-44s", side ? "" : figure->unit, name ? name : "");
	if (!name || peer->refused[0]) {
		printf(" %-31.31s", peer->refused);
	} else {
		print_value(peer);
		print_ratio(&values[0], peer);
		print_ratio(&values[1], peer);
	}
	if (!side)
		print_targets(figure, values);
	printf("\n");
	fflush(stdout);
	for (unsigned i = 0; raw && i < ENGINES; i++)
		if (!values[i].refused[0])
			fprintf(raw, "%s\t%s\t%s\t%.9g\t%.9g\t%s\t%.9g\t%.9g\n", title, engines[i], figure->unit,
			        values[i].min, values[i].median, name ? name : "-", peer->min, peer->median);
}

static bool host_allows(const char *cpu)
{
	char command[128];
	snprintf(command, sizeof(command), FIGURE_RUN "-q --cpu %s /bin/true 2>/dev/null", cpu);
	return !system(command);
}

static void find_engines(void)
{
	char command[128];
	for (unsigned i = 0; i < ENGINES; i++) {
		snprintf(command, sizeof(command), RUN "-q --engine %s apps/hello >/dev/null 2>&1", engines[i]);
		has_engine[i] = !system(command);
	}
}

/* Whether this host has all programs that a row needs. */
static bool has_programs(const struct figure *figure)
{
	char text[COMMAND_BYTES];
	snprintf(text, sizeof(text), "%s", figure->needs ? figure->needs : "");
	for (const char *path = strtok(text, " "); path; path = strtok(NULL, " "))
		if (access(path, X_OK)) {
			printf("%-39s left out: this host does not have %s\n", figure->name, path);
			return false;
		}
	return true;
}

static void print_rows(const struct figure *figure, const char *of, const struct value values[SIDES_MAX])
{
	unsigned side = 0;
	do {
		print_row(figure, of, side, values);
	} while (++side < PEERS_MAX && figure->peers[side].name);
}

static void run_row(const struct figure *figure)
{
	struct value values[SIDES_MAX], cpu[SIDES_MAX];
	if (!has_programs(figure) || !prepare(figure))
		return;
	if (figure->cpu && !host_allows(figure->cpu)) {
		printf("%-39s left out: this host does not have --cpu %s\n", figure->name, figure->cpu);
		return;
	}
	memset(values, 0, sizeof(values));
	if (figure->kind == FIGURE_WALL || is_rate(figure)) {
		time_row(figure, values, cpu);
	} else {
		for (unsigned i = 0; i < ENGINES; i++)
			values[i] = one_value(figure, command_of(figure, i));
		for (unsigned i = 0; i < PEERS_MAX && figure->peers[i].name; i++)
			values[ENGINES + i] = one_value(figure, figure->peers[i].command);
	}
	print_rows(figure, "", values);
	if (figure->has_cpu)
		print_rows(figure, ", processor time", cpu);
	for (unsigned i = 0; figure->has_counts && i < ENGINES; i++)
		counts_print(engines[i], command_of(figure, i));
}

/* Those whose names have `part` in them. */
static void run_rows(const struct figure *rows, const char *part)
{
	for (; rows->name; rows++)
		if (strstr(rows->name, part))
			run_row(rows);
}

int main(int argc, char **argv)
{
	const char *part = argc > 2 ? argv[2] : "";
	if (argc < 2 || chdir(argv[1])) {
		fprintf(stderr, "usage: figures BUILD_DIRECTORY [PART_OF_A_NAME]\n");
		return 2;
	}
	raw = fopen("bench/figures.tsv", "we");
	find_engines();
	printf("%-39s %-17s %-17s %-3s %-44s %17s %6s %6s %7s %-3s %8s %s\n", "figure", "kvm: min, median",
	       "process: the same", "", "peer", "minimum  median", "kvm/", "proc./", "at most", "met", "process",
	       "met");
	const struct figure *const tables[] = {figures,         linux_figures, start_figures, tree_figures,
	                                       network_figures, image_figures, search_figures};
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
		run_rows(tables[i], part);
	if (raw)
		fclose(raw);
	unlink("/dev/shm/eremite-bench-page");
	if (strstr("hello", part))
		parts_print();
	missed += ticks_print(part);
	printf("\n%u figures missed\n", missed);
	return 0;
}
