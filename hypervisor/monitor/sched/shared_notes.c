/* SPDX-License-Identifier: MIT */
/* Three tables by pairs of numbers: instructions by file and offset, granules of memory by process and address, and
 * which instruction touched which granule. */
#include "sched/shared_notes.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "abi/code.h"
#include "abi/linux_view.h"
#include "abi/sched_area.h"
#include "abi/sched_op.h"
#include "base/array.h"
#include "base/search.h"
#include "code/code_scan.h"
#include "code/code_shared.h"
#include "guest/elf_file.h"
#include "race/races.h"
#include "base/pair_table.h"

#define GRANULE_SHIFT 3
#define GRANULE (1U << GRANULE_SHIFT)
#define FILES_MAX 256
/* Limit of each table, which bounds the monitor's memory to some 200 MB. What exceeds it is left out and counted. */
#define ENTRIES_MAX (1U << 20)
#define CONTENT_MAX (1UL << 30) /* limit of the bytes of all files, which a hostile guest names */
#define ENDED_MAX (1U << 20)    /* threads with higher numbers never count as ended */
#define OPERAND_MAX 64          /* bytes; a larger operand is not described, and counts as one byte */

struct file {
	uint64_t address; /* of its struct view_file */
	struct code_content content;
	bool is_known;    /* its content was read */
	bool is_llvm;     /* made by LLVM, of which Clang and rustc are front ends */
	uint32_t counter; /* what thread_counter returns */
	bool is_blind;    /* it calls functions of libc that order threads by plain loads and stores of libc's */
	char path[VIEW_PATH_BYTES];
};

struct place {
	uint32_t file, offset;
	uint8_t kind;
};

struct granule {
	uint32_t thread; /* the first one, or after its end the next one; 0: none yet */
	bool is_shared, is_written;
	bool is_told;  /* the program's library has told a race there */
	uint64_t time; /* that thread's, when it touched it last */
};

struct touch {
	uint32_t place, granule;
};

struct pending {
	bool is_there;
	uint32_t place;
	uint64_t number; /* of the note */
	struct sched_note note;
};

struct shared_notes {
	struct pair_secret secret; /* another one in each run; nothing that is written depends on it */
	struct pair_table by_place, by_granule, by_touch;
	struct file *files;
	struct place *places;
	struct granule *granules;
	struct touch *touches;
	bool *ended; /* by the number of a thread */
	struct races *races;
	struct pending *pending; /* accesses that wait until their thread goes on, by its number */
	struct pending last;     /* the last note, if it is an access that is not made yet */
	size_t file_count, file_room, place_room, granule_room, touch_room, ended_count, ended_room, pending_room,
		pending_count;
	bool is_blind; /* a file with accesses is */
	bool keeps_failure;
	uint64_t taken; /* notes */
	uint64_t left_out;
	uint64_t content_bytes; /* that were read */
};

struct shared_notes *shared_notes_create(void)
{
	struct shared_notes *notes = calloc(1, sizeof(*notes));
	struct races *races = notes ? races_create() : NULL;
	if (!races) {
		free(notes);
		return NULL;
	}
	notes->races = races;
	notes->by_place.max = notes->by_granule.max = notes->by_touch.max = ENTRIES_MAX;
	pair_secret_init(&notes->secret);
	return notes;
}

void shared_notes_destroy(struct shared_notes *notes)
{
	if (!notes)
		return;
	races_destroy(notes->races);
	pair_table_fini(&notes->by_place);
	pair_table_fini(&notes->by_granule);
	pair_table_fini(&notes->by_touch);
	free(notes->pending);
	free(notes->files);
	free(notes->places);
	free(notes->granules);
	free(notes->touches);
	free(notes->ended);
	free(notes);
}

/* Reads a structure of the kernel's, which is in the direct map. Returns whether it could. */
static bool read_kernel(const struct guest_memory *memory, uint64_t address, void *to, uint64_t bytes)
{
	return address >= LAYOUT_DIRECT_MAP && !guest_memory_read(memory, gpa(address - LAYOUT_DIRECT_MAP), to, bytes);
}

static bool contains(const uint8_t *file, uint64_t bytes, const char *text)
{
	return bytes && memmem(file, bytes, text, strlen(text));
}

/* glibc counts its threads by locked instructions. This orders the end of each thread before the start of later ones,
 * but nobody may rely on it. Returns where the counter is in its page, plus one; 0: the file has none. */
static uint32_t thread_counter(const struct elf_file *elf)
{
	const uint64_t at = elf_file_variable(elf, "__nptl_nthreads", sizeof(uint32_t));
	return at ? 1 + at % PAGE_SIZE : 0;
}

/* Whether a file imports functions whose plain loads and stores, which are no decision points, order threads. OpenMP's
 * barriers are such. */
static bool is_blind(const struct elf_file *elf)
{
	Elf64_Shdr names;
	if (!elf_file_section_named(elf, ".dynstr", &names))
		return false;
	static const char *const marks[] = {"pthread_once", "pthread_spin_", "call_once",
	                                    "libgomp.so",   "libomp.so",     "libiomp5.so"};
	bool found = false;
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		found |= contains(elf->file + names.sh_offset, names.sh_size, marks[i]);
	return found;
}

static void look_at_content(struct file *file, const uint8_t *content, uint64_t bytes)
{
	file->content = code_shared_content(content, bytes);
	file->is_llvm = contains(content, bytes, "clang version") || contains(content, bytes, "rustc version") ||
	                contains(content, bytes, "LLVM");
	struct elf_file elf;
	struct error error;
	if (elf_file_open(&elf, content, bytes, &error))
		return;
	file->is_blind = is_blind(&elf);
	file->counter = thread_counter(&elf);
}

/* Reads the content of a file, as code_service.c copies it. */
static bool read_content(const struct guest_memory *memory, const struct view_file *view, uint64_t limit,
                         struct file *file, uint64_t *read)
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
		look_at_content(file, copy, bytes);
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
		file->is_known =
			read_content(memory, &view, CONTENT_MAX - notes->content_bytes, file, &notes->content_bytes);
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

/* Whether the thread that has touched a granule does not count any more. It has ended, and its memory is used again for
 * something else, as its stack and what it has freed are: this thread comes after the end in every schedule, or locks,
 * such as those of malloc, order it behind that touch. */
static bool is_reused(struct shared_notes *notes, const struct granule *granule, const struct sched_note *note)
{
	if (granule->thread == note->thread || granule->is_shared || note->flags & SCHED_NOTE_STATIC ||
	    !has_ended(notes, granule->thread))
		return false;
	return races_is_gone(notes->races, granule->thread, note->thread) ||
	       races_is_before(notes->races, granule->thread, granule->time, note->thread);
}

/* The number of a granule, or PAIR_TABLE_NONE if there is no room. */
static uint32_t granule_of(struct shared_notes *notes, uint64_t granule, uint32_t process)
{
	bool is_new;
	const uint32_t at = pair_table_index(&notes->by_granule, &notes->secret, granule, process, &is_new);
	if (at == PAIR_TABLE_NONE || !array_reserve(notes->granules, notes->granule_room, at + 1UL))
		return PAIR_TABLE_NONE;
	if (is_new)
		notes->granules[at] = (struct granule){.thread = 0};
	return at;
}

/* Notes that an instruction touched a granule. Returns whether there was room. What the first thread does while it is
 * alone shows whose the memory is, and is no access that others can meet. */
static bool touch(struct shared_notes *notes, const struct sched_note *note, uint32_t place, uint64_t granule)
{
	bool is_new;
	const uint32_t at = granule_of(notes, granule, note->process);
	if (at == PAIR_TABLE_NONE)
		return false;
	if (!notes->granules[at].thread || is_reused(notes, &notes->granules[at], note))
		notes->granules[at] = (struct granule){.thread = note->thread};
	if (notes->granules[at].thread == note->thread)
		notes->granules[at].time = races_time(notes->races, note->thread);
	if (note->flags & SCHED_NOTE_ALONE)
		return true;
	notes->granules[at].is_shared |= notes->granules[at].thread != note->thread;
	notes->granules[at].is_written |= note->kind != CODE_LOAD && note->kind != CODE_WAIT;
	uint32_t pair = pair_table_index(&notes->by_touch, &notes->secret, place, at, &is_new);
	if (pair == PAIR_TABLE_NONE || !array_reserve(notes->touches, notes->touch_room, pair + 1UL))
		return false;
	notes->touches[pair] = (struct touch){place, at};
	return true;
}

/* The granules of a note's operand. */
static void granules_of(const struct sched_note *note, uint64_t *first, uint64_t *last)
{
	const uint64_t bytes = note->bytes && note->bytes <= OPERAND_MAX ? note->bytes : 1;
	*first = note->object >> GRANULE_SHIFT;
	*last = (note->object + bytes - 1) >> GRANULE_SHIFT;
}

static bool is_access(const struct sched_note *note)
{
	return note->kind >= CODE_SYSCALL; /* the first of enum code_kind */
}

/* Adds an access to the list. Returns whether there was room. */
static bool take_access(struct shared_notes *notes, const struct guest_memory *memory, const struct sched_note *note,
                        uint32_t *place)
{
	bool is_new, ok = true;
	uint64_t first, last;
	uint32_t file = file_of(notes, memory, note->file);
	if (file == FILES_MAX || !notes->files[file].is_known)
		return false;
	*place = pair_table_index(&notes->by_place, &notes->secret, file, note->offset, &is_new);
	if (*place == PAIR_TABLE_NONE || !array_reserve(notes->places, notes->place_room, *place + 1UL))
		return false;
	notes->places[*place] = (struct place){file, note->offset, note->kind};
	notes->is_blind |= notes->files[file].is_blind && note->kind != CODE_ATOMIC;
	granules_of(note, &first, &last);
	for (uint64_t granule = first; granule <= last; granule++)
		ok &= touch(notes, note, *place, granule);
	return ok;
}

/* --- races --- */

/* Whether an access is no atomic operation of any compiler. Clang makes one instruction of a relaxed load, an addition
 * and a relaxed store. */
static bool is_plain(const struct shared_notes *notes, const struct sched_note *note, uint32_t place)
{
	const bool is_update = note->kind == CODE_UPDATE && !notes->files[notes->places[place].file].is_llvm;
	return is_update || note->bytes > sizeof(uint64_t) || (note->bytes && note->object % note->bytes);
}

/* An access is made. */
static void make_access(struct shared_notes *notes, struct pending *pending)
{
	const struct sched_note *note = &pending->note;
	const bool is_locked = note->kind == CODE_ATOMIC,
		   reads = note->kind == CODE_LOAD || note->kind == CODE_WAIT || note->kind == CODE_UPDATE || is_locked,
		   writes = note->kind == CODE_STORE || note->kind == CODE_UPDATE || is_locked;
	uint64_t first, last;
	if (!pending->is_there)
		return;
	pending->is_there = false;
	const uint32_t counter = notes->files[notes->places[pending->place].file].counter;
	if (is_locked && counter == 1 + note->object % PAGE_SIZE)
		return;
	if (is_locked)
		races_locked(notes->races, note->thread, note->object);
	granules_of(note, &first, &last);
	for (uint64_t granule = first; granule <= last; granule++) {
		const unsigned from = granule == first ? note->object % GRANULE : 0,
			       to = granule == last ? (note->object + note->bytes - 1) % GRANULE : GRANULE - 1;
		const struct race_access access = {.thread = note->thread,
		                                   .unit = granule_of(notes, granule, note->process),
		                                   .place = pending->place,
		                                   .bytes = (uint8_t)(0xffU >> (GRANULE - 1 - to) & 0xffU << from),
		                                   .reads = reads,
		                                   .writes = writes,
		                                   .is_locked = is_locked,
		                                   .is_plain = is_plain(notes, note, pending->place),
		                                   .address = note->object,
		                                   .note = pending->number};
		races_access(notes->races, &access);
	}
}

static struct pending *pending_of(struct shared_notes *notes, uint32_t thread)
{
	if (thread >= ENDED_MAX || !array_reserve(notes->pending, notes->pending_room, thread + 1UL))
		return NULL;
	while (notes->pending_count <= thread)
		notes->pending[notes->pending_count++] = (struct pending){.is_there = false};
	return &notes->pending[thread];
}

/* Another thread runs. If the running one was replaced at its point, its access is yet to come. */
static void switch_to(struct shared_notes *notes, const struct sched_note *note)
{
	const bool is_at_point = note->bytes == SCHED_KIND_preempt || note->bytes == SCHED_KIND_woken;
	struct pending *left = pending_of(notes, note->thread);
	if (left && is_at_point && notes->last.is_there && notes->last.note.thread == note->thread) {
		*left = notes->last;
		notes->last.is_there = false;
	}
	make_access(notes, &notes->last);
	const bool waits = note->bytes == SCHED_KIND_block && note->object == SCHED_OP_load;
	if (waits || note->bytes == SCHED_KIND_tick)
		races_replaced(notes->races, note->thread, waits);
	struct pending *next = pending_of(notes, note->offset);
	if (next)
		make_access(notes, next);
}

/* What orders threads. Returns whether there was room. */
static bool take_order(struct shared_notes *notes, const struct sched_note *note)
{
	switch (note->kind) {
	case SCHED_NOTE_END:
		races_ended(notes->races, note->thread, note->object);
		return take_end(notes, note->thread);
	case SCHED_NOTE_MADE:
		races_made(notes->races, note->thread, note->offset, note->file);
		return true;
	case SCHED_NOTE_WAKES:
		races_woken(notes->races, note->thread, note->offset);
		return true;
	case SCHED_NOTE_CALL:
		races_call(notes->races, note->thread, note->offset,
		           note->offset != SYS_futex ? PAIR_TABLE_NONE
		                                     : granule_of(notes, note->object >> GRANULE_SHIFT, note->process),
		           note->file);
		return true;
	default:
		return false;
	}
}

static bool take_note(struct shared_notes *notes, const struct guest_memory *memory, const struct sched_note *note)
{
	struct pending access = {.number = ++notes->taken, .note = *note};
	if (note->kind == SCHED_NOTE_SWITCH) {
		switch_to(notes, note);
		return true;
	}
	make_access(notes, &notes->last);
	if (!is_access(note))
		return take_order(notes, note);
	if (!take_access(notes, memory, note, &access.place))
		return false;
	access.is_there = !(note->flags & SCHED_NOTE_ALONE);
	notes->last = access;
	return true;
}

static int compare_races(const void *a, const void *b)
{
	const struct race *x = &((const struct shared_race *)a)->race, *y = &((const struct shared_race *)b)->race;
	if (x->is_certain != y->is_certain)
		return x->is_certain ? -1 : 1;
	if (x->place[0] != y->place[0])
		return x->place[0] < y->place[0] ? -1 : 1;
	return x->place[1] < y->place[1] ? -1 : x->place[1] > y->place[1];
}

struct shared_race *shared_notes_races(struct shared_notes *notes, bool is_sampled, size_t *count)
{
	make_access(notes, &notes->last);
	const struct race *all = races_all(notes->races, count);
	struct shared_race *found = *count ? calloc(*count, sizeof(*found)) : NULL;
	for (size_t i = 0; found && i < *count; i++) {
		found[i].race = all[i];
		found[i].race.is_certain &= !is_sampled && !notes->is_blind;
		found[i].race.is_unordered &= !is_sampled && !notes->is_blind;
		for (unsigned side = 0; side < 2; side++) {
			const struct place *place = &notes->places[all[i].place[side]];
			const struct file *file = &notes->files[place->file];
			found[i].place[side] =
				(struct shared_place){file->address, place->offset, file->path, place->kind};
		}
	}
	if (found)
		qsort(found, *count, sizeof(*found), compare_races);
	return found;
}

static int compare_granules(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

/* Marks the granules at which the told races begin, in all processes: a report does not name its own. */
static void mark_told(struct shared_notes *notes, const struct race_log *told)
{
	static uint64_t at[2 * RACE_LOG_MAX];
	const size_t count = 2 * (told->count < RACE_LOG_MAX ? told->count : RACE_LOG_MAX);
	for (size_t i = 0; i < count; i++)
		at[i] = told->races[i / 2].side[i % 2].address >> GRANULE_SHIFT;
	qsort(at, count, sizeof(at[0]), compare_granules);
	for (uint32_t i = 0; count && i < notes->by_granule.room; i++) {
		const struct pair_slot *slot = &notes->by_granule.slots[i];
		const size_t found = search_first(count, k, at[k] < slot->a);
		if (!slot->index || found == count || at[found] != slot->a)
			continue;
		struct granule *granule = &notes->granules[slot->index - 1];
		granule->is_told = granule->is_shared = granule->is_written = true;
	}
}

struct shared_place *shared_notes_told(struct shared_notes *notes, const struct race_log *told, size_t *count)
{
	bool *is_told = calloc(notes->by_place.count + 1UL, sizeof(*is_told));
	struct shared_place *found = calloc(notes->by_place.count + 1UL, sizeof(*found));
	*count = 0;
	mark_told(notes, told);
	for (uint32_t i = 0; is_told && i < notes->by_touch.count; i++)
		is_told[notes->touches[i].place] |= notes->granules[notes->touches[i].granule].is_told;
	for (uint32_t i = 0; is_told && found && i < notes->by_place.count; i++) {
		const struct place *place = &notes->places[i];
		const struct file *file = &notes->files[place->file];
		if (is_told[i])
			found[(*count)++] =
				(struct shared_place){file->address, place->offset, file->path, place->kind};
	}
	free(is_told);
	return found;
}

uint64_t shared_notes_left_out(const struct shared_notes *notes)
{
	return notes->left_out;
}

uint64_t shared_notes_left_unjudged(const struct shared_notes *notes)
{
	return races_left_out(notes->races);
}

int shared_notes_take(struct shared_notes *notes, struct sched_area *area, const struct guest_memory *memory,
                      struct error *error)
{
	uint64_t count;
	guest_memory_copy(&count, &area->notes_at, sizeof(count));
	if (count > SCHED_NOTES)
		return error_set(error, EPROTO,
		                 "the guest says that it has noted %lu accesses, but there is room for %d", count,
		                 SCHED_NOTES);
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

void shared_notes_keep_failure(struct shared_notes *notes, uint32_t most)
{
	notes->keeps_failure = notes->by_place.count <= most;
}

/* Marks the instructions of the list. */
static void mark_listed(const struct shared_notes *notes, bool *is_listed)
{
	for (uint32_t i = 0; i < notes->by_touch.count; i++) {
		const struct granule *granule = &notes->granules[notes->touches[i].granule];
		const uint32_t place = notes->touches[i].place;
		is_listed[place] |= (granule->is_shared && granule->is_written) ||
		                    (notes->keeps_failure && notes->places[place].kind != CODE_ATOMIC);
	}
	for (size_t i = 0; notes->keeps_failure && i < notes->pending_count; i++)
		if (notes->pending[i].is_there)
			is_listed[notes->pending[i].place] = true;
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
	if (is_shared)
		mark_listed(notes, is_shared);
	for (uint32_t i = 0; lines && is_shared && i < notes->by_place.count; i++)
		if (is_shared[i])
			lines[count++] =
				(struct line){notes->places[i].file, notes->places[i].offset, notes->places[i].kind};
	print(notes, to, lines, count);
	free(lines);
	free(is_shared);
	return count;
}
