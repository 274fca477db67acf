/* SPDX-License-Identifier: MIT */
#include "strace/strace_count.h"

#include <stdlib.h>

#include "strace/strace_filter.h"

void strace_count_add(struct strace_count *count, unsigned call, int64_t result, uint64_t ns)
{
	if (call >= STRACE_CALLS)
		return;
	count->of[call].calls++;
	count->of[call].errors += result < 0 && result >= -4095;
	count->of[call].ns += ns;
}

static const struct strace_count *sorted;

/* The call that took the most time first; then by calls and by number, so that equal runs have equal tables. */
static int compare_calls(const void *a, const void *b)
{
	const unsigned first = *(const unsigned *)a, second = *(const unsigned *)b;
	if (sorted->of[first].ns != sorted->of[second].ns)
		return sorted->of[first].ns > sorted->of[second].ns ? -1 : 1;
	if (sorted->of[first].calls != sorted->of[second].calls)
		return sorted->of[first].calls > sorted->of[second].calls ? -1 : 1;
	return first < second ? -1 : 1;
}

static void show_row(struct strace_out *out, uint64_t ns, uint64_t total_ns, uint64_t calls, uint64_t errors,
                     const char *name)
{
	const uint64_t part = total_ns ? (uint64_t)((unsigned __int128)ns * 10000 / total_ns) : 0;
	strace_out_format(out, "%3lu.%02lu %4lu.%09lu %11lu %9lu ", part / 100, part % 100, ns / 1000000000,
	                  ns % 1000000000, calls ? ns / calls : 0, calls);
	strace_out_format(out, errors ? "%9lu %s\n" : "%9.0lu %s\n", errors, name);
}

void strace_count_show(const struct strace_count *count, struct strace_out *out)
{
	static const char line[] = "------ -------------- ----------- --------- --------- ----------------\n";
	unsigned calls[STRACE_CALLS], used = 0;
	uint64_t ns = 0, all = 0, errors = 0;
	for (unsigned i = 0; i < STRACE_CALLS; i++)
		if (count->of[i].calls) {
			calls[used++] = i;
			ns += count->of[i].ns;
			all += count->of[i].calls;
			errors += count->of[i].errors;
		}
	sorted = count;
	qsort(calls, used, sizeof(calls[0]), compare_calls);
	strace_out_text(out, "% time        seconds     ns/call     calls    errors syscall\n");
	strace_out_text(out, line);
	for (unsigned i = 0; i < used; i++) {
		const char *name = strace_filter_name(calls[i]);
		show_row(out, count->of[calls[i]].ns, ns, count->of[calls[i]].calls, count->of[calls[i]].errors,
		         name ? name : "unknown");
	}
	strace_out_text(out, line);
	show_row(out, ns, ns, all, errors, "total");
}
