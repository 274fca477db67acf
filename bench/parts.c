/* SPDX-License-Identifier: MIT */
/* Three sources: a process of eremite that runs no guest, the steps of a bare KVM guest, and eremite's own account.
 * The account's tear-down has the digest in it, which a run without --summary does not make. */
#include "parts.h"

#include <stdio.h>
#include <string.h>

#include "runner.h"

#define RUNS 31
#define PARTS_MAX 16

/** One part, as often as it was measured. */
struct part {
	char name[64];
	unsigned samples;
	double ms[RUNS];
};

static struct part parts[PARTS_MAX];
static unsigned part_count;

static void add(const char *name, double ms)
{
	struct part *part = parts;
	while (part < parts + part_count && strcmp(part->name, name))
		part++;
	if (part == parts + PARTS_MAX || (part < parts + part_count && part->samples == RUNS))
		return;
	if (part == parts + part_count)
		part_count++;
	snprintf(part->name, sizeof(part->name), "%s", name);
	part->ms[part->samples++] = ms;
}

/* Lines of "name microseconds". */
static void run_floor(void)
{
	char line[128], name[64];
	FILE *output = popen("bench/kvm_floor parts", "r");
	while (output && fgets(line, sizeof(line), output)) {
		char *number = strrchr(line, ' ');
		double us;
		if (!number || sscanf(number, "%lf", &us) != 1)
			continue;
		snprintf(name, sizeof(name), "bare KVM guest: %.*s", (int)(number - line), line);
		add(name, us / 1e3);
	}
	if (output)
		pclose(output);
}

static void run_hello(const char *engine)
{
	char line[256], command[128], name[64];
	double all, setup, guest, teardown;
	snprintf(command, sizeof(command), "./eremite run --engine %s --summary apps/hello 2>&1 >/dev/null", engine);
	FILE *output = popen(command, "r");
	while (output && fgets(line, sizeof(line), output)) {
		if (sscanf(line, "wall time %lf ms (set-up %lf, guest %lf, tear-down %lf)", &all, &setup, &guest,
		           &teardown) != 4)
			continue;
		snprintf(name, sizeof(name), "eremite, %s: set-up", engine);
		add(name, setup);
		snprintf(name, sizeof(name), "eremite, %s: guest", engine);
		add(name, guest);
		snprintf(name, sizeof(name), "eremite, %s: tear-down, and digest", engine);
		add(name, teardown);
	}
	if (output)
		pclose(output);
}

void parts_print(void)
{
	static struct series process = {.command = "./eremite --version"};
	struct series *list[] = {&process};
	for (unsigned i = 0; i < RUNS; i++) {
		run_floor();
		run_hello("kvm");
		run_hello("process");
	}
	runner_measure(list, 1, RUNS, 2);
	printf("\n%-50s %8s %8s\n", "where hello's time goes, ms", "minimum", "median");
	printf("%-50s %8.3f %8.3f\n", "eremite: a process that runs no guest",
	       runner_min(process.wall_s, process.samples) * 1e3, runner_median(process.wall_s, process.samples) * 1e3);
	for (unsigned i = 0; i < part_count; i++)
		printf("%-50s %8.3f %8.3f\n", parts[i].name, runner_min(parts[i].ms, parts[i].samples),
		       runner_median(parts[i].ms, parts[i].samples));
}
