/* SPDX-License-Identifier: MIT */
/* The reader follows no compression pointer, so it reads each byte of a message once: only the name that was asked for
 * is wanted, which comes first and so has nothing to point to. */
#include "record/record_names.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* A message (RFC 1035, 4.1). */
#define HEADER_BYTES 12
#define QUESTION_BYTES 4 /* type and class, behind the name */
#define ANSWER_BYTES 10  /* type, class, time to live, length of the data, behind the name */
#define IS_ANSWER 0x80   /* of byte 2 */
#define STATUS 0x0f      /* of byte 3; 0: no error */
#define POINTER 0xc0
#define CLASS_IN 1
#define TYPE_A 1
#define TYPE_AAAA 28

/* A name resolution block of pcapng. */
#define NAMES 4U
#define NAME_IPV4 1
#define NAME_IPV6 2

static unsigned get16(const uint8_t *from)
{
	return (unsigned)from[0] << 8 | from[1];
}

/* Whether a character may be in a name of a host, as programs print it. */
static bool is_plain_byte(uint8_t c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

/* Reads the name at the start of the question. Returns the offset behind it, or 0 if it is no name of a host. */
static size_t read_name(const uint8_t *message, size_t bytes, char name[RECORD_NAME_BYTES])
{
	size_t at = HEADER_BYTES, length = 0;
	while (at < bytes && message[at]) {
		size_t label = message[at++];
		if (label > 63 || label > bytes - at || length + label + 1 >= RECORD_NAME_BYTES)
			return 0;
		if (length)
			name[length++] = '.';
		for (size_t i = 0; i < label; i++, at++) {
			if (!is_plain_byte(message[at]))
				return 0;
			name[length++] = (char)message[at];
		}
	}
	name[length] = 0;
	return at < bytes && length ? at + 1 : 0;
}

/* Returns the offset behind a name; 0 if the message ends before. */
static size_t skip_name(const uint8_t *message, size_t bytes, size_t at)
{
	while (at < bytes && message[at]) {
		if (message[at] >= POINTER)
			return bytes - at < 2 ? 0 : at + 2;
		at += 1U + message[at];
	}
	return at < bytes ? at + 1 : 0;
}

static int add_record_name(struct record_names *names, const struct record_name *name)
{
	for (size_t i = 0; i < names->count; i++)
		if (!memcmp(&names->list[i], name, sizeof(*name)))
			return 0;
	if (names->count == RECORD_NAMES_MAX)
		return 0;
	if (!array_reserve(names->list, names->room, names->count + 1))
		return -ENOMEM;
	names->list[names->count++] = *name;
	return 0;
}

/* Adds the addresses of the answers, which begin at an offset. */
static int take_answers(struct record_names *names, const uint8_t *message, size_t bytes, size_t at, const char *name)
{
	for (unsigned left = get16(message + 6); left; left--) {
		at = skip_name(message, bytes, at);
		if (!at || bytes - at < ANSWER_BYTES)
			return 0;
		unsigned type = get16(message + at), class = get16(message + at + 2), length = get16(message + at + 8);
		at += ANSWER_BYTES;
		if (length > bytes - at)
			return 0;
		if (class == CLASS_IN && ((type == TYPE_A && length == 4) || (type == TYPE_AAAA && length == 16))) {
			struct record_name entry = {.address_bytes = (uint8_t)length};
			memcpy(entry.address, message + at, length);
			strcpy(entry.name, name);
			int error = add_record_name(names, &entry);
			if (error)
				return error;
		}
		at += length;
	}
	return 0;
}

int record_names_take(struct record_names *names, const uint8_t *data, size_t bytes)
{
	uint8_t message[RECORD_NAMES_MESSAGE]; /* the guest can change the data meanwhile */
	char name[RECORD_NAME_BYTES];
	bytes = bytes < sizeof(message) ? bytes : sizeof(message);
	memcpy(message, data, bytes);
	if (bytes < HEADER_BYTES || !(message[2] & IS_ANSWER) || (message[3] & STATUS) || get16(message + 4) != 1)
		return 0;
	size_t at = read_name(message, bytes, name);
	if (!at || bytes - at < QUESTION_BYTES)
		return 0;
	return take_answers(names, message, bytes, at + QUESTION_BYTES, name);
}

static size_t padded(size_t bytes)
{
	return (bytes + 3) & ~3UL;
}

static size_t value_bytes(const struct record_name *name)
{
	return name->address_bytes + strlen(name->name) + 1;
}

void record_names_put(struct record_names *names, struct record_file *file)
{
	static const uint8_t zeros[4];
	uint32_t total = 12 + 4; /* the block's own fields, and the end of the records */
	if (names->put == names->count)
		return;
	for (size_t i = names->put; i < names->count; i++)
		total += (uint32_t)(4 + padded(value_bytes(&names->list[i])));
	const uint32_t head[] = {NAMES, total};
	record_file_put(file, head, sizeof(head));
	for (size_t i = names->put; i < names->count; i++) {
		const struct record_name *name = &names->list[i];
		size_t bytes = value_bytes(name);
		const uint16_t record[] = {name->address_bytes == 4 ? NAME_IPV4 : NAME_IPV6, (uint16_t)bytes};
		record_file_put(file, record, sizeof(record));
		record_file_put(file, name->address, name->address_bytes);
		record_file_put(file, name->name, bytes - name->address_bytes);
		record_file_put(file, zeros, padded(bytes) - bytes);
	}
	record_file_put(file, zeros, 4);
	record_file_put(file, &total, sizeof(total));
	names->put = names->count;
}

void record_names_fini(struct record_names *names)
{
	free(names->list);
	*names = (struct record_names){0};
}
