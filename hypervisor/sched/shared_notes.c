/* SPDX-License-Identifier: MIT */
/* Three tables by pairs of numbers: instructions by file and offset, granules of memory by process and address, and
 * which instruction touched which granule. */
#include "sched/shared_notes.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "abi/code.h"
#include "abi/linux_view.h"
#include "base/array.h"
#include "base/die.h"
#include "code/code_scan.h"
#include "code/code_shared.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#define GRANULE_SHIFT 3
#define FILES_MAX 256
/* Limit of each table, which bounds the monitor's memory to some 200 MB. What exceeds it is left out and counted. */
#define ENTRIES_MAX (1U << 20)
#define CONTENT_MAX (1UL << 30) /* limit of the bytes of all files, which a hostile guest names */
#define ENDED_MAX (1U << 20)    /* threads with higher numbers never count as ended */
#define OPERAND_MAX 64          /* bytes; a larger operand is not described, and counts as one byte */

/* Keys are what a hostile guest chooses. Without the secret of its hash function, it cannot choose many that collide.
 */
struct secret {
	uint8_t bytes[XXH3_SECRET_SIZE_MIN];
};

struct slot {
	uint64_t a, b;
	uint32_t index; /* plus 1; 0: free */
};

struct table {
	struct slot *slots;
	uint32_t room, count; /* room: a power of two */
};

struct file {
	uint64_t address; /* of its struct view_file */
	struct code_content content;
	bool is_known; /* its content was read */
	char path[VIEW_PATH_BYTES];
};

struct place {
	uint32_t file, offset;
	uint8_t kind;
};

struct granule {
	uint32_t thread; /* the first one, or after its end the next one */
	bool is_shared, is_written;
};

struct touch {
	uint32_t place, granule;
};

struct shared_notes {
	struct secret secret; /* another one in each run; nothing that is written depends on it */
	struct table by_place, by_granule, by_touch;
	struct file *files;
	struct place *places;
	struct granule *granules;
	struct touch *touches;
	bool *ended; /* by the number of a thread */
	size_t file_count, file_room, place_room, granule_room, touch_room, ended_count, ended_room;
	uint64_t left_out;
	uint64_t content_bytes; /* that were read */
};

struct shared_notes *shared_notes_create(void)
{
	struct shared_notes *notes = calloc(1, sizeof(*notes));
	if (notes && getrandom(&notes->secret, sizeof(notes->secret), 0) != sizeof(notes->secret))
		abort(); /* Linux gives up to 256 bytes at once (getrandom(2)) */
	return notes;
}

void shared_notes_destroy(struct shared_notes *notes)
{
	if (!notes)
		return;
	free(notes->by_place.slots);
	free(notes->by_granule.slots);
	free(notes->by_touch.slots);
	free(notes->files);
	free(notes->places);
	free(notes->granules);
	free(notes->touches);
	free(notes->ended);
	free(notes);
}

static struct slot *find(const struct table *table, const struct secret *secret, uint64_t a, uint64_t b)
{
	const uint64_t key[] = {a, b};
	uint32_t at = (uint32_t)XXH3_64bits_withSecret(key, sizeof(key), secret, sizeof(*secret)) & (table->room - 1);
	while (table->slots[at].index && (table->slots[at].a != a || table->slots[at].b != b))
		at = (at + 1) & (table->room - 1);
	return &table->slots[at];
}

static bool grow(struct table *table, const struct secret *secret)
{
	struct table larger = {.room = table->room ? 2 * table->room : 1024, .count = table->count};
	larger.slots = calloc(larger.room, sizeof(*larger.slots));
	if (!larger.slots)
		return false;
	for (uint32_t i = 0; i < table->room; i++)
		if (table->slots[i].index)
			*find(&larger, secret, table->slots[i].a, table->slots[i].b) = table->slots[i];
	free(table->slots);
	*table = larger;
	return true;
}

/* Finds or adds a pair. Returns its index, and whether it is new in *added; or ENTRIES_MAX if there is no room. */
static uint32_t index_of(struct table *table, const struct secret *secret, uint64_t a, uint64_t b, bool *added)
{
	*added = false;
	if (table->count >= table->room / 2 && table->count < ENTRIES_MAX && !grow(table, secret))
		return ENTRIES_MAX;
	struct slot *slot = find(table, secret, a, b);
	if (slot->index)
		return slot->index - 1;
	if (table->count == ENTRIES_MAX)
		return ENTRIES_MAX;
	*slot = (struct slot){a, b, ++table->count};
	*added = true;
	return slot->index - 1;
}

/* Reads a structure of the kernel's, which is in the direct map. Returns whether it could. */
static bool read_kernel(const struct guest_memory *memory, uint64_t address, void *to, uint64_t bytes)
{
	return address >= LAYOUT_DIRECT_MAP && !guest_memory_read(memory, gpa(address - LAYOUT_DIRECT_MAP), to, bytes);
}

/* Reads the content of a file, as code_service.c copies it. */
static bool read_content(const struct guest_memory *memory, const struct view_file *view, uint64_t limit,
                         struct code_content *content, uint64_t *read)
{
	uint8_t *copy = NULL;
	uint64_t bytes = 0;
	bool ok = view->piece_count <= CODE_PIECES_MAX;
	for (uint64_t i = 0; i < view->piece_count && ok; i++) {
		struct code_piece piece;
		ok = read_kernel(memory, view->pieces + i * sizeof(piece), &piece, sizeof(piece)) &&
		     piece.bytes <= limit - bytes;
		uint8_t *more = ok ? realloc(copy, bytes + piece.bytes + 1) : NULL;
		if (!more) {
			ok = false;
			break;
		}
		copy = more;
		const void *from =
			piece.address == CODE_HOLE ? NULL : guest_memory_shown(memory, gpa(piece.address), piece.bytes);
		ok = from || piece.address == CODE_HOLE;
		if (from)
			guest_memory_copy(copy + bytes, from, piece.bytes);
		else
			memset(copy + bytes, 0, piece.bytes);
		bytes += piece.bytes;
	}
	if (ok)
		*content = code_shared_content(copy, bytes);
	*read += bytes;
	free(copy);
	return ok;
}

/* Returns the number of a file, or FILES_MAX if there are too many. Reads its content the first time. */
static uint32_t file_of(struct shared_notes *notes, const struct guest_memory *memory, uint64_t address)
{
	struct view_file view;
	for (uint32_t i = 0; i < notes->file_count; i++)
		if (notes->files[i].address == address)
			return i;
	if (notes->file_count == FILES_MAX || !array_reserve(notes->files, notes->file_room, notes->file_count + 1))
		return FILES_MAX;
	struct file *file = &notes->files[notes->file_count];
	*file = (struct file){.address = address};
	if (read_kernel(memory, address, &view, sizeof(view))) {
		memcpy(file->path, view.path, sizeof(file->path));
		file->path[sizeof(file->path) - 1] = 0;
		file->is_known = read_content(memory, &view, CONTENT_MAX - notes->content_bytes, &file->content,
		                              &notes->content_bytes);
	}
	return (uint32_t)notes->file_count++;
}

static bool has_ended(const struct shared_notes *notes, uint32_t thread)
{
	return thread < notes->ended_count && notes->ended[thread];
}

/* Notes the end of a thread. Returns whether there was room. */
static bool take_end(struct shared_notes *notes, uint32_t thread)
{
	if (thread >= ENDED_MAX || !array_reserve(notes->ended, notes->ended_room, thread + 1UL))
		return false;
	while (notes->ended_count <= thread)
		notes->ended[notes->ended_count++] = false;
	notes->ended[thread] = true;
	return true;
}

/* Whether the thread that has touched a granule does not count any more: memory of a thread that has ended may be used
 * again for something else, as its stack and what it has freed are. */
static bool is_reused(const struct shared_notes *notes, const struct granule *granule, const struct sched_note *note)
{
	return granule->thread != note->thread && !granule->is_shared && !(note->flags & SCHED_NOTE_STATIC) &&
	       has_ended(notes, granule->thread);
}

/* Notes that an instruction touched a granule. Returns whether there was room. What the first thread does while it is
 * alone shows whose the memory is, and is no access that others can meet. */
static bool touch(struct shared_notes *notes, const struct sched_note *note, uint32_t place, uint64_t granule)
{
	bool is_new;
	uint32_t at = index_of(&notes->by_granule, &notes->secret, granule, note->process, &is_new);
	if (at == ENTRIES_MAX || !array_reserve(notes->granules, notes->granule_room, at + 1UL))
		return false;
	if (is_new || is_reused(notes, &notes->granules[at], note))
		notes->granules[at] = (struct granule){.thread = note->thread};
	if (note->flags & SCHED_NOTE_ALONE)
		return true;
	notes->granules[at].is_shared |= notes->granules[at].thread != note->thread;
	notes->granules[at].is_written |= note->kind != CODE_LOAD && note->kind != CODE_WAIT;
	uint32_t pair = index_of(&notes->by_touch, &notes->secret, place, at, &is_new);
	if (pair == ENTRIES_MAX || !array_reserve(notes->touches, notes->touch_room, pair + 1UL))
		return false;
	notes->touches[pair] = (struct touch){place, at};
	return true;
}

static bool take_note(struct shared_notes *notes, const struct guest_memory *memory, const struct sched_note *note)
{
	bool is_new;
	if (note->kind == SCHED_NOTE_END)
		return take_end(notes, note->thread);
	uint32_t file = file_of(notes, memory, note->file);
	if (file == FILES_MAX || !notes->files[file].is_known)
		return false;
	uint32_t place = index_of(&notes->by_place, &notes->secret, file, note->offset, &is_new);
	if (place == ENTRIES_MAX || !array_reserve(notes->places, notes->place_room, place + 1UL))
		return false;
	notes->places[place] = (struct place){file, note->offset, note->kind};
	uint64_t bytes = note->bytes && note->bytes <= OPERAND_MAX ? note->bytes : 1;
	uint64_t first = note->object >> GRANULE_SHIFT, last = (note->object + bytes - 1) >> GRANULE_SHIFT;
	bool ok = true;
	for (uint64_t granule = first; granule <= last; granule++)
		ok &= touch(notes, note, place, granule);
	return ok;
}

int shared_notes_take(struct shared_notes *notes, struct sched_area *area, const struct guest_memory *memory,
                      char error[256])
{
	uint64_t count;
	guest_memory_copy(&count, &area->notes_at, sizeof(count));
	if (count > SCHED_NOTES)
		return refuse(error, EPROTO, "the guest says that it has noted %lu accesses, but there is room for %d",
		              count, SCHED_NOTES);
	for (uint64_t i = 0; i < count; i++) {
		struct sched_note note;
		guest_memory_copy(&note, &area->notes[i], sizeof(note));
		notes->left_out += !take_note(notes, memory, &note);
	}
	area->notes_at = 0;
	return 0;
}

/* A place, for sorting. */
struct line {
	uint32_t file, offset;
	uint8_t kind;
};

static int compare(const void *a, const void *b)
{
	const struct line *x = a, *y = b;
	if (x->file != y->file)
		return x->file < y->file ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static void print_path(FILE *to, const char *path)
{
	fputs("# ", to);
	for (; *path; path++)
		putc(*path >= ' ' && *path <= '~' ? *path : '?', to);
	putc('\n', to);
}

static void print(const struct shared_notes *notes, FILE *to, struct line *lines, size_t count)
{
	if (count)
		qsort(lines, count, sizeof(*lines), compare);
	for (size_t i = 0; i < count; i++) {
		const struct file *file = &notes->files[lines[i].file];
		const struct code_access access = {file->content, lines[i].offset};
		if (!i || lines[i].file != lines[i - 1].file)
			print_path(to, file->path);
		code_shared_print(to, &access, lines[i].kind);
	}
}

size_t shared_notes_write(const struct shared_notes *notes, FILE *to)
{
	struct line *lines = calloc(notes->by_place.count + 1UL, sizeof(*lines));
	bool *is_shared = calloc(notes->by_place.count + 1UL, sizeof(*is_shared));
	size_t count = 0;
	code_shared_print_header(to);
	if (notes->left_out)
		fprintf(to, "# %lu accesses were left out: there were too many, or their file could not be read\n",
		        notes->left_out);
	for (uint32_t i = 0; is_shared && i < notes->by_touch.count; i++) {
		const struct granule *granule = &notes->granules[notes->touches[i].granule];
		is_shared[notes->touches[i].place] |= granule->is_shared && granule->is_written;
	}
	for (uint32_t i = 0; lines && is_shared && i < notes->by_place.count; i++)
		if (is_shared[i])
			lines[count++] =
				(struct line){notes->places[i].file, notes->places[i].offset, notes->places[i].kind};
	print(notes, to, lines, count);
	free(lines);
	free(is_shared);
	return count;
}
