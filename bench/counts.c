/* SPDX-License-Identifier: MIT */
#include "counts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "figure.h"

/* Sections of a summary whose numbers are added up. */
enum section { OTHER, CALLS, EXITS, TRAPS };

static enum section section_of(const char *line)
{
	return strstr(line, "\"kernel_calls\":") ? CALLS
	       : strstr(line, "\"exits\":")      ? EXITS
	       : strstr(line, "\"traps\":")      ? TRAPS
	                                         : OTHER;
}

/* The number of a line `"name": number`, if it has this name, is added. */
static void add_named(double *to, const char *line, const char *name)
{
	const char *at = strstr(line, name);
	if (at)
		*to += strtod(at + strlen(name), NULL);
}

static void add_line(struct counts *counts, enum section section, const char *line)
{
	const char *number = strchr(line, ':');
	const double value = number ? strtod(number + 1, NULL) : 0;
	if (section == CALLS)
		counts->kernel_calls += value;
	if (section == EXITS)
		counts->exits += value;
	if (section == TRAPS) {
		add_named(&counts->page_faults, line, "\"page_faults\":");
		add_named(&counts->instructions, line, "\"instructions\":");
		add_named(&counts->table_loads, line, "\"table_loads\":");
		add_named(&counts->invalidations, line, "\"invalidations\":");
	}
	add_named(&counts->trapped_calls, line, "\"trapped_calls\":");
	add_named(&counts->memory_bytes, line, "\"memory_peak_bytes\":");
}

bool counts_read(const char *path, struct counts *counts)
{
	char line[256];
	enum section section = OTHER;
	FILE *file = fopen(path, "re");
	*counts = (struct counts){0};
	while (file && fgets(line, sizeof(line), file))
		if (strpbrk(line, "{}"))
			section = section_of(line);
		else
			add_line(counts, section, line);
	if (file)
		fclose(file);
	return counts->kernel_calls > 0;
}

void counts_print(const char *engine, const char *command)
{
	char line[1024];
	struct counts counts;
	if (!command)
		return;
	snprintf(line, sizeof(line), FIGURE_RUN "--summary=json:" FIGURE_SUMMARY " %s >/dev/null 2>&1",
	         command + strlen(FIGURE_RUN));
	if (!system(line) && counts_read(FIGURE_SUMMARY, &counts))
		printf("    %s: %.0f exits, %.0f page faults, %.0f instructions that trap, %.0f loads of page tables, "
		       "%.0f invalidated pages, %.0f kernel calls (%.0f trapped), %.1f MiB\n",
		       engine, counts.exits, counts.page_faults, counts.instructions, counts.table_loads,
		       counts.invalidations, counts.kernel_calls, counts.trapped_calls,
		       counts.memory_bytes / (1 << 20));
	unlink(FIGURE_SUMMARY);
}
