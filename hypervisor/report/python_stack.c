/* SPDX-License-Identifier: MIT */
/* Layouts are those of CPython 3.11 (Include/internal, Include/cpython). All of it is read from the guest, which may
 * have changed it, so each chain has an end. */
#include "report/python_stack.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "guest/guest_virtual.h"

#define VERSION 0x030b /* 3.11 */
#define THREADS_MAX_SHOWN 1024
#define FRAMES_MAX 64
#define STACK_MAX (64UL << 20) /* distance of the interpreter's record of a thread from the thread's stack pointer */
#define TEXT_MAX 256
#define TABLE_MAX 65536

enum {
	RUNTIME_INTERPRETER = 40,
	INTERPRETER_THREADS = 16,
	THREAD_NEXT = 8,
	THREAD_CFRAME = 56,
	CFRAME_FRAME = 8,
	FRAME_CODE = 32,
	FRAME_PREVIOUS = 48,
	FRAME_INSTRUCTION = 56,
	CODE_FIRST_LINE = 72,
	CODE_FILE = 112,
	CODE_NAME = 128,
	CODE_LINES = 136,
	CODE_INSTRUCTIONS = 184,
	BYTES_SIZE = 16,
	BYTES_AT = 32,
	STRING_LENGTH = 16,
	STRING_STATE = 32,
	STRING_AT = 48, /* of an ASCII string */
};

#define STRING_IS_ASCII 0x60U /* bits of the state: compact, ascii */

static uint64_t word_at(const struct guest_memory *memory, uint64_t address)
{
	uint64_t word;
	return address && !guest_virtual_read(memory, address, &word, sizeof(word)) ? word : 0;
}

/* Reads an ASCII string; others are "?". */
static void read_string(const struct guest_memory *memory, uint64_t address, char text[TEXT_MAX])
{
	const uint64_t length = word_at(memory, address + STRING_LENGTH);
	const uint32_t state = (uint32_t)word_at(memory, address + STRING_STATE);
	strcpy(text, "?");
	if (!address || !length || length >= TEXT_MAX || (state & STRING_IS_ASCII) != STRING_IS_ASCII)
		return;
	const bool is_read = !guest_virtual_read(memory, address + STRING_AT, text, length);
	text[is_read ? length : 0] = 0;
	for (char *at = text; *at; at++)
		if (*at < ' ' || *at > '~')
			*at = '?';
}

/* Reads a number of 6 bits a byte, and moves *at behind it. */
static uint64_t read_number(const uint8_t *table, uint64_t bytes, uint64_t *at)
{
	uint64_t number = 0;
	for (unsigned shift = 0; *at < bytes && shift < 60; shift += 6) {
		const uint8_t byte = table[(*at)++];
		number |= (uint64_t)(byte & 63) << shift;
		if (!(byte & 64))
			break;
	}
	return number;
}

/* Returns the line of an instruction by a table of locations (Objects/locations.md). */
static int64_t find_line(const uint8_t *table, uint64_t bytes, int64_t line, uint64_t instruction)
{
	uint64_t at = 0, end = 0;
	while (at < bytes) {
		const uint8_t head = table[at++];
		const unsigned code = head >> 3 & 15;
		if (code == 13 || code == 14) {
			const uint64_t delta = read_number(table, bytes, &at);
			line += delta & 1 ? -(int64_t)(delta >> 1) : (int64_t)(delta >> 1);
		} else if (code >= 10 && code <= 12) {
			line += code - 10;
		}
		end += (head & 7) + 1U;
		if (instruction < end)
			return line;
		while (at < bytes && !(table[at] & 128)) /* columns */
			at++;
	}
	return line;
}

static int64_t line_of(const struct guest_memory *memory, uint64_t frame, uint64_t code)
{
	static uint8_t table[TABLE_MAX];
	const uint64_t lines = word_at(memory, code + CODE_LINES);
	const uint64_t bytes = word_at(memory, lines + BYTES_SIZE), begin = code + CODE_INSTRUCTIONS;
	const uint64_t instruction = word_at(memory, frame + FRAME_INSTRUCTION);
	const int32_t first = (int32_t)word_at(memory, code + CODE_FIRST_LINE);
	if (!lines || bytes > TABLE_MAX || guest_virtual_read(memory, lines + BYTES_AT, table, bytes))
		return first;
	return find_line(table, bytes, first, instruction < begin ? 0 : (instruction - begin) / 2);
}

/* Returns the innermost frame of the thread: that of the record which is on its stack. */
static uint64_t find_frame(const struct guest_memory *memory, uint64_t runtime, uint64_t rsp)
{
	const uint64_t interpreter = word_at(memory, runtime + RUNTIME_INTERPRETER);
	uint64_t thread = interpreter ? word_at(memory, interpreter + INTERPRETER_THREADS) : 0, best = 0;
	uint64_t nearest = STACK_MAX;
	for (unsigned i = 0; thread && i < THREADS_MAX_SHOWN; i++) {
		const uint64_t record = word_at(memory, thread + THREAD_CFRAME);
		if (record >= rsp && record - rsp < nearest) {
			nearest = record - rsp;
			best = record;
		}
		thread = word_at(memory, thread + THREAD_NEXT);
	}
	return best ? word_at(memory, best + CFRAME_FRAME) : 0;
}

void python_stack_write(FILE *to, const struct guest_memory *memory, const struct python_place *place, uint64_t rsp)
{
	if (!place->runtime || word_at(memory, place->version) >> 16 != VERSION)
		return;
	uint64_t frame = find_frame(memory, place->runtime, rsp);
	for (unsigned i = 0; frame && i < FRAMES_MAX; i++) {
		char name[TEXT_MAX], file[TEXT_MAX];
		const uint64_t code = word_at(memory, frame + FRAME_CODE);
		read_string(memory, word_at(memory, code + CODE_NAME), name);
		read_string(memory, word_at(memory, code + CODE_FILE), file);
		fprintf(to, "  #%-2u 0x%016" PRIx64 " %s (%s:%" PRId64 ") python\n", i, frame, name, file,
		        line_of(memory, frame, code));
		frame = word_at(memory, frame + FRAME_PREVIOUS);
	}
}
