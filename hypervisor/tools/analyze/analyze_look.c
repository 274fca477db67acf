/* SPDX-License-Identifier: MIT */
/* One more run of each side stops for a moment before each event around the pair, and shows the thread's stack. */
#include "analyze/analyze_look.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyze/analyze_try.h"
#include "base/array.h"
#include "base/clean_text.h"
#include "base/memory.h"
#include "base/text.h"
#include "report/report.h"
#include "report/report_looks.h"
#include "symbolize/system_file.h"

#define AROUND 12     /* events before and after the pair that are shown */
#define NEEDED_MAX 32 /* entries of the minimal plan that are shown */
#define LOOKS_MAX 256 /* of one run: a hostile program could show itself for ever */
#define HEAD "look"   /* first word of a look's line; its lines follow up to a line with END */
#define END "\f"

/* The heads of the looks of this run, in the child. */
static struct sched_look written[LOOKS_MAX];

static void show_written(void *context, unsigned number, const char *text)
{
	const int *fd = context;
	const struct sched_look *look = &written[number];
	dprintf(*fd, HEAD " %" PRIu32 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n%s" END "\n", look->thread, look->points,
	        look->op, look->object, text);
}

void analyze_look_write(void *context, const struct sched_look *look, const struct fault_report *place,
                        const struct guest_memory *memory, const struct image *image)
{
	static unsigned count;
	if (!look) {
		report_looks_end(show_written, context, image, memory);
		return;
	}
	if (count == LOOKS_MAX)
		return;
	written[count] = *look;
	if (!look->object)
		written[count].object = report_look_object(image, place, memory, look->op);
	report_looks_add(show_written, context, image, place, memory, look->op, written[count].object);
	count++;
}

/* Takes lines up to the end of a look. Returns what follows. */
static char *take_lines(char *text, struct analyze_look *look)
{
	char *name = strsep(&text, "\n");
	struct text_made made;
	FILE *to = text_open(&made);
	for (char *line; (line = strsep(&text, "\n")) && strcmp(line, END);) {
		clean_text(line, strlen(line));
		fprintf(to, "%s\n", line + strspn(line, " "));
	}
	clean_text(name, strlen(name));
	look->name = text_copy(name);
	look->stack = text_close(&made);
	return text;
}

/* Gives objects that some of the threads have no name for the name that another one has. */
static void share_names(struct analyze_looks *looks)
{
	for (size_t i = 0; i < looks->count; i++)
		for (size_t j = 0; j < looks->count && !*looks->at[i].name && looks->at[i].object; j++) {
			if (looks->at[j].object != looks->at[i].object || !*looks->at[j].name)
				continue;
			free(looks->at[i].name);
			looks->at[i].name = text_copy(looks->at[j].name);
		}
}

static char *copy_text(const char *text)
{
	char *copy = text_copy(text);
	return copy;
}

static void add(struct analyze_looks *looks, const struct analyze_look *look)
{
	memory_check(array_reserve(looks->at, looks->room, looks->count + 1));
	looks->at[looks->count++] = *look;
}

/* The instruction of an operation has loaded what it is to change, in the operation before. */
static void add_load(struct analyze_looks *looks, const struct analyze_look *store)
{
	const struct analyze_look load = {.thread = store->thread,
	                                  .is_load = true,
	                                  .points = store->points - 1,
	                                  .object = store->object,
	                                  .op = copy_text("load"),
	                                  .name = copy_text(store->name),
	                                  .stack = copy_text(store->stack)};
	add(looks, &load);
}

static void parse(struct analyze_looks *looks, char *text)
{
	for (char *line; text && (line = strsep(&text, "\n"));) {
		struct analyze_look look = {0};
		uint64_t op;
		if (!text || sscanf(line, HEAD " %" SCNu32 " %" SCNu64 " %" SCNu64 " %" SCNu64, &look.thread,
		                    &look.points, &op, &look.object) != 4)
			continue;
		text = take_lines(text, &look);
		const bool has_loaded = op & SCHED_LOOK_LOADED;
		op &= ~SCHED_LOOK_LOADED;
		look.op = copy_text(schedule_op_name(op < UINT32_MAX ? (unsigned)op : UINT32_MAX));
		add(looks, &look);
		if (has_loaded && look.points)
			add_load(looks, &look);
	}
	share_names(looks);
}

void analyze_look_add(struct plan *plan, uint32_t thread, uint64_t points)
{
	const struct sched_plan entry = {.thread = thread, .kind = SCHED_PLAN_look, .points = points};
	for (size_t i = 0; i < plan->count; i++)
		if (plan->entries[i].kind == SCHED_PLAN_look && plan->entries[i].thread == thread &&
		    plan->entries[i].points == points)
			return;
	if (points)
		memory_check(plan_add(plan, &entry));
}

/* Adds those at both ends of an event. */
static void add_looks(struct plan *plan, const struct plan_event *event)
{
	analyze_look_add(plan, event->thread, event->points);
	analyze_look_add(plan, event->thread, event->points + 1);
}

bool analyze_look_at(struct analyze *analyze, struct plan *plan, struct analyze_looks *looks)
{
	struct analyze_try made = {.step = "look", .looked = analyze_look_write};
	plan_order(plan);
	made.plan = *plan;
	const bool goes_on = analyze_try_all(analyze, &made, 1);
	if (goes_on && made.seen)
		parse(looks, made.seen);
	analyze_try_fini(&made);
	return goes_on;
}

static struct plan copy_of(const struct plan *plan)
{
	struct plan copy = {0};
	for (size_t i = 0; i < plan->count; i++)
		memory_check(plan_add(&copy, &plan->entries[i]));
	return copy;
}

static bool look_around(struct analyze *analyze, struct analyze_side *side)
{
	const struct plan_events *events = &side->events;
	struct plan plan = copy_of(&side->plan);
	const size_t first = analyze->place > AROUND ? analyze->place - AROUND : 0;
	/* The pair comes first: it is shown even if there is no room for all. */
	for (unsigned i = 0; analyze->has_pair && i < 2; i++)
		add_looks(&plan, &analyze->pair[i]);
	for (size_t i = first; i < events->count && i < analyze->place + 2 + AROUND; i++)
		analyze_look_add(&plan, events->at[i].thread, events->at[i].points);
	const bool goes_on = analyze_look_at(analyze, &plan, &side->looks);
	plan_fini(&plan);
	return goes_on;
}

bool analyze_look_at_needed(struct analyze *analyze)
{
	struct plan plan = copy_of(&analyze->minimal);
	const size_t count = plan.count;
	for (size_t i = 0, added = 0; i < count && added < NEEDED_MAX; i++) {
		const struct sched_plan *entry = &analyze->minimal.entries[i];
		if (entry->kind == SCHED_PLAN_anchor)
			continue;
		analyze_look_add(&plan, entry->thread, entry->points);
		added++;
	}
	const bool goes_on = analyze_look_at(analyze, &plan, &analyze->needed);
	plan_fini(&plan);
	return goes_on;
}

bool analyze_look_around(struct analyze *analyze)
{
	return analyze_look_at_needed(analyze) &&
	       (!analyze->failing.is_known || look_around(analyze, &analyze->failing)) &&
	       (!analyze->passing.is_known || look_around(analyze, &analyze->passing));
}

bool analyze_look_at_others(struct analyze *analyze)
{
	for (unsigned passing = 0; passing < 2; passing++) {
		struct analyze_orders *others = &analyze->others[passing];
		struct plan plan = copy_of(passing ? &analyze->passing.plan : &analyze->failing.plan);
		for (unsigned i = 0; i < others->count; i++)
			for (unsigned j = 0; j < 2; j++)
				add_looks(&plan, &others->at[i][j]);
		const bool goes_on = !others->count || analyze_look_at(analyze, &plan, &others->looks);
		plan_fini(&plan);
		if (!goes_on)
			return false;
	}
	return true;
}

static const struct analyze_look *find(const struct analyze_looks *looks, uint32_t thread, uint64_t points,
                                       bool is_load)
{
	for (size_t i = 0; i < looks->count; i++)
		if (looks->at[i].thread == thread && looks->at[i].points == points && looks->at[i].is_load == is_load)
			return &looks->at[i];
	return NULL;
}

const struct analyze_look *analyze_look_find(const struct analyze_looks *looks, uint32_t thread, uint64_t points)
{
	return find(looks, thread, points, false);
}

bool analyze_look_meets(const struct analyze_look *first, const struct analyze_look *second)
{
	return first && second && first->object && first->object == second->object &&
	       (strcmp(first->op, "load") || strcmp(second->op, "load"));
}

void analyze_look_pair(const struct analyze_looks *looks, const struct plan_event pair[2],
                       const struct analyze_look *at[2])
{
	for (unsigned i = 0; i < 2; i++)
		at[i] = find(looks, pair[i].thread, pair[i].points, false);
	if (analyze_look_meets(at[0], at[1]))
		return;
	for (unsigned i = 0; i < 2; i++) {
		const struct analyze_look *load = find(looks, pair[i].thread, pair[i].points, true);
		if (!analyze_look_meets(load, at[!i]))
			continue;
		at[i] = load;
		return;
	}
}

/* Whether a text begins with one of some words, which end with NULL. */
static bool begins_with(const char *text, const char *const *words)
{
	while (*words && strncmp(text, *words, strlen(*words)))
		words++;
	return *words;
}

/* Whether a place "module, file.c:3", or "file.c:3", is in a header or library of the system or of a language, and so
 * not in the user's program. */
static bool is_below(const char *place, const char *line)
{
	static const char *const modules[] = {"/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/", "/usr/local/lib/", NULL};
	return system_file_is(line, strcspn(line, ")\n")) || (place != line && begins_with(place, modules));
}

/* Where the place begins in a frame, "function(int)+0x12 (file.c:3)", or "(module, file.c:3)" in a Linux program; *line
 * is set to the source file with its line. NULL: it has none. */
static const char *place_in(const char *frame, const char **line)
{
	const char *end = strchrnul(frame, '\n'), *from = NULL, *comma, *colon;
	for (const char *at = frame; (at = memmem(at, (size_t)(end - at), " (", 2)); at += 2)
		from = at + 2;
	if (!from)
		return NULL;
	*line = from;
	while ((comma = memmem(*line, (size_t)(end - *line), ", ", 2)))
		*line = comma + 2;
	colon = memrchr(*line, ':', (size_t)(end - *line));
	return colon && colon[1] >= '0' && colon[1] <= '9' ? from : NULL;
}

/* Returns the source line of the first frame that has one, of the user's own files only if `own`. */
static const char *find_line(const char *stack, bool own)
{
	for (const char *frame = stack, *end; (end = strchr(frame, '\n')); frame = end + 1) {
		const char *line = NULL, *place = place_in(frame, &line);
		if (place && !(own && is_below(place, line)))
			return line;
	}
	return NULL;
}

char *analyze_look_own_line(const char *stack)
{
	const char *line = find_line(stack, true);
	return line ? strndup(line, strcspn(line, ")\n")) : NULL;
}

char *analyze_look_line(const char *stack)
{
	char *own = analyze_look_own_line(stack);
	const char *line = own ? NULL : find_line(stack, false);
	return line ? strndup(line, strcspn(line, ")\n")) : own;
}

/* Whether a frame, "#4 0x7ffff7e6dfdf __libc_free+0xef (file)", is of a function. */
static bool is_frame_of(const char *frame, const char *function)
{
	int used = 0;
	if (sscanf(frame, " #%*u 0x%*x %n", &used) || !used)
		return false;
	frame += used;
	return !strncmp(frame, function, strlen(function)) && strchr("+ ", frame[strlen(function)]);
}

const char *analyze_look_frees(const struct analyze_look *look)
{
	static const char *const functions[][2] = {{"free", "free"},
	                                           {"__libc_free", "free"},
	                                           {"cfree", "free"},
	                                           {"operator delete(void*)", "delete"},
	                                           {"operator delete(void*, unsigned long)", "delete"},
	                                           {"operator delete[](void*)", "delete"},
	                                           {"operator delete[](void*, unsigned long)", "delete"}};
	const char *line, *place, *found = NULL;
	for (const char *frame = look->stack, *end; (end = strchr(frame, '\n')); frame = end + 1) {
		if ((place = place_in(frame, &line)) && !is_below(place, line))
			break;
		for (unsigned i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
			if (is_frame_of(frame, functions[i][0]))
				found = functions[i][1];
	}
	return found;
}

void analyze_looks_fini(struct analyze_looks *looks)
{
	for (size_t i = 0; i < looks->count; i++) {
		free(looks->at[i].op);
		free(looks->at[i].name);
		free(looks->at[i].stack);
	}
	free(looks->at);
	*looks = (struct analyze_looks){0};
}
