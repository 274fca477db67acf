/* SPDX-License-Identifier: MIT */
/* pprof's profile.proto (github.com/google/pprof/proto), encoded as Protocol Buffers, in gzip (RFC 1952) without
 * compression. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/die.h"
#include "profile/profile_write.h"

#define STORED_MAX 0xffffU /* bytes of a block (RFC 1951, 3.2.4) */

enum wire { WIRE_NUMBER = 0, WIRE_BYTES = 2 };

/* Fields of the messages. */
enum {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION,
	PROFILE_STRING,
	PROFILE_DEFAULT = 14
};
enum { VALUE_TYPE = 1, VALUE_UNIT };
enum { SAMPLE_LOCATIONS = 1, SAMPLE_VALUES };
enum { LOCATION_ID = 1, LOCATION_LINE = 4 };
enum { LINE_FUNCTION = 1 };
enum { FUNCTION_ID = 1, FUNCTION_NAME };

struct bytes {
	uint8_t *at;
	size_t count, room;
};

static void put_bytes(struct bytes *to, const void *from, size_t count)
{
	if (!array_reserve(to->at, to->room, to->count + count))
		die("out of memory");
	memcpy(to->at + to->count, from, count);
	to->count += count;
}

static void put_number(struct bytes *to, uint64_t value)
{
	uint8_t byte;
	do {
		byte = (value & 0x7f) | (value > 0x7f ? 0x80 : 0);
		put_bytes(to, &byte, 1);
		value >>= 7;
	} while (value);
}

static void put_field(struct bytes *to, unsigned field, uint64_t value)
{
	put_number(to, field << 3 | WIRE_NUMBER);
	put_number(to, value);
}

static void put_text(struct bytes *to, unsigned field, const void *from, size_t count)
{
	put_number(to, field << 3 | WIRE_BYTES);
	put_number(to, count);
	put_bytes(to, from, count);
}

/* Writes a message into another one, and empties it. */
static void put_message(struct bytes *to, unsigned field, struct bytes *message)
{
	put_text(to, field, message->at, message->count);
	message->count = 0;
}

static void put_value_type(struct bytes *to, uint64_t type, uint64_t unit)
{
	struct bytes value = {0};
	put_field(&value, VALUE_TYPE, type);
	put_field(&value, VALUE_UNIT, unit);
	put_message(to, PROFILE_SAMPLE_TYPE, &value);
	free(value.at);
}

/* Strings 0 to 4: the first is empty. */
static const char *const words[] = {"", "samples", "count", "time", "nanoseconds"};
enum { WORD_SAMPLES = 1, WORD_COUNT, WORD_TIME, WORD_NANOSECONDS, WORDS };

/* The number of a function, from 1; location and function have one number. */
static uint64_t number_of(const struct profile_function *functions, size_t count, const char *name, size_t length)
{
	for (size_t i = 0; i < count; i++)
		if (functions[i].length == length && !memcmp(functions[i].name, name, length))
			return i + 1;
	return 0;
}

/* Writes a stack, whose locations begin with the innermost. */
static void put_stack(struct bytes *to, const struct profile_stack *stack, const struct profile_function *functions,
                      size_t count)
{
	struct bytes sample = {0}, list = {0};
	const char *end = stack->names + strlen(stack->names);
	for (;;) {
		const char *from = end;
		while (from > stack->names && from[-1] != PROFILE_SEPARATOR)
			from--;
		put_number(&list, number_of(functions, count, from, (size_t)(end - from)));
		if (from == stack->names)
			break;
		end = from - 1;
	}
	put_message(&sample, SAMPLE_LOCATIONS, &list);
	put_number(&list, stack->samples);
	put_number(&list, stack->ns);
	put_message(&sample, SAMPLE_VALUES, &list);
	put_message(to, PROFILE_SAMPLE, &sample);
	free(sample.at);
	free(list.at);
}

static void put_function(struct bytes *to, size_t number)
{
	struct bytes message = {0}, line = {0};
	put_field(&line, LINE_FUNCTION, number);
	put_field(&message, LOCATION_ID, number);
	put_message(&message, LOCATION_LINE, &line);
	put_message(to, PROFILE_LOCATION, &message);
	put_field(&message, FUNCTION_ID, number);
	put_field(&message, FUNCTION_NAME, WORDS - 1 + number);
	put_message(to, PROFILE_FUNCTION, &message);
	free(message.at);
	free(line.at);
}

static uint32_t crc_of(const uint8_t *at, size_t count)
{
	uint32_t crc = ~0U;
	for (size_t i = 0; i < count; i++) {
		crc ^= at[i];
		for (unsigned bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320U : 0);
	}
	return ~crc;
}

static void put_little(FILE *to, uint64_t value, unsigned bytes)
{
	while (bytes--) {
		fputc((int)(value & 0xff), to);
		value >>= 8;
	}
}

static void write_gzip(FILE *to, const struct bytes *from)
{
	static const uint8_t head[10] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3}; /* no time; Unix */
	size_t at = 0;
	fwrite(head, 1, sizeof(head), to);
	do {
		const size_t left = from->count - at, part = left < STORED_MAX ? left : STORED_MAX;
		fputc(part == left, to);
		put_little(to, part, 2);
		put_little(to, ~part, 2);
		fwrite(from->at + at, 1, part, to);
		at += part;
	} while (at < from->count);
	put_little(to, crc_of(from->at, from->count), 4);
	put_little(to, from->count, 4);
}

void profile_pprof(FILE *to, const struct profile *profile)
{
	struct bytes all = {0};
	size_t count;
	struct profile_function *functions = profile_table_functions(&profile->table, &count);
	put_value_type(&all, WORD_SAMPLES, WORD_COUNT);
	put_value_type(&all, WORD_TIME, WORD_NANOSECONDS);
	for (size_t i = 0; i < profile->table.count; i++)
		put_stack(&all, &profile->table.stacks[i], functions, count);
	for (size_t i = 0; i < count; i++)
		put_function(&all, i + 1);
	for (unsigned i = 0; i < WORDS; i++)
		put_text(&all, PROFILE_STRING, words[i], strlen(words[i]));
	for (size_t i = 0; i < count; i++)
		put_text(&all, PROFILE_STRING, functions[i].name, functions[i].length);
	put_field(&all, PROFILE_DEFAULT, profile->has_times ? WORD_TIME : WORD_SAMPLES);
	write_gzip(to, &all);
	free(functions);
	free(all.at);
}
