/* SPDX-License-Identifier: MIT */
/* The events of `to` are brought to their places one by one, each by swaps with its left neighbour. */
#include "analyze/analyze_path.h"

#include <stdlib.h>
#include <string.h>

/* An event, and where it is. */
struct located {
	struct plan_event event;
	uint32_t at;
};

static int compare_events(const struct plan_event *x, const struct plan_event *y)
{
	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->points != y->points)
		return x->points < y->points ? -1 : 1;
	return x->part < y->part ? -1 : x->part > y->part;
}

static int compare(const void *a, const void *b)
{
	return compare_events(&((const struct located *)a)->event, &((const struct located *)b)->event);
}

/* Returns the events in the order of threads and operations. */
static struct located *locate(const struct plan_events *events)
{
	struct located *all = malloc((events->count + 1) * sizeof(*all));
	for (size_t i = 0; all && i < events->count; i++)
		all[i] = (struct located){events->at[i], (uint32_t)i};
	if (all)
		qsort(all, events->count, sizeof(*all), compare);
	return all;
}

/* Marks in both the events that both have. */
static bool mark_common(const struct plan_events *from, const struct plan_events *to, bool *in_from, bool *in_to)
{
	struct located *a = locate(from), *b = locate(to);
	size_t i = 0, j = 0;
	while (a && b && i < from->count && j < to->count) {
		int order = compare(&a[i], &b[j]);
		if (!order)
			in_from[a[i].at] = in_to[b[j].at] = true;
		i += order <= 0;
		j += order >= 0;
	}
	const bool fits = a && b;
	free(a);
	free(b);
	return fits;
}

/* An event that is missing in a list, and the index of the event there behind which it belongs. */
struct missing {
	struct plan_event event;
	size_t behind;
};

static int compare_missing(const void *a, const void *b)
{
	const struct missing *x = a, *y = b;
	if (x->behind != y->behind)
		return x->behind < y->behind ? -1 : 1;
	return compare_events(&x->event, &y->event);
}

/* Finds the place of an event in the list `all`, in the order of threads: the index of the first that is not before
 * it. */
static size_t find_place(const struct located *all, size_t count, const struct plan_event *event)
{
	size_t low = 0, high = count;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (compare_events(&all[middle].event, event) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Where in a list, of `count` events that `all` has in the order of threads, an event belongs that it does not have.
 * The rest of an operation follows its begin if the thread went on there; `count` stands for no place. */
static size_t place_of(const struct located *all, size_t count, const struct plan_event *event, bool is_cut_short)
{
	size_t next = find_place(all, count, event);
	const bool has_begin = next && all[next - 1].event.thread == event->thread;
	const bool goes_on = next < count && all[next].event.thread == event->thread;
	return event->part && has_begin && (goes_on || !is_cut_short) ? all[next - 1].at : count;
}

/* Copies `list`, and adds the events of `other` that it lacks: those for which in_both[] is false. The rest of an
 * operation is put behind the begin of that operation, and every other event at the end. */
static bool copy_with(struct plan_events *to, const struct plan_events *list, const struct plan_events *other,
                      const bool *in_both, bool is_cut_short)
{
	struct located *all = locate(list);
	struct missing *missing = calloc(other->count + 1, sizeof(*missing));
	size_t count = 0, next = 0;
	bool fits = all && missing;
	for (size_t i = 0; fits && i < other->count; i++) {
		if (in_both[i])
			continue;
		const size_t behind = place_of(all, list->count, &other->at[i], is_cut_short);
		if (behind < list->count)
			missing[count++] = (struct missing){other->at[i], behind};
	}
	if (count)
		qsort(missing, count, sizeof(*missing), compare_missing);
	for (size_t i = 0; fits && i < list->count; i++) {
		fits = plan_events_add(to, &list->at[i]);
		for (; fits && next < count && missing[next].behind == i; next++)
			fits = plan_events_add(to, &missing[next].event);
	}
	for (size_t i = 0; fits && i < other->count; i++)
		if (!in_both[i] && place_of(all, list->count, &other->at[i], is_cut_short) == list->count)
			fits = plan_events_add(to, &other->at[i]);
	free(all);
	free(missing);
	return fits;
}

static bool take_both(struct analyze_path *path, const struct plan_events *from, const struct plan_events *to)
{
	bool *in_from = calloc(from->count + 1, 1), *in_to = calloc(to->count + 1, 1);
	const bool fits = in_from && in_to && mark_common(from, to, in_from, in_to) &&
	                  copy_with(&path->to, to, from, in_from, false) &&
	                  copy_with(&path->from, from, to, in_to, true);
	free(in_from);
	free(in_to);
	return fits;
}

/* A tree of sums (Fenwick 1994) over the events of `from` that are in their places. */
static void tree_add(uint32_t *tree, size_t count, size_t index)
{
	for (index++; index <= count; index += index & -index)
		tree[index]++;
}

static uint32_t tree_below(const uint32_t *tree, size_t index)
{
	uint32_t sum = 0;
	for (; index; index -= index & -index)
		sum += tree[index];
	return sum;
}

static bool count_swaps(struct analyze_path *path)
{
	const size_t count = path->to.count;
	struct located *a = locate(&path->from), *b = locate(&path->to);
	uint32_t *tree = calloc(count + 1, sizeof(*tree));
	path->place = calloc(count + 1, sizeof(*path->place));
	path->before = calloc(count + 1, sizeof(*path->before));
	const bool fits = a && b && tree && path->place && path->before;
	for (size_t i = 0; fits && i < count; i++)
		path->place[b[i].at] = a[i].at;
	for (size_t i = 0; fits && i < count; i++) {
		path->before[i + 1] = path->before[i] + path->place[i] - tree_below(tree, path->place[i]);
		tree_add(tree, count, path->place[i]);
	}
	if (fits)
		path->swaps = path->before[count];
	free(a);
	free(b);
	free(tree);
	return fits;
}

bool analyze_path_make(struct analyze_path *path, const struct plan_events *from, const struct plan_events *to)
{
	*path = (struct analyze_path){0};
	return take_both(path, from, to) && count_swaps(path);
}

/* The event that the swap after `swaps` swaps moves, as an index in `to`. */
static size_t moved_at(const struct analyze_path *path, uint64_t swaps)
{
	size_t low = 0, high = path->to.count;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (path->before[middle + 1] <= swaps)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool analyze_path_at(const struct analyze_path *path, uint64_t swaps, struct plan_events *events, size_t *pair)
{
	const size_t count = path->to.count, moved = moved_at(path, swaps);
	bool *placed = calloc(count + 1, 1);
	*events = (struct plan_events){0};
	events->at = malloc((count + 1) * sizeof(*events->at));
	*pair = 0;
	if (!placed || !events->at) {
		free(placed);
		plan_events_fini(events);
		return false;
	}
	for (size_t i = 0; i < moved; i++) {
		placed[path->place[i]] = true;
		events->at[events->count++] = path->to.at[i];
	}
	/* The moved event's place in the rest, from which it goes to the left. */
	size_t left = moved < count ? path->before[moved + 1] - swaps : 0, to = moved + left;
	for (size_t i = 0; i < count; i++) {
		if (moved < count && events->count == to)
			events->at[events->count++] = path->to.at[moved];
		if (!placed[i] && (moved == count || i != path->place[moved]))
			events->at[events->count++] = path->from.at[i];
	}
	if (events->count < count)
		events->at[events->count++] = path->to.at[moved];
	*pair = to ? to - 1 : 0;
	free(placed);
	return true;
}

void analyze_path_fini(struct analyze_path *path)
{
	plan_events_fini(&path->from);
	plan_events_fini(&path->to);
	free(path->place);
	free(path->before);
	*path = (struct analyze_path){0};
}

uint64_t analyze_path_distance(const struct plan_events *a, const struct plan_events *b, size_t *pair)
{
	const size_t least = a->count < b->count ? a->count : b->count;
	struct analyze_path path;
	size_t same = 0;
	while (same < least && plan_event_is(&a->at[same], &b->at[same]))
		same++;
	*pair = same;
	uint64_t swaps = analyze_path_make(&path, a, b) ? path.swaps : UINT64_MAX;
	/* The run `a` may have ended before the second event of the pair, at which its thread stood. */
	bool is_swap = swaps != UINT64_MAX && same < a->count && same + 1 < b->count &&
	               plan_event_is(&a->at[same], &b->at[same + 1]) &&
	               (same + 1 == a->count || plan_event_is(&a->at[same + 1], &b->at[same]));
	for (size_t i = same; is_swap && same + 1 == a->count && i < a->count; i++)
		is_swap = a->at[i].thread != b->at[same].thread;
	analyze_path_fini(&path);
	return is_swap ? 1 : swaps;
}
