/* SPDX-License-Identifier: MIT */
/* A query for each instruction has no stack, so that its answer has the instruction's own function, and those that were
 * inlined there. */
#include "report/report_races.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi/sched_op.h"
#include "guest/guest_virtual.h"
#include "guest/linux_view.h"
#include "report/report.h"
#include "report/report_told.h"
#include "report/symbolizer.h"

#define PAGES_MAX 1024U /* of a program's code and variables that are looked through for a pointer */
#define LEADS_MAX 4096U /* bytes from where a pointer leads to the object */
#define BLOCK_MIN 32U   /* bytes of the smallest block of glibc's malloc */

/* The instruction's place, if there is no answer. */
static void put_place(FILE *to, const struct shared_place *place)
{
	const char *slash = strrchr(place->path, '/');
	for (const char *c = slash ? slash + 1 : place->path; *c; c++)
		putc(*c > ' ' && *c <= '~' ? *c : '?', to);
	fprintf(to, "+0x%" PRIx64, place->offset);
}

static void put_race(FILE *to, const struct shared_race *found, const uint64_t *addresses,
                     const struct symbolizer_answer *answers)
{
	const struct race *race = &found->race;
	const char *class = race->is_certain                                       ? "certain"
	                    : race->is_unordered && answers && answers[0].is_plain ? "typed"
	                                                                           : "possible";
	fprintf(to, "race %s %" PRIu64 " %u 0x%" PRIx64 " %s\n", class, race->count, race->orders, race->address,
	        answers ? answers[0].object : "");
	for (unsigned side = 0; side < 2; side++) {
		fprintf(to, "at %s%s %" PRIu32 " %" PRIu64 " 0x%" PRIx64 " ", race->reads[side] ? "r" : "",
		        race->writes[side] ? "w" : "", race->thread[side], race->note[side], addresses[side]);
		if (answers && *answers[side].frames)
			report_told_frames(to, answers[side].frames, "");
		else
			put_place(to, &found->place[side]);
		putc('\n', to);
	}
}

/* Whether a block of glibc's malloc, whose size is before it, contains what is `offset` behind an address. */
static bool is_in_block(const struct guest_memory *memory, uint64_t address, uint64_t offset)
{
	uint64_t size;
	return address % 16 == 0 && !guest_virtual_read(memory, address - sizeof(size), &size, sizeof(size)) &&
	       (size &= ~7UL) >= BLOCK_MIN && offset < size - sizeof(size);
}

/* Finds a word of the program's variables, which are behind its code, that leads to the object. Returns its address, 0:
 * none, and how far the object is behind what it points to. */
static uint64_t find_pointer(const struct guest_memory *memory, uint64_t code, uint64_t object, uint64_t *offset)
{
	static uint64_t words[PAGE_SIZE / sizeof(uint64_t)];
	uint64_t found = 0;
	*offset = LEADS_MAX;
	for (uint64_t page = code & ~(PAGE_SIZE - 1UL), i = 0; i < PAGES_MAX; i++, page += PAGE_SIZE) {
		if (guest_virtual_read(memory, page, words, sizeof(words)))
			break;
		for (unsigned at = 0; at < PAGE_SIZE / sizeof(words[0]); at++)
			if (words[at] && object - words[at] < *offset &&
			    is_in_block(memory, words[at], object - words[at])) {
				found = page + at * sizeof(words[0]);
				*offset = object - words[at];
			}
	}
	return found;
}

/* Writes the name of an object of the heap by the global pointer that leads to it: "p+0x4". */
static void put_by_pointer(FILE *to, const struct fault_report *place, uint64_t object,
                           const struct guest_memory *memory, const struct image *image)
{
	struct linux_view view;
	struct symbolizer_answers answers = {0};
	uint64_t registers[SYMBOLIZE_REGISTERS], offset;
	if (!linux_view_read(&view, memory))
		return;
	memcpy(registers, place->registers, sizeof(registers));
	linux_view_registers(&view, memory, image, registers);
	const struct guest_memory seen = linux_view_memory(&view, memory);
	struct symbolizer_query query = {.object = find_pointer(&seen, registers[SYMBOLIZE_RIP], object, &offset)};
	if (!query.object)
		return;
	query.registers[SYMBOLIZE_RIP] = registers[SYMBOLIZE_RIP];
	const int file = linux_view_modules(&view, memory, image);
	if (!symbolizer_ask(&answers, file, &seen, &query, 1) && *answers.at[0].object &&
	    !strchr(answers.at[0].object, '+'))
		fprintf(to, offset ? "%s+0x%" PRIx64 : "*%s", answers.at[0].object, offset);
	symbolizer_free(&answers);
	if (file >= 0)
		close(file);
}

void report_race_look(void *context, const struct note_look *look, const struct fault_report *place,
                      const struct guest_memory *memory, const struct image *image)
{
	const int *fd = context;
	char *text = NULL;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);
	if (!to)
		return;
	report_look(to, image, place, memory, SCHED_OP_load, look->object);
	if (fflush(to) || *text != '\n') {
		fclose(to);
	} else {
		char *rest = strdup(text);
		rewind(to);
		put_by_pointer(to, place, look->object, memory, image);
		fputs(rest ? rest : "\n", to);
		fclose(to);
		free(rest);
	}
	if (text)
		dprintf(*fd, "note %" PRIu64 "\n%s\f\n", look->number, text);
	free(text);
}

/* Asks for the names of both instructions of each race, and sets their addresses, 0: not known. */
static bool ask_all(const struct image *image, const struct guest_memory *memory, const struct shared_race *found,
                    unsigned count, uint64_t *addresses, struct symbolizer_answers *answers)
{
	static struct linux_place places[2 * REPORT_RACES_MAX];
	static struct symbolizer_query queries[2 * REPORT_RACES_MAX];
	struct linux_view view;
	for (unsigned i = 0; i < 2 * count; i++)
		places[i] = (struct linux_place){found[i / 2].place[i % 2].file, found[i / 2].place[i % 2].offset};
	if (!linux_view_read(&view, memory) || linux_view_places(&view, memory, image, places, 2 * count, addresses))
		return false;
	for (unsigned i = 0; i < 2 * count; i++) {
		queries[i] = (struct symbolizer_query){.object = found[i / 2].race.address,
		                                       .wants_type = found[i / 2].race.is_unordered};
		queries[i].registers[SYMBOLIZE_RIP] = addresses[i];
	}
	const struct guest_memory seen = linux_view_memory(&view, memory);
	const int file = linux_view_modules(&view, memory, image);
	const bool is_answered = !symbolizer_ask(answers, file, &seen, queries, 2 * count);
	if (file >= 0)
		close(file);
	return is_answered;
}

void report_races(FILE *to, const struct image *image, const struct guest_memory *memory, struct shared_notes *notes,
                  bool is_sampled, const struct race_log *told)
{
	size_t all;
	if (told->has_library) {
		report_told(to, image, memory, told, notes);
		fprintf(to, "dropped %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", shared_notes_left_out(notes),
		        told->lost_accesses + told->lost_kept, told->lost_races);
		return;
	}
	struct shared_race *found = shared_notes_races(notes, is_sampled, &all);
	static uint64_t addresses[2 * REPORT_RACES_MAX];
	struct symbolizer_answers answers = {0};
	const unsigned count = !found ? 0 : all < REPORT_RACES_MAX ? (unsigned)all : REPORT_RACES_MAX;
	const bool is_answered = count && ask_all(image, memory, found, count, addresses, &answers);
	fprintf(to, "dropped %" PRIu64 " %" PRIu64 " %zu\n", shared_notes_left_out(notes),
	        shared_notes_left_unjudged(notes), all - count);
	for (unsigned i = 0; i < count; i++)
		put_race(to, &found[i], &addresses[2UL * i], is_answered ? &answers.at[2 * i] : NULL);
	symbolizer_free(&answers);
	free(found);
}
