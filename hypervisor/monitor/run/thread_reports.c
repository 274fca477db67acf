/* SPDX-License-Identifier: MIT */
/* Reports of threads, in ascending order of their numbers. So each thread occurs once and is found by binary search. */
#include "run/thread_reports.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/thread.h"
#include "base/array.h"
#include "base/search.h"
#include "guest/linux_view.h"
#include "guest/pthread_objects.h"

#define CIRCLE_SHOWN 4

static void make_text(char *text, size_t bytes)
{
	text[bytes - 1] = 0;
	for (; *text; text++)
		if (*text < ' ' || *text > '~')
			*text = '?';
}

/* Keeps the view that the kernel of a Linux program shows now, which is of the thread's process. A hostile guest may
 * show one for some threads only. Returns 0 or -ENOMEM. */
static int take_view(struct thread_reports *reports, const struct guest_memory *memory)
{
	struct linux_view view;
	if (guest_memory_read(memory, gpa(LAYOUT_LINUX_VIEW), &view, sizeof(view)) || view.magic != LINUX_VIEW_MAGIC)
		view = (struct linux_view){0};
	if (!view.magic && !reports->views)
		return 0;
	const bool is_first = !reports->views;
	if (!array_reserve(reports->views, reports->view_room, reports->count + 1UL))
		return -ENOMEM;
	if (is_first)
		memset(reports->views, 0, reports->count * sizeof(*reports->views));
	reports->views[reports->count] = view;
	return 0;
}

int thread_reports_take(struct thread_reports *reports, const struct guest_memory *memory, gpa_t address)
{
	struct thread_report report;
	if (guest_memory_read(memory, address, &report, sizeof(report)))
		return -EFAULT;
	if (reports->count == THREADS_MAX ||
	    (reports->count && report.thread <= reports->at[reports->count - 1].thread))
		return -EPROTO;
	make_text(report.name, sizeof(report.name));
	make_text(report.waits_for, sizeof(report.waits_for));
	if (!array_reserve(reports->at, reports->room, reports->count + 1UL))
		return -ENOMEM;
	reports->at[reports->count] = report;
	if (take_view(reports, memory))
		return -ENOMEM;
	reports->count++;
	return 0;
}

void thread_reports_free(struct thread_reports *reports)
{
	free(reports->at);
	free(reports->views);
	*reports = (struct thread_reports){0};
}

const struct thread_report *thread_reports_find(const struct thread_reports *reports, uint32_t thread)
{
	size_t i = search_first(reports->count, at, reports->at[at].thread < thread);
	return i < reports->count && reports->at[i].thread == thread ? &reports->at[i] : NULL;
}

/* Says what the futex of a Linux program's thread belongs to, if that is known. The kernel knows no C library. */
static void name_object(struct thread_report *report, const struct linux_view *view, const struct guest_memory *memory)
{
	const struct guest_memory seen = linux_view_memory(view, memory);
	uint64_t start;
	uint32_t holder;
	switch (pthread_objects_recognise(&seen, report->object, &start, &holder)) {
	case PTHREAD_OBJECT_NONE:
		return;
	case PTHREAD_OBJECT_MUTEX:
		snprintf(report->waits_for, sizeof(report->waits_for), "mutex");
		break;
	case PTHREAD_OBJECT_RWLOCK:
		snprintf(report->waits_for, sizeof(report->waits_for), "read-write lock");
		break;
	case PTHREAD_OBJECT_THREAD:
		snprintf(report->waits_for, sizeof(report->waits_for), "end of thread %u", holder);
		start = 0;
		break;
	}
	report->object = start;
	report->holder = holder;
}

void thread_reports_name_objects(struct thread_reports *reports, const struct guest_memory *memory)
{
	for (unsigned i = 0; reports->views && i < reports->count; i++)
		if (reports->views[i].magic && reports->at[i].object && !strcmp(reports->at[i].waits_for, "futex"))
			name_object(&reports->at[i], &reports->views[i], memory);
}

/* Returns a thread of a circle of holders reachable from this thread, or NULL. Floyd's tortoise and hare. */
static const struct thread_report *find_circle(const struct thread_reports *reports, const struct thread_report *slow)
{
	const struct thread_report *fast = slow;
	for (;;) {
		for (unsigned i = 0; i < 2; i++) {
			fast = thread_reports_find(reports, fast->holder);
			if (!fast)
				return NULL;
		}
		slow = thread_reports_find(reports, slow->holder);
		if (slow == fast)
			return slow;
	}
}

/* Returns the thread with the lowest number in the first circle found, or NULL. Follows the chains of the first 256
 * threads only, because a guest can make chains long. */
static const struct thread_report *first_in_circle(const struct thread_reports *reports)
{
	const unsigned tries = reports->count < 256 ? reports->count : 256;
	for (unsigned i = 0; i < tries; i++) {
		const struct thread_report *found = find_circle(reports, &reports->at[i]), *lowest = found;
		if (!found)
			continue;
		for (const struct thread_report *at = thread_reports_find(reports, found->holder); at != found;
		     at = thread_reports_find(reports, at->holder))
			if (at->thread < lowest->thread)
				lowest = at;
		return lowest;
	}
	return NULL;
}

/* The first thread that waits in a loop of its own for memory to change. */
static const struct thread_report *first_in_loop(const struct thread_reports *reports)
{
	for (unsigned i = 0; i < reports->count; i++)
		if (!strcmp(reports->at[i].waits_for, "memory to change, which it reads in a loop"))
			return &reports->at[i];
	return NULL;
}

uint32_t thread_reports_subject(const struct thread_reports *reports)
{
	const struct thread_report *circle = first_in_circle(reports), *loop = circle ? NULL : first_in_loop(reports);
	if (!reports->count)
		return 0;
	return (circle ? circle : loop ? loop : &reports->at[0])->thread;
}

static void add(char *to, size_t bytes, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

static void add(char *to, size_t bytes, const char *fmt, ...)
{
	size_t used = strlen(to);
	va_list args;
	va_start(args, fmt);
	vsnprintf(to + used, bytes - used, fmt, args);
	va_end(args);
}

void thread_reports_describe(const struct thread_reports *reports, char *to, size_t bytes)
{
	const struct thread_report *first = first_in_circle(reports), *next = first;
	const struct thread_report *loop = first ? NULL : first_in_loop(reports);
	*to = 0;
	if (loop) {
		if (reports->count > 1)
			add(to, bytes, "endless loop: thread %u of %u", loop->thread, reports->count);
		else
			add(to, bytes, "endless loop: the program");
		add(to, bytes, " reads memory that nothing can ever change");
		return;
	}
	if (!first && reports->count > 1) {
		add(to, bytes, "deadlock: none of %u threads can go on; thread %u waits for %s", reports->count,
		    reports->at[0].thread, reports->at[0].waits_for);
		return;
	}
	if (!first) {
		add(to, bytes, "deadlock: nothing can ever wake the program, which waits for %s",
		    reports->count ? reports->at[0].waits_for : "what it did not say");
		return;
	}
	add(to, bytes, "deadlock: thread %u waits for ", first->thread);
	if (first->holder == first->thread) {
		add(to, bytes, "itself");
		return;
	}
	for (unsigned i = 0; i < CIRCLE_SHOWN; i++) {
		next = thread_reports_find(reports, next->holder);
		add(to, bytes, "%sthread %u", i ? ", which waits for " : "", next->thread);
		if (next == first)
			return;
	}
	add(to, bytes, ", and so on in a circle");
}
