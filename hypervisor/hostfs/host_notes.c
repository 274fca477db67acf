/* SPDX-License-Identifier: MIT */
/* Notes of files that were read, in a binary tree whose order is the order of the output. */
#include "hostfs/host_notes.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/die.h"
#include "hostfs/host_bytecode.h"
#include "hostfs/host_place.h"

size_t host_notes_path(char *to, size_t size, const struct host_tree *tree, const char *below)
{
	const char *slash = *below && tree->guest[1] ? "/" : "";
	return (size_t)snprintf(to, size, "%s%s%s", tree->guest, slash, below);
}

/* Orders notes by path. Notes of one path are ordered by tree, in the order of the command line, because trees can hide
 * each other; then by kind. */
static int compare(const void *a, const void *b)
{
	const struct host_note *x = a, *y = b;
	int order = strcmp(x->path, y->path);
	if (!order)
		order = (x->tree > y->tree) - (x->tree < y->tree);
	return order ? order : (x->kind > y->kind) - (x->kind < y->kind);
}

static bool is_same(const struct host_stamp *was, const struct host_stamp *now)
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
	struct host_note **found = tsearch(note, &notes->root, compare);
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
	return is_same(&(*found)->stamp, stamp) && !memcmp((*found)->hash, hash, DIGEST_BYTES) ? 0 : -ESTALE;
}

/* The note of exactly this path and kind, or NULL. */
static const struct host_note *find(const struct host_notes *notes, const struct host_tree *tree, const char *below,
                                    const char *end)
{
	size_t length = host_notes_path(NULL, 0, tree, below);
	struct host_note *key = calloc(1, sizeof(*key) + length + sizeof("/"));
	if (!key)
		return NULL;
	*key = (struct host_note){.tree = tree, .kind = HOST_NOTE_READ};
	host_notes_path(key->path, length + 1, tree, below);
	if (key->path[1])
		strcpy(key->path + length, end);
	struct host_note *const *found = tfind(key, &notes->root, compare);
	free(key);
	return found ? *found : NULL;
}

const struct host_note *host_notes_find(const struct host_notes *notes, unsigned run, const struct host_tree *tree,
                                        const char *below)
{
	const struct host_note *note = find(notes, tree, below, "");
	if (!note)
		note = find(notes, tree, below, "/");
	return note && note->run == run ? note : NULL;
}

/* State of a walk. One of `sum`, `to` and `denied`, or none, is set: the walk hashes the notes, writes them, names
 * those that are denied, or checks them. */
struct walk {
	char *error;
	struct host_place *place; /* for checks */
	struct digest_sum *sum;
	unsigned run;
	FILE *to;
	char *denied;
	size_t size, used, count;      /* of `denied`: its room, its length, and the number of all notes for it */
	const struct host_note *whole; /* the last file that was read as a whole */
	int result;
};

static void check(const struct host_note *note, struct walk *walk)
{
	struct host_stamp now;
	if (walk->result || S_ISDIR(note->stamp.mode) || note->tree->sealed || note->run == HOST_NOTES_NO_RUN ||
	    note->kind == HOST_NOTE_CHOICE || note->kind == HOST_NOTE_DENIED)
		return;
	if (host_place_stamp(walk->place, note->tree, note->path + note->below, &now) ||
	    !host_stamp_is_untouched(&note->stamp, &now))
		walk->result =
			refuse(walk->error, ESTALE,
		               "the host's file %.120s, which the program has read, changed during the run; run again "
		               "while nothing writes to it, or from a copy",
		               note->path);
}

/* Whether a note counts. A header does not count if the whole file was read too. */
static bool counts(const struct host_note *note, struct walk *walk)
{
	const struct host_note *whole = walk->whole;
	if (note->kind == HOST_NOTE_READ)
		walk->whole = note;
	return note->kind == HOST_NOTE_READ ||
	       (note->kind == HOST_NOTE_HEADER &&
	        (!whole || whole->tree != note->tree || strcmp(whole->path, note->path)));
}

static uint64_t bytes_of(const struct host_note *note)
{
	if (note->kind == HOST_NOTE_DENIED)
		return UINT64_MAX;
	return note->kind == HOST_NOTE_HEADER ? HOST_BYTECODE_HEADER_BYTES : note->stamp.size;
}

static void sum(const struct host_note *note, struct walk *walk)
{
	uint64_t bytes = bytes_of(note);
	if (note->run != walk->run || !(note->kind == HOST_NOTE_DENIED || counts(note, walk)))
		return;
	digest_add(walk->sum, note->path, strlen(note->path) + 1);
	digest_add(walk->sum, &bytes, sizeof(bytes));
	digest_add(walk->sum, note->hash, DIGEST_BYTES);
}

static void write_line(const struct host_note *note, struct walk *walk)
{
	char text[DIGEST_TEXT_BYTES];
	if (note->run == HOST_NOTES_NO_RUN || !counts(note, walk))
		return;
	digest_text(note->hash, text);
	fprintf(walk->to, "%s %lu ", strchr(text, ':') + 1, bytes_of(note));
	for (const char *c = note->path; *c; c++) {
		if (*c == '\\' || *c == '\n')
			fputc('\\', walk->to);
		fputc(*c == '\n' ? 'n' : *c, walk->to);
	}
	fputc('\n', walk->to);
}

static void name_denied(const struct host_note *note, struct walk *walk)
{
	if (note->kind != HOST_NOTE_DENIED)
		return;
	if (walk->count++ < HOST_NOTES_DENIED_NAMES && walk->used < walk->size)
		walk->used += (size_t)snprintf(walk->denied + walk->used, walk->size - walk->used, "%s%s",
		                               walk->used ? ", " : "", note->path);
}

static void visit(const void *node, VISIT which, void *context)
{
	struct walk *walk = context;
	const struct host_note *note = *(struct host_note *const *)node;
	if (which != postorder && which != leaf)
		return;
	if (walk->sum)
		sum(note, walk);
	else if (walk->to)
		write_line(note, walk);
	else if (walk->denied)
		name_denied(note, walk);
	else
		check(note, walk);
}

int host_notes_check(const struct host_notes *notes, char error[256])
{
	struct host_place place = {0};
	struct walk walk = {.error = error, .place = &place};
	twalk_r(notes->root, visit, &walk);
	host_place_close(&place);
	return walk.result;
}

void host_notes_digest(const struct host_notes *notes, unsigned run, uint8_t out[DIGEST_BYTES])
{
	struct digest_sum running;
	struct walk walk = {.sum = &running, .run = run};
	digest_begin(&running);
	twalk_r(notes->root, visit, &walk);
	digest_end(&running, out);
}

int host_notes_write(const struct host_notes *notes, FILE *to)
{
	struct walk walk = {.to = to};
	twalk_r(notes->root, visit, &walk);
	return ferror(to) ? -EIO : 0;
}

size_t host_notes_denied(const struct host_notes *notes, char *text, size_t size)
{
	struct walk walk = {.denied = text, .size = size};
	*text = 0;
	twalk_r(notes->root, visit, &walk);
	return walk.count;
}

void host_notes_fini(struct host_notes *notes)
{
	tdestroy(notes->root, free);
	notes->root = NULL;
}
