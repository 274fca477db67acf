/* SPDX-License-Identifier: MIT */
/* The lines of a Python program are read from its memory at the moment itself, so its looks are shown at once. */
#include "report/report_looks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guest/linux_view.h"
#include "report/report.h"
#include "report/symbolizer.h"

static struct {
	unsigned count;     /* of all looks */
	uint64_t signature; /* of what is mapped */
	bool is_at_once;    /* looks at these files are shown at once: an interpreter of Python is among them */
	struct symbolizer_queue queue;
	int file; /* which the symbolizer needs */
	unsigned number[SYMBOLIZER_QUEUE_MAX];
	uint64_t registers[SYMBOLIZER_QUEUE_MAX][SYMBOLIZE_REGISTERS];
} work;

static uint64_t signature_of(const struct image *image, const struct guest_memory *memory)
{
	struct linux_view view;
	return linux_view_read(&view, memory) ? linux_view_signature(&view, memory, image) : 1;
}

/* Whether a file is mapped whose name says that it is an interpreter of Python. */
static bool maps_python(const struct image *image, const struct guest_memory *memory)
{
	static char names[1 << 20];
	struct linux_view view;
	const int file = linux_view_read(&view, memory) ? linux_view_modules(&view, memory, image) : -1;
	if (file < 0)
		return false;
	const ssize_t bytes = pread(file, names, sizeof(names), 0);
	close(file);
	return bytes > 0 && memmem(names, (size_t)bytes, "python", strlen("python"));
}

static void show_at_once(report_looks_show *show, void *context, const struct image *image,
                         const struct fault_report *report, const struct guest_memory *memory, uint64_t op,
                         uint64_t object)
{
	char *text = NULL;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);
	if (!to)
		return;
	report_look(to, image, report, memory, op, object);
	if (!fclose(to))
		show(context, work.count, text);
	free(text);
}

void report_looks_end(report_looks_show *show, void *context, const struct image *image,
                      const struct guest_memory *memory)
{
	const unsigned count = work.queue.count;
	struct symbolizer_answers answers;
	if (!count)
		return;
	const bool is_answered = !symbolizer_ask_kept(&answers, work.file, &work.queue);
	for (unsigned i = 0; is_answered && i < count; i++) {
		char *text = NULL;
		size_t bytes;
		FILE *to = open_memstream(&text, &bytes);
		if (!to)
			break;
		report_leave_out_kernel(answers.at[i].frames, &image->header);
		fprintf(to, "%s\n", answers.at[i].object);
		report_stack(to, answers.at[i].frames, work.registers[i], memory);
		if (!fclose(to))
			show(context, work.number[i], text);
		free(text);
	}
	symbolizer_free(&answers);
	if (work.file >= 0)
		close(work.file);
}

/* Keeps the stack of a look. Returns whether it could. */
static bool keep(const struct image *image, const struct fault_report *report, const struct guest_memory *memory,
                 uint64_t object)
{
	const unsigned at = work.queue.count;
	struct symbolizer_query query;
	struct guest_memory seen;
	const int file = report_query(&query, &seen, image, report, memory, object, !at);
	if (!at)
		work.file = file;
	if (!symbolizer_keep(&work.queue, &seen, &query))
		return false;
	work.number[at] = work.count;
	memcpy(work.registers[at], query.registers, sizeof(query.registers));
	return true;
}

void report_looks_add(report_looks_show *show, void *context, const struct image *image,
                      const struct fault_report *report, const struct guest_memory *memory, uint64_t op,
                      uint64_t object)
{
	const uint64_t signature = signature_of(image, memory);
	const bool is_first = signature != work.signature;
	if (is_first) {
		report_looks_end(show, context, image, memory);
		work.is_at_once = maps_python(image, memory);
	}
	work.signature = signature;
	if (is_first || work.is_at_once || !keep(image, report, memory, object))
		show_at_once(show, context, image, report, memory, op, object);
	work.count++;
}
