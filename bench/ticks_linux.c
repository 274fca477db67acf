/* SPDX-License-Identifier: MIT */
/* What --clock work costs unmodified programs, on each engine: the processor time of a program with it over that with
 * --clock calls. Both are differences between runs of two counts, so that starting drops out. A program that gets
 * faster counts as 1. Virtual time is compared with native processor time. */
#include "ticks_linux.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner.h"

#define ROUNDS 7
#define LIMIT_S 30.0
#define MEAN_MOST 1.12
#define SINGLE_MOST 1.3
#define SPREAD_MOST 4.0
#define ENGINES 2
#define JOBS (sizeof(jobs) / sizeof(jobs[0]))
#define SUMMARY "bench/ticks_linux.json"
#define COMMAND_BYTES 320

static const struct job {
	const char *name, *command;
	unsigned long low, high;
} jobs[] = {
	{"compute (3n+1)", "bench/compute branch %n", 1, 21},
	{"python, a round", "/usr/bin/python3 -B bench/linux/work.py %n", 1, 9},
	{"gzip -9", "/bin/gzip -9nc bench/linux/text%n", 0, 8},
	{"bzip2", "/bin/bzip2 -c bench/linux/text%n", 0, 8},
	{"sqlite, inserts", "/usr/bin/sqlite3 -init bench/linux/inserts%n.sql :memory: .exit", 0, 100000},
	{"matrix product", "bench/compute matmul %n", 2, 52},
	{"xz", "/usr/bin/xz -1c bench/linux/text%n", 0, 8},
	{"perl, a hash", "/usr/bin/perl -e $h{$_%997}+=$_*3for(1..shift) %n", 10, 2000010},
	{"awk", "/usr/bin/awk -vn=%n BEGIN{for(i=0;i<n;i++)s+=i*i%7;print(s)}", 10, 2000010},
	{"gcc -O1 sqlite3.c", "/usr/bin/gcc -O1 -w -S -o /dev/null bench/linux/source%n.c", 0, 1},
};

static const char *const engines[ENGINES] = {"kvm", "process"};

static double cpu_of(struct series series[2])
{
	return runner_min(series[1].cpu_s, series[1].samples) - runner_min(series[0].cpu_s, series[0].samples);
}

/* From the summary of a run, in seconds. */
static double virtual_at(const char *command, unsigned long count)
{
	static struct series series;
	static const char field[] = "\"virtual_ns\":";
	struct series *list[] = {&series};
	char line[256];
	double ns = 0;
	series = (struct series){.command = command, .count = count};
	runner_measure(list, 1, 1, LIMIT_S);
	FILE *file = fopen(SUMMARY, "re");
	while (file && fgets(line, sizeof(line), file))
		if (strstr(line, field))
			ns = strtod(strstr(line, field) + strlen(field), NULL);
	if (file)
		fclose(file);
	return ns / 1e9;
}

/* Measures a job natively, and with both clocks on an engine. */
static const char *measure(const struct job *job, const char *engine, double *native_s, double *calls_s, double *work_s)
{
	static struct series series[3][2];
	static char commands[3][COMMAND_BYTES];
	struct series *list[6];
	snprintf(commands[0], COMMAND_BYTES, "%s", job->command);
	snprintf(commands[1], COMMAND_BYTES, "./eremite run -q --engine %s --clock calls %s", engine, job->command);
	snprintf(commands[2], COMMAND_BYTES, "./eremite run -q --engine %s --clock work %s", engine, job->command);
	for (unsigned i = 0; i < 6; i++) {
		series[i / 2][i % 2] =
			(struct series){.command = commands[i / 2], .count = i % 2 ? job->high : job->low};
		list[i] = &series[i / 2][i % 2];
	}
	runner_measure(list, 6, ROUNDS, LIMIT_S);
	for (unsigned i = 0; i < 6; i++)
		if (list[i]->refused[0])
			return list[i]->refused;
	*native_s = cpu_of(series[0]);
	*calls_s = cpu_of(series[1]);
	*work_s = cpu_of(series[2]);
	return NULL;
}

/* Virtual time of a job, as a multiple of its native time. */
static double virtual_ratio(const struct job *job, double native_s)
{
	char command[COMMAND_BYTES];
	snprintf(command, sizeof(command), "./eremite run -q --clock work --summary=json:" SUMMARY " %s", job->command);
	return (virtual_at(command, job->high) - virtual_at(command, job->low)) / native_s;
}

/* Prints the table of one engine. Returns how many targets were missed. */
static unsigned print_engine(const char *engine)
{
	double logarithms = 0, largest = 0, fast = INFINITY, slow = 0;
	unsigned measured = 0;
	printf("\n%-18s %12s %12s %12s %8s %18s\n", engine, "native, ms", "calls, ms", "work, ms", "ratio",
	       "virtual / native");
	for (unsigned i = 0; i < JOBS; i++) {
		double native_s, calls_s, work_s;
		const char *refused = measure(&jobs[i], engine, &native_s, &calls_s, &work_s);
		if (refused) {
			printf("%-18s %s\n", jobs[i].name, refused);
			continue;
		}
		const double ratio = work_s / calls_s, times = virtual_ratio(&jobs[i], native_s);
		printf("%-18s %12.1f %12.1f %12.1f %8.3f %18.2f\n", jobs[i].name, 1e3 * native_s, 1e3 * calls_s,
		       1e3 * work_s, ratio, times);
		fflush(stdout);
		logarithms += log(fmax(ratio, 1));
		largest = fmax(largest, ratio);
		fast = fmin(fast, times);
		slow = fmax(slow, times);
		measured++;
	}
	const double mean = exp(logarithms / measured);
	const bool is_complete = measured == JOBS, is_cheap = is_complete && mean <= MEAN_MOST,
		   is_even = is_complete && largest <= SINGLE_MOST, is_fair = is_complete && slow / fast <= SPREAD_MOST;
	printf("geometric mean of the ratios %.3f, at most %g: %s\n", mean, MEAN_MOST, is_cheap ? "yes" : "no");
	printf("largest of the ratios %.3f, at most %g: %s\n", largest, SINGLE_MOST, is_even ? "yes" : "no");
	printf("largest / smallest of virtual / native %.2f, at most %g: %s\n", slow / fast, SPREAD_MOST,
	       is_fair ? "yes" : "no");
	return !is_cheap + !is_even + !is_fair;
}

unsigned ticks_linux_print(void)
{
	unsigned missed = 0;
	char command[COMMAND_BYTES];
	for (unsigned i = 0; i < ENGINES; i++) {
		snprintf(command, sizeof(command), "./eremite run -q --engine %s /bin/true 2>/dev/null", engines[i]);
		if (system(command))
			printf("\n%-18s not on this host\n", engines[i]);
		else
			missed += print_engine(engines[i]);
	}
	return missed;
}
