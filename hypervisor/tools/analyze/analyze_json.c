/* SPDX-License-Identifier: MIT */
#include "analyze/analyze_json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze_edits.h"
#include "analyze/analyze_locks.h"
#include "analyze/analyze_look.h"
#include "analyze/analyze_results.h"
#include "base/memory.h"
#include "library/json_out.h"

#define ADDRESS_TEXT 24

static void add_look(cJSON *object, const struct analyze_look *look)
{
	char address[ADDRESS_TEXT];
	if (!look)
		return;
	cjson.AddStringToObject(object, "op", look->op);
	if (look->object) {
		snprintf(address, sizeof(address), "0x%" PRIx64, look->object);
		cjson.AddStringToObject(object, "address", address);
	}
	if (*look->name)
		cjson.AddStringToObject(object, "object", look->name);
	if (analyze_look_frees(look))
		cjson.AddStringToObject(object, "in", analyze_look_frees(look));
	char *line = analyze_look_line(look->stack);
	if (line)
		cjson.AddStringToObject(object, "line", line);
	free(line);
	json_out_lines(object, "stack", look->stack);
}

static void add_event_at(cJSON *object, const struct plan_event *event, const struct analyze_look *look)
{
	cjson.AddNumberToObject(object, "thread", event->thread);
	cjson.AddNumberToObject(object, "operation", (double)event->points);
	if (event->part)
		cjson.AddNumberToObject(object, "part", event->part);
	add_look(object, look);
}

static void add_event(cJSON *object, const struct analyze_looks *looks, const struct plan_event *event)
{
	add_event_at(object, event, analyze_look_find(looks, event->thread, event->points));
}

/* Adds both events of a pair to an array, or as members of an object. */
static void add_pair(cJSON *json, const struct analyze_looks *looks, const struct plan_event pair[2])
{
	const struct analyze_look *at[2];
	analyze_look_pair(looks, pair, at);
	for (unsigned i = 0; i < 2; i++)
		add_event_at(cjson.IsArray(json) ? json_out_append(json)
		                                 : cjson.AddObjectToObject(json, i ? "second" : "first"),
		             &pair[i], at[i]);
}

/* Whether a stretch of one thread ends with an event. */
static bool ends_stretch(const struct plan_events *events, size_t event)
{
	return event + 1 == events->count || events->at[event + 1].thread != events->at[event].thread;
}

/* Adds the order of events as stretches of one thread, `around` of them before and after that of the event `place`. */
static void add_stretches(cJSON *object, const struct plan_events *events, size_t place, size_t around)
{
	cJSON *array = cjson.AddArrayToObject(object, "stretches");
	size_t middle = 0;
	for (size_t i = 0; i < place && i < events->count; i++)
		middle += ends_stretch(events, i);
	for (size_t i = 0, first = 0, number = 0; i < events->count; i++) {
		if (!ends_stretch(events, i))
			continue;
		if ((number < middle ? middle - number : number - middle) <= around) {
			cJSON *stretch = json_out_append(array);
			cjson.AddNumberToObject(stretch, "thread", events->at[first].thread);
			cjson.AddNumberToObject(stretch, "event", (double)first);
			cjson.AddNumberToObject(stretch, "count", (double)(i + 1 - first));
			cjson.AddNumberToObject(stretch, "from", (double)events->at[first].points);
			cjson.AddNumberToObject(stretch, "to", (double)events->at[i].points);
		}
		first = i + 1;
		number++;
	}
}

/* Adds a schedule, and its events around the pair one by one. */
static void add_side(cJSON *json, const struct analyze *analyze, bool passing, size_t around)
{
	const struct analyze_side *side = passing ? &analyze->passing : &analyze->failing;
	const char *file = passing ? analyze->option.passing : analyze->option.failing;
	const struct plan_events *events = &side->events;
	if (!side->is_known)
		return;
	cJSON *object = cjson.AddObjectToObject(json, passing ? "passing" : "failing");
	char *command = analyze_results_command(analyze, file);
	cjson.AddStringToObject(object, "end", side->end);
	cjson.AddStringToObject(object, "file", file);
	cjson.AddStringToObject(object, "command", command);
	free(command);
	cjson.AddBoolToObject(object, "written", side->is_written);
	if (side->is_replayed)
		cjson.AddBoolToObject(object, "replays", side->replays);
	else
		cjson.AddNullToObject(object, "replays");
	cjson.AddNumberToObject(object, "count", (double)events->count);
	add_stretches(object, events, analyze->place, around);
	cJSON *array = cjson.AddArrayToObject(object, "events");
	for (size_t i = 0; i < events->count; i++) {
		if (!analyze_look_find(&side->looks, events->at[i].thread, events->at[i].points))
			continue;
		cJSON *event = json_out_append(array);
		cjson.AddNumberToObject(event, "event", (double)i);
		add_event(event, &side->looks, &events->at[i]);
	}
}

/* Adds where each lock of a deadlock was taken. */
static void add_locks(cJSON *json, const struct analyze *analyze)
{
	char *cycle = analyze_locks_cycle(analyze);
	cJSON *array = cjson.AddArrayToObject(json, "locks");
	for (unsigned i = 0; i < analyze->lock_count; i++) {
		const struct analyze_lock *lock = &analyze->locks[i];
		if (!analyze_locks_look(analyze, lock))
			continue;
		cJSON *object = json_out_append(array);
		cjson.AddNumberToObject(object, "waits", lock->waiter);
		cjson.AddBoolToObject(object, "holds", lock->is_lock);
		add_event(object, &analyze->lock_looks, &lock->taken);
	}
	if (cycle)
		cjson.AddStringToObject(json, "cycle", cycle);
	free(cycle);
}

static void add_needed(cJSON *json, const struct analyze *analyze)
{
	static const char *const kinds[] = {
#define NAME(name) #name,
		SCHED_PLAN_LIST(NAME)
#undef NAME
	};
	cJSON *array = cjson.AddArrayToObject(json, "needed");
	for (size_t i = 0; i < analyze->minimal.count; i++) {
		const struct sched_plan *entry = &analyze->minimal.entries[i];
		if (entry->kind == SCHED_PLAN_anchor || entry->kind >= SCHED_PLAN_KINDS)
			continue;
		cJSON *object = json_out_append(array);
		cjson.AddStringToObject(object, "kind", kinds[entry->kind]);
		cjson.AddNumberToObject(object, "next", entry->next);
		if (entry->kind == SCHED_PLAN_choice) {
			char *choice = analyze_results_choice(entry);
			cjson.AddStringToObject(object, "choice", choice);
			free(choice);
		}
		const struct plan_event event = {entry->thread, entry->part, entry->points};
		add_event(object, &analyze->needed, &event);
	}
}

static void add_others(cJSON *json, const char *name, const struct analyze_orders *others)
{
	cJSON *array = cjson.AddArrayToObject(json, name);
	for (unsigned i = 0; i < others->count; i++) {
		add_pair(json_out_append(array), &others->looks, others->at[i]);
	}
}

static void add_flips(cJSON *json, const struct analyze *analyze)
{
	const struct analyze_flips *const all[] = {analyze->flips[0], analyze->after, analyze->flips[1]};
	cJSON *array = cjson.AddArrayToObject(json, "flips");
	for (unsigned i = 0; analyze->has_flips && i < 3; i++)
		for (unsigned passing = 0; passing < 2; passing++) {
			const struct analyze_flips *flips = &all[i][passing];
			if (!flips->seeds)
				continue;
			cJSON *object = json_out_append(array);
			cjson.AddStringToObject(object, "order", passing ? "passing" : "failing");
			cjson.AddBoolToObject(object, "with_others", i == 2);
			cjson.AddBoolToObject(object, "same_beginning", i && analyze->is_after);
			cjson.AddNumberToObject(object, "seeds", (double)flips->seeds);
			cjson.AddNumberToObject(object, "kept", (double)flips->kept);
			cjson.AddNumberToObject(object, "failed", (double)flips->fails);
			cjson.AddNumberToObject(object, "passed", (double)flips->passes);
			cjson.AddNumberToObject(object, "otherwise", (double)flips->otherwise);
			if (flips->other_end)
				cjson.AddStringToObject(object, "other_end", flips->other_end);
		}
}

static void add_tries(cJSON *json, const struct analyze *analyze, size_t max)
{
	static const char *const results[] = {"passes", "fails", "otherwise"};
	cJSON *array = cjson.AddArrayToObject(json, "tries");
	for (size_t i = 0; i < analyze->note_count && i < max; i++) {
		cJSON *object = json_out_append(array);
		cjson.AddStringToObject(object, "step", analyze->notes[i].step);
		cjson.AddNumberToObject(object, "distance", (double)analyze->notes[i].distance);
		if (analyze->notes[i].edits != ANALYZE_EDITS_UNKNOWN)
			cjson.AddNumberToObject(object, "edits", (double)analyze->notes[i].edits);
		cjson.AddStringToObject(object, "outcome", results[analyze->notes[i].result]);
		cjson.AddStringToObject(object, "end", analyze->notes[i].end);
	}
}

static void add_headline(cJSON *json, const struct analyze *analyze)
{
	static const char *const names[] = {[DECIDES_UNKNOWN] = "unknown",
	                                    [DECIDES_NOT] = "no",
	                                    [DECIDES_TOGETHER] = "together",
	                                    [DECIDES_ALONE] = "alone"};
	char *headline = analyze_results_headline(analyze);
	cjson.AddStringToObject(json, "decides", names[analyze_decides(analyze)]);
	cjson.AddStringToObject(json, "headline", headline);
	free(headline);
}

cJSON *analyze_json_make(const struct analyze *analyze, const struct analyze_json_limits *limits)
{
	cJSON *json = memory_or_die(cjson.CreateObject());
	cjson.AddStringToObject(json, "program", analyze->option.runs.program[0]);
	cjson.AddStringToObject(json, "end", analyze->end ? analyze->end : "");
	json_out_lines(json, "stacks", analyze->stacks);
	json_out_lines(json, "said", analyze->said);
	if (analyze->lock_count)
		add_locks(json, analyze);
	cjson.AddNumberToObject(json, "decisions", (double)analyze->given_entries);
	cjson.AddBoolToObject(json, "needed_to_pass", analyze->minimal_passes);
	add_needed(json, analyze);
	if (analyze->has_pair) {
		add_pair(cjson.AddArrayToObject(json, "pair"), &analyze->failing.looks, analyze->pair);
		cjson.AddNumberToObject(json, "event", (double)analyze->place);
		add_headline(json, analyze);
	}
	if (analyze->failing.is_known && analyze->passing.is_known && analyze->distance < ANALYZE_DISTANCE_UNKNOWN)
		cjson.AddNumberToObject(json, "distance", (double)analyze->distance);
	if (analyze->verdict)
		cjson.AddStringToObject(json, "verdict", analyze->verdict);
	if (analyze->error.text[0])
		cjson.AddStringToObject(json, "error", analyze->error.text);
	cjson.AddBoolToObject(json, "interrupted", analyze->signal != 0);
	add_side(json, analyze, false, limits->stretches);
	add_side(json, analyze, true, limits->stretches);
	add_others(json, "others", &analyze->others[0]);
	add_others(json, "others_to_pass", &analyze->others[1]);
	add_flips(json, analyze);
	char *verdict = analyze_results_verdict(analyze);
	json_out_lines(json, "flip_verdict", verdict);
	free(verdict);
	cjson.AddNumberToObject(json, "try_count", (double)analyze->note_count);
	add_tries(json, analyze, limits->tries);
	return json;
}

void analyze_json_put(FILE *to, const struct analyze *analyze)
{
	static const struct analyze_json_limits none = {SIZE_MAX, SIZE_MAX};
	cJSON *json = analyze_json_make(analyze, &none);
	memory_check(!json_out_print(to, json));
	cjson.Delete(json);
}
