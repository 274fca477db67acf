/* SPDX-License-Identifier: MIT */
/* Notes of files that were read, in a binary tree whose order is the order of the output. */
#include "hostfs/host_notes.h"

#include <errno.h>
#include <pthread.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/beside.h"
#include "hostfs/host_bytecode.h"
#include "hostfs/host_place.h"
#include "hostfs/tree/host_tree_ops.h"

/* Number of notes from which a second thread checks half of them. Checking so many takes a millisecond, starting a
 * thread a tenth. */
#define PARALLEL_MIN 256

size_t host_notes_path(char *to, size_t size, const struct host_tree *tree, const char *below)
{
	const char *slash = *below && tree->guest[1] ? "/" : "";
	return (size_t)snprintf(to, size, "%s%s%s", tree->guest, slash, below);
}

/* Orders notes by path. Notes of one path are ordered by tree, in the order of the command line, because trees can hide
 * each other; then by kind. */
static int compare_host_notes(const void *a, const void *b)
{
	const struct host_note *x = a, *y = b;
	int order = strcmp(x->path, y->path);
	if (!order)
		order = (x->tree > y->tree) - (x->tree < y->tree);
	return order ? order : (x->kind > y->kind) - (x->kind < y->kind);
}

static bool is_same_stamp(const struct host_stamp *was, const struct host_stamp *now)
{
	if (S_ISDIR(was->mode) && S_ISDIR(now->mode))
		return was->size == now->size;
	return host_stamp_is_untouched(was, now);
}

int host_notes_add(struct host_notes *notes, unsigned run, enum host_note_kind kind, const struct host_tree *tree,
                   const char *below, const struct host_stamp *stamp, const uint8_t hash[DIGEST_BYTES],
                   struct host_note **out)
{
	size_t length = host_notes_path(NULL, 0, tree, below);
	struct host_note *note = malloc(sizeof(*note) + length + sizeof("/"));
	if (!note)
		return -ENOMEM;
	*note = (struct host_note){
		.tree = tree, .kind = kind, .stamp = *stamp, .run = run, .below = length - strlen(below)};
	memcpy(note->hash, hash, DIGEST_BYTES);
	host_notes_path(note->path, length + 1, tree, below);
	if (S_ISDIR(stamp->mode) && note->path[1])
		strcpy(note->path + length, "/");
	struct host_note **found = tsearch(note, &notes->root, compare_host_notes);
	if (!found || *found != note)
		free(note);
	if (!found)
		return -ENOMEM;
	*out = *found;
	if ((*found)->run == HOST_NOTES_NO_RUN) {
		(*found)->stamp = *stamp;
		memcpy((*found)->hash, hash, DIGEST_BYTES);
	}
	if (run != HOST_NOTES_NO_RUN)
		(*found)->run = run;
	return is_same_stamp(&(*found)->stamp, stamp) && !memcmp((*found)->hash, hash, DIGEST_BYTES) ? 0 : -ESTALE;
}

/* The note of exactly this path and kind, or NULL. */
static const struct host_note *find_host_note(const struct host_notes *notes, const struct host_tree *tree,
                                              const char *below, const char *end)
{
	size_t length = host_notes_path(NULL, 0, tree, below);
	struct host_note *key = calloc(1, sizeof(*key) + length + sizeof("/"));
	if (!key)
		return NULL;
	*key = (struct host_note){.tree = tree, .kind = HOST_NOTE_READ};
	host_notes_path(key->path, length + 1, tree, below);
	if (key->path[1])
		strcpy(key->path + length, end);
	struct host_note *const *found = tfind(key, &notes->root, compare_host_notes);
	free(key);
	return found ? *found : NULL;
}

const struct host_note *host_notes_find(const struct host_notes *notes, unsigned run, const struct host_tree *tree,
                                        const char *below)
{
	const struct host_note *note = find_host_note(notes, tree, below, "");
	if (!note)
		note = find_host_note(notes, tree, below, "/");
	return note && note->run == run ? note : NULL;
}

/* State of a walk. One of `sum`, `to` and `names`, or none, is set: the walk hashes the notes, writes them, names
 * those of a kind, or collects those to check. */
struct walk {
	const struct host_note **checked; /* array of `count` notes, with `room` */
	size_t room;
	bool has_no_memory;
	struct digest_sum *sum;
	unsigned run;
	FILE *to;
	char *names;
	enum host_note_kind kind;      /* of the notes to name */
	size_t size, used, count;      /* of `names`: its room, its length, and the number of all notes for it */
	const struct host_note *whole; /* the last file that was read as a whole */
};

static void collect(const struct host_note *note, struct walk *walk)
{
	if (S_ISDIR(note->stamp.mode) || !note->tree->ops->stamp || note->run == HOST_NOTES_NO_RUN ||
	    note->kind == HOST_NOTE_CHOICE || note->kind == HOST_NOTE_DENIED || note->kind == HOST_NOTE_ASSUMED)
		return;
	if (array_reserve(walk->checked, walk->room, walk->count + 1))
		walk->checked[walk->count++] = note;
	else
		walk->has_no_memory = true;
}

/* Whether a note counts. A header does not count if the whole file was read too. */
static bool counts_note(const struct host_note *note, struct walk *walk)
{
	const struct host_note *whole = walk->whole;
	if (note->kind == HOST_NOTE_READ)
		walk->whole = note;
	return note->kind == HOST_NOTE_READ ||
	       (note->kind == HOST_NOTE_HEADER &&
	        (!whole || whole->tree != note->tree || strcmp(whole->path, note->path)));
}

static uint64_t note_bytes(const struct host_note *note)
{
	if (note->kind == HOST_NOTE_DENIED)
		return UINT64_MAX;
	return note->kind == HOST_NOTE_HEADER ? HOST_BYTECODE_HEADER_BYTES : note->stamp.size;
}

static void sum(const struct host_note *note, struct walk *walk)
{
	struct digest_file file = {.bytes = note_bytes(note)};
	if (note->run != walk->run || !(note->kind == HOST_NOTE_DENIED || counts_note(note, walk)))
		return;
	digest_add(walk->sum, note->path, strlen(note->path) + 1);
	memcpy(file.sha256, note->hash, DIGEST_BYTES);
	digest_add(walk->sum, &file, sizeof(file));
}

static void write_note_line(const struct host_note *note, struct walk *walk)
{
	char text[DIGEST_TEXT_BYTES];
	if (note->run == HOST_NOTES_NO_RUN || !counts_note(note, walk))
		return;
	digest_text(note->hash, text);
	fprintf(walk->to, "%s %lu ", strchr(text, ':') + 1, note_bytes(note));
	for (const char *c = note->path; *c; c++) {
		if (*c == '\\' || *c == '\n')
			fputc('\\', walk->to);
		fputc(*c == '\n' ? 'n' : *c, walk->to);
	}
	fputc('\n', walk->to);
}

static void name_note(const struct host_note *note, struct walk *walk)
{
	if (note->kind != walk->kind)
		return;
	if (walk->count++ < HOST_NOTES_NAMES && walk->used < walk->size)
		walk->used += (size_t)snprintf(walk->names + walk->used, walk->size - walk->used, "%s%s",
		                               walk->used ? ", " : "", note->path);
}

static void visit_note(const void *node, VISIT which, void *context)
{
	struct walk *walk = context;
	const struct host_note *note = *(struct host_note *const *)node;
	if (which != postorder && which != leaf)
		return;
	if (walk->sum)
		sum(note, walk);
	else if (walk->to)
		write_note_line(note, walk);
	else if (walk->names)
		name_note(note, walk);
	else
		collect(note, walk);
}

/* Notes to check. */
struct part {
	const struct host_note **notes;
	size_t count;
	const struct host_note *changed; /* the first one whose file has changed, or NULL */
	struct host_place place;
};

static void *check_part(void *argument)
{
	struct part *part = argument;
	for (size_t i = 0; i < part->count && !part->changed; i++) {
		const struct host_note *note = part->notes[i];
		struct host_stamp now;
		if (note->tree->ops->stamp(&part->place, note->tree, note->path + note->below, &now) ||
		    !host_stamp_is_untouched(&note->stamp, &now))
			part->changed = note;
	}
	host_place_close(&part->place);
	return NULL;
}

/* Returns the first note whose file has changed, or NULL. */
static const struct host_note *check_notes(const struct host_note **notes, size_t count)
{
	static struct part parts[2]; /* too large for a stack */
	const size_t half = count < PARALLEL_MIN ? count : count / 2;
	pthread_t thread;
	parts[0] = (struct part){.notes = notes, .count = half};
	parts[1] = (struct part){.notes = notes + half, .count = count - half};
	bool runs = half < count && beside_start(&thread, check_part, &parts[1]);
	check_part(&parts[0]);
	if (runs)
		pthread_join(thread, NULL);
	else
		check_part(&parts[1]);
	return parts[0].changed ? parts[0].changed : parts[1].changed;
}

int host_notes_check(const struct host_notes *notes, struct error *error)
{
	struct walk walk = {0};
	twalk_r(notes->root, visit_note, &walk);
	const struct host_note *changed = walk.has_no_memory ? NULL : check_notes(walk.checked, walk.count);
	free(walk.checked);
	if (walk.has_no_memory)
		return error_set(error, ENOMEM, "out of memory");
	if (!changed)
		return 0;
	return error_set(error, ESTALE,
	                 "the host's file %.120s, which the program has read, changed during the run; run again while "
	                 "nothing writes to it, or from a copy",
	                 changed->path);
}

void host_notes_digest(const struct host_notes *notes, unsigned run, uint8_t out[DIGEST_BYTES])
{
	struct digest_sum running;
	struct walk walk = {.sum = &running, .run = run};
	digest_begin(&running);
	twalk_r(notes->root, visit_note, &walk);
	digest_end(&running, out);
}

int host_notes_write(const struct host_notes *notes, FILE *to)
{
	struct walk walk = {.to = to};
	twalk_r(notes->root, visit_note, &walk);
	return ferror(to) ? -EIO : 0;
}

size_t host_notes_name(const struct host_notes *notes, enum host_note_kind kind, char *text, size_t size)
{
	struct walk walk = {.names = text, .kind = kind, .size = size};
	*text = 0;
	twalk_r(notes->root, visit_note, &walk);
	return walk.count;
}

void host_notes_fini(struct host_notes *notes)
{
	tdestroy(notes->root, free);
	notes->root = NULL;
}
