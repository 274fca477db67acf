/* SPDX-License-Identifier: MIT */
/* The figures that Eremite promises, each beside its peers in the same run: one table.
 *
 * Every row is a command and what it is compared with. A whole process is timed by the wall clock. A rate is processor
 * time: the difference between runs of two counts, divided by the difference of the counts, so that what it costs to
 * start drops out. A target in units is met by the median, a target against a peer by the minimum, which other work on
 * the machine disturbs least. Runs in the build directory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "figure.h"
#include "parts.h"
#include "runner.h"
#include "ticks.h"

#define PEERS_MAX FIGURE_PEERS_MAX
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
                   {"bwrap, glibc process", "bwrap --ro-bind / / bench/hello-glibc", 0}},
         .unit = "ms",
         .unit_s = 1e-3,
         .at_most = 3},
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
         .ratio = 1.02},
	{.name = "matrix product (-fno-ticks)",
         .kind = FIGURE_RATE,
         .command = RUN "bench/plain/compute matmul %n",
         .rounds = 9,
         .peers = {{"native gcc -O2", "bench/compute matmul %n", 0}},
         .low = 2,
         .high = 152,
         .unit = "ms",
         .unit_s = 1e-3,
         .ratio = 1.02},
	{.name = "integer hash over 1 MiB (-fno-ticks)",
         .kind = FIGURE_RATE,
         .command = RUN "bench/plain/compute hash %n",
         .rounds = 9,
         .peers = {{"native gcc -O2", "bench/compute hash %n", 0}},
         .low = 10,
         .high = 310,
         .unit = "ms",
         .unit_s = 1e-3,
         .ratio = 1.02},
	{.name = "branches (3n+1) (-fno-ticks)",
         .kind = FIGURE_RATE,
         .command = RUN "bench/plain/compute branch %n",
         .rounds = 9,
         .peers = {{"native gcc -O2", "bench/compute branch %n", 0}},
         .low = 1,
         .high = 91,
         .unit = "ms",
         .unit_s = 1e-3,
         .ratio = 1.02},
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
         .ratio = 1},
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

static FILE *raw;
static unsigned missed;

static struct value from_series(const struct figure *figure, struct series *low, struct series *high)
{
	struct value value = {0};
	if (low->refused[0] || (high && high->refused[0])) {
		snprintf(value.refused, sizeof(value.refused), "%s", low->refused[0] ? low->refused : high->refused);
		return value;
	}
	if (high) {
		double operations = (double)(figure->high - figure->low);
		value.min = runner_min(high->cpu_s, high->samples) - runner_min(low->cpu_s, low->samples);
		value.median = runner_median(high->cpu_s, high->samples) - runner_median(low->cpu_s, low->samples);
		value.min /= operations;
		value.median /= operations;
	} else {
		value.min = runner_min(low->wall_s, low->samples);
		value.median = runner_median(low->wall_s, low->samples);
	}
	value.min /= figure->unit_s;
	value.median /= figure->unit_s;
	return value;
}

/* Times the command of a row and those of its peers, in turns. */
static void time_row(const struct figure *figure, struct value values[1 + PEERS_MAX])
{
	static struct series all[2 * (1 + PEERS_MAX)];
	struct series *list[2 * (1 + PEERS_MAX)];
	unsigned sides = 1, used = 0, each = figure->kind == FIGURE_RATE ? 2 : 1;
	while (sides <= PEERS_MAX && figure->peers[sides - 1].name)
		sides++;
	for (unsigned i = 0; i < sides; i++)
		for (unsigned j = 0; j < each; j++) {
			all[used] = (struct series){
				.command = i ? figure->peers[i - 1].command : figure->command,
				.expect = i ? figure->peers[i - 1].expect : 0,
				.count = j ? figure->high : figure->low,
				.pipe = figure->pipe,
			};
			list[used] = &all[used];
			used++;
		}
	runner_measure(list, used, figure->rounds, 8);
	for (unsigned i = 0; i < sides; i++)
		values[i] = from_series(figure, &all[i * each], each == 2 ? &all[i * each + 1] : NULL);
}

/* Of a run that has written its summary, by jumps in percent; negative when it cannot be told. */
static double jumps_of(const char *command)
{
	static struct series run;
	struct series *list[] = {&run};
	char line[256];
	double calls = 0, trapped = -1;
	bool counts = false;
	run = (struct series){.command = command};
	runner_measure(list, 1, 1, 8);
	FILE *file = run.refused[0] ? NULL : fopen(FIGURE_SUMMARY, "re");
	while (file && fgets(line, sizeof(line), file)) {
		const char *number = strchr(line, ':');
		if (strstr(line, "\"kernel_calls\":") || strchr(line, '}'))
			counts = strchr(line, '{');
		else if (counts && number)
			calls += strtod(number + 1, NULL);
		else if (strstr(line, "\"trapped_calls\":"))
			trapped = strtod(number + 1, NULL);
	}
	if (file)
		fclose(file);
	unlink(FIGURE_SUMMARY);
	return calls > 0 && trapped >= 0 ? 100 * (calls - trapped) / calls : -1;
}

static struct value one_value(const struct figure *figure, const char *command)
{
	struct value value = {0};
	struct stat st;
	double bytes = -1;
	if (figure->kind == FIGURE_JUMPS)
		bytes = jumps_of(command);
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

static void print_row(const struct figure *figure, unsigned side, const struct value *ours, const struct value *peer)
{
	char texts[5][16], target[32] = "", *met = "";
	if (side == 0 && figure->at_most > 0) {
		snprintf(target, sizeof(target), "%g %s", figure->at_most, figure->unit);
		met = !ours->refused[0] && ours->median <= figure->at_most ? "yes" : "no";
	} else if (side == 0 && figure->at_least > 0) {
		snprintf(target, sizeof(target), ">= %g", figure->at_least);
		met = !ours->refused[0] && ours->median >= figure->at_least ? "yes" : "no";
	} else if (side == 0 && figure->ratio > 0) {
		snprintf(target, sizeof(target), "%g x", figure->ratio);
		met = !ours->refused[0] && ours->min <= figure->ratio * peer->min ? "yes" : "no";
	}
	missed += met[0] == 'n';
	printf("%-39s ", side ? "" : figure->name);
	if (side)
		printf("%21s", "");
	else if (ours->refused[0])
		printf("%-21s", ours->refused);
	else
		printf("%8s %8s %-3s", number(ours->min, texts[0]), number(ours->median, texts[1]), figure->unit);
	printf(" %-44s ", figure->peers[side].name ? figure->peers[side].name : "");
	if (!figure->peers[side].name || peer->refused[0])
		printf("%-31s", peer->refused);
	else
		printf("%8s %8s %6.3f %6.3f ", number(peer->min, texts[2]), number(peer->median, texts[3]),
		       ours->refused[0] ? 0 : ours->min / peer->min,
		       ours->refused[0] ? 0 : ours->median / peer->median);
	printf(" %7s %s\n", target, met);
	fflush(stdout);
	if (raw)
		fprintf(raw, "%s\t%s\t%.9g\t%.9g\t%s\t%.9g\t%.9g\n", figure->name, figure->unit, ours->min,
		        ours->median, figure->peers[side].name ? figure->peers[side].name : "-", peer->min,
		        peer->median);
}

static bool host_allows(const char *cpu)
{
	char command[128];
	snprintf(command, sizeof(command), FIGURE_RUN "-q --cpu %s /bin/true 2>/dev/null", cpu);
	return !system(command);
}

static void run_row(const struct figure *figure)
{
	struct value values[1 + PEERS_MAX];
	if (figure->cpu && !host_allows(figure->cpu)) {
		printf("%-39s left out: this host does not have --cpu %s\n", figure->name, figure->cpu);
		return;
	}
	memset(values, 0, sizeof(values));
	if (figure->kind == FIGURE_WALL || figure->kind == FIGURE_RATE) {
		time_row(figure, values);
	} else {
		values[0] = one_value(figure, figure->command);
		for (unsigned i = 0; i < PEERS_MAX && figure->peers[i].name; i++)
			values[1 + i] = one_value(figure, figure->peers[i].command);
	}
	unsigned side = 0;
	do {
		print_row(figure, side, &values[0], &values[1 + side]);
	} while (++side < PEERS_MAX && figure->peers[side].name);
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
	printf("%-39s %8s %8s %-3s %-44s %8s %8s %6s %6s  %7s %s\n", "figure", "minimum", "median", "", "peer",
	       "minimum", "median", "ratio", "ratio", "at most", "met");
	run_rows(figures, part);
	run_rows(linux_figures, part);
	if (raw)
		fclose(raw);
	unlink("/dev/shm/eremite-bench-page");
	if (strstr("hello", part))
		parts_print();
	if (strstr("ticks", part))
		missed += ticks_print();
	printf("\n%u figures missed\n", missed);
	return 0;
}
