/* SPDX-License-Identifier: MIT */
/* The tick clock's price and its fairness: ten programs of different kinds, each with ticks, and with neither itself
 * nor its libc compiled with them.
 *
 * Both are differences between runs of two counts, as the other rates are: of processor time, and of virtual time. */
#include "ticks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner.h"
#include "ticks_linux.h"

#define RUN "./eremite run --quiet --root bench/root "
#define SUMMARY "--summary=json:bench/ticks.json "
#define ROUNDS 9
#define LIMIT_S 20.0
#define COST_MOST 1.2
#define SPREAD_MOST 3.0
#define JOBS (sizeof(jobs) / sizeof(jobs[0]))

static const struct job {
	const char *name, *ticked, *plain, *arguments;
	unsigned long low, high;
} jobs[] = {
	{"nbody", "apps/nbody", "bench/plain/nbody", "--steps %n solar.csv", 1000, 501000},
	{"lua", "apps/lua", "bench/plain/lua", "ticks.lua %n", 0, 8},
	{"sqlite", "apps/sqlite3", "bench/plain/sqlite3", "-init ticks%n.sql :memory: .exit", 0, 1},
	{"matrix product", "bench/compute.ticked", "bench/plain/compute", "matmul %n", 2, 82},
	{"integer hash", "bench/compute.ticked", "bench/plain/compute", "hash %n", 10, 110},
	{"branches", "bench/compute.ticked", "bench/plain/compute", "branch %n", 1, 41},
	{"sort", "bench/work.ticked", "bench/plain/work", "sort %n", 2, 102},
	{"tree", "bench/work.ticked", "bench/plain/work", "tree %n", 2, 52},
	{"text", "bench/work.ticked", "bench/plain/work", "text %n", 2, 52},
	{"pack", "bench/work.ticked", "bench/plain/work", "pack %n", 2, 152},
};

/* What one round of a job took, in seconds. */
struct result {
	double plain_s, ticked_s, virtual_s;
};

static double cpu_of(struct series series[2])
{
	return runner_min(series[1].cpu_s, series[1].samples) - runner_min(series[0].cpu_s, series[0].samples);
}

/* From the summary that the last run has written. */
static double virtual_in_summary(void)
{
	static const char field[] = "\"virtual_ns\":";
	char line[256];
	double ns = 0;
	FILE *file = fopen("bench/ticks.json", "re");
	while (file && fgets(line, sizeof(line), file))
		if (strstr(line, field))
			ns = strtod(strstr(line, field) + strlen(field), NULL);
	if (file)
		fclose(file);
	return ns / 1e9;
}

static double virtual_at(const char *command, unsigned long count)
{
	static struct series series;
	struct series *list[] = {&series};
	series = (struct series){.command = command, .count = count};
	runner_measure(list, 1, 1, LIMIT_S);
	return virtual_in_summary();
}

static const char *measure(const struct job *job, struct result *result)
{
	static struct series series[2][2];
	char commands[2][256], summary[256];
	struct series *list[4];
	snprintf(commands[0], sizeof(commands[0]), RUN "%s %s", job->plain, job->arguments);
	snprintf(commands[1], sizeof(commands[1]), RUN "%s %s", job->ticked, job->arguments);
	snprintf(summary, sizeof(summary), RUN SUMMARY "%s %s", job->ticked, job->arguments);
	for (unsigned i = 0; i < 4; i++) {
		series[i / 2][i % 2] =
			(struct series){.command = commands[i / 2], .count = i % 2 ? job->high : job->low};
		list[i] = &series[i / 2][i % 2];
	}
	runner_measure(list, 4, ROUNDS, LIMIT_S);
	for (unsigned i = 0; i < 4; i++)
		if (list[i]->refused[0])
			return list[i]->refused;
	result->plain_s = cpu_of(series[0]);
	result->ticked_s = cpu_of(series[1]);
	result->virtual_s = virtual_at(summary, job->high) - virtual_at(summary, job->low);
	return NULL;
}

static unsigned print_native(void)
{
	double logarithms = 0, least = INFINITY, most = 0;
	unsigned measured = 0;
	printf("\n%-18s %12s %12s %8s %12s %18s\n", "ticks", "without, ms", "with, ms", "ratio", "virtual, ms",
	       "virtual / with");
	for (unsigned i = 0; i < JOBS; i++) {
		struct result r;
		const char *refused = measure(&jobs[i], &r);
		if (refused) {
			printf("%-18s %s\n", jobs[i].name, refused);
			continue;
		}
		double ratio = r.ticked_s / r.plain_s, fairness = r.virtual_s / r.ticked_s;
		printf("%-18s %12.1f %12.1f %8.3f %12.1f %18.2f\n", jobs[i].name, 1e3 * r.plain_s, 1e3 * r.ticked_s,
		       ratio, 1e3 * r.virtual_s, fairness);
		fflush(stdout);
		logarithms += log(ratio);
		least = fmin(least, fairness);
		most = fmax(most, fairness);
		measured++;
	}
	double cost = exp(logarithms / measured), spread = most / least;
	bool complete = measured == JOBS, cheap = complete && cost <= COST_MOST,
	     fair = complete && spread <= SPREAD_MOST;
	printf("geometric mean of the ratios %.3f, at most %g: %s\n", cost, COST_MOST, cheap ? "yes" : "no");
	printf("largest / smallest of virtual / with %.2f, at most %g: %s\n", spread, SPREAD_MOST, fair ? "yes" : "no");
	return !cheap + !fair;
}

unsigned ticks_print(const char *part)
{
	return (strstr("ticks", part) ? print_native() : 0) +
	       (strstr("ticks of linux programs", part) ? ticks_linux_print() : 0);
}
