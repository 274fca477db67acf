/* SPDX-License-Identifier: MIT */
/* Reads the address ranges of .eh_frame and nothing else of it. Every read is checked against the record it lies in;
 * what is malformed or of an encoding that no linker for x86-64 makes is refused, not guessed. */
#include "eh_frame.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* DW_EH_PE_*, the encodings of addresses. */
#define PE_ABSOLUTE 0x00
#define PE_UDATA2 0x02
#define PE_UDATA4 0x03
#define PE_UDATA8 0x04
#define PE_SDATA2 0x0a
#define PE_SDATA4 0x0b
#define PE_SDATA8 0x0c
#define PE_FORMAT 0x0f
#define PE_PCREL 0x10
#define PE_APPLICATION 0x70

#define AUGMENTATION_MAX 16

struct reader {
	const uint8_t *section;
	uint64_t at, end; /* offsets in the section; end is that of the current record */
	uint64_t address; /* of the section */
	bool bad;
};

static uint64_t read_bytes(struct reader *r, unsigned bytes)
{
	uint64_t value = 0;
	if (r->bad || bytes > r->end - r->at) {
		r->bad = true;
		return 0;
	}
	memcpy(&value, r->section + r->at, bytes);
	r->at += bytes;
	return value;
}

/* LEB128; the sign does not matter here. */
static uint64_t read_leb(struct reader *r)
{
	uint64_t value = 0, byte = 0x80;
	for (unsigned shift = 0; byte & 0x80; shift += 7) {
		if (shift > 63) {
			r->bad = true;
			return 0;
		}
		byte = read_bytes(r, 1);
		value |= (byte & 0x7f) << shift;
	}
	return value;
}

/* The number in the format of an encoding, not yet made an address. */
static uint64_t read_format(struct reader *r, unsigned encoding)
{
	switch (encoding & PE_FORMAT) {
	case PE_ABSOLUTE:
	case PE_UDATA8:
	case PE_SDATA8:
		return read_bytes(r, 8);
	case PE_UDATA4:
		return read_bytes(r, 4);
	case PE_SDATA4:
		return (uint64_t)(int64_t)(int32_t)read_bytes(r, 4);
	case PE_UDATA2:
		return read_bytes(r, 2);
	case PE_SDATA2:
		return (uint64_t)(int64_t)(int16_t)read_bytes(r, 2);
	default:
		r->bad = true;
		return 0;
	}
}

/* Of the CIE at an offset: how its FDEs encode addresses. */
static unsigned read_cie(struct reader r, uint64_t offset, uint64_t section_end)
{
	char augmentation[AUGMENTATION_MAX] = "";
	unsigned encoding = PE_ABSOLUTE;
	if (offset > section_end)
		return 0xff;
	r.at = offset;
	r.end = section_end;
	uint64_t length = read_bytes(&r, 4);
	bool is_long = length == 0xffffffff;
	if (is_long)
		length = read_bytes(&r, 8);
	if (r.bad || length > r.end - r.at)
		return 0xff;
	r.end = r.at + length;
	if (read_bytes(&r, is_long ? 8 : 4) != 0)
		return 0xff;
	unsigned version = (unsigned)read_bytes(&r, 1);
	for (unsigned i = 0;; i++) {
		if (i == sizeof(augmentation))
			return 0xff;
		augmentation[i] = (char)read_bytes(&r, 1);
		if (!augmentation[i])
			break;
	}
	if ((version != 1 && version != 3) || (augmentation[0] && augmentation[0] != 'z'))
		return 0xff;
	read_leb(&r); /* code alignment */
	read_leb(&r); /* data alignment */
	if (version == 1)
		read_bytes(&r, 1); /* return address register */
	else
		read_leb(&r);
	if (augmentation[0])
		read_leb(&r);
	for (const char *c = augmentation; *c; c++) {
		if (*c == 'R')
			encoding = (unsigned)read_bytes(&r, 1);
		else if (*c == 'L')
			read_bytes(&r, 1);
		else if (*c == 'P')
			read_format(&r, (unsigned)read_bytes(&r, 1));
		else if (*c != 'z' && *c != 'S' && *c != 'B')
			return 0xff;
	}
	return r.bad ? 0xff : encoding;
}

/* The function of the FDE whose first field after the CIE pointer is next. */
static struct code_range read_function(struct reader *r, unsigned encoding)
{
	struct code_range range;
	uint64_t place = r->address + r->at;
	range.address = read_format(r, encoding);
	if ((encoding & ~(unsigned)PE_FORMAT) == PE_PCREL)
		range.address += place;
	else if (encoding & ~(unsigned)PE_FORMAT)
		r->bad = true; /* relative to something else, or indirect */
	range.bytes = read_format(r, encoding & PE_FORMAT);
	if (range.bytes > UINT64_MAX - range.address)
		r->bad = true;
	return range;
}

struct list {
	struct code_range *at;
	size_t count, room;
};

static int append(struct list *list, struct code_range range)
{
	if (list->count == list->room) {
		size_t room = list->room ? 2 * list->room : 512;
		struct code_range *more = realloc(list->at, room * sizeof(*more));
		if (!more)
			return -ENOMEM;
		list->at = more;
		list->room = room;
	}
	list->at[list->count++] = range;
	return 0;
}

/* Reads all records. 0 or a negative errno; r->at is then in the record that is wrong. */
static int read_records(struct reader *r, uint64_t section_end, struct list *list)
{
	uint64_t known_cie = UINT64_MAX;
	unsigned encoding = 0xff;
	while (section_end - r->at >= 4) {
		r->end = section_end;
		uint64_t length = read_bytes(r, 4);
		bool is_long = length == 0xffffffff;
		if (is_long)
			length = read_bytes(r, 8);
		if (!length)
			continue; /* the end that an object file marks; others may follow */
		if (r->bad || length > section_end - r->at)
			return -EINVAL;
		r->end = r->at + length;
		uint64_t place = r->at, next = r->end;
		uint64_t back = read_bytes(r, is_long ? 8 : 4);
		if (back) {
			if (back > place)
				return -EINVAL;
			if (place - back != known_cie) {
				known_cie = place - back;
				encoding = read_cie(*r, known_cie, section_end);
			}
			struct code_range range = read_function(r, encoding);
			if (r->bad)
				return -EINVAL;
			int result = range.bytes ? append(list, range) : 0;
			if (result)
				return result;
		}
		if (r->bad)
			return -EINVAL;
		r->at = next;
	}
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct code_range *x = a, *y = b;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->bytes == y->bytes ? 0 : x->bytes < y->bytes ? -1 : 1;
}

static bool is_sorted(const struct list *list)
{
	for (size_t i = 1; i < list->count; i++)
		if (compare(&list->at[i - 1], &list->at[i]) > 0)
			return false;
	return true;
}

int eh_frame_functions(const uint8_t *section, uint64_t bytes, uint64_t address, struct code_range **ranges,
                       size_t *count, char error[256])
{
	struct reader r = {.section = section, .address = address};
	struct list list = {0};
	int result = read_records(&r, bytes, &list);
	if (result) {
		free(list.at);
		*ranges = NULL;
		*count = 0;
		if (result == -ENOMEM)
			snprintf(error, 256, "out of memory");
		else
			snprintf(error, 256, "the unwind tables (.eh_frame) are malformed at 0x%lx", address + r.at);
		return result;
	}
	if (!is_sorted(&list))
		qsort(list.at, list.count, sizeof(*list.at), compare);
	*ranges = list.at;
	*count = list.count;
	return 0;
}
