/* SPDX-License-Identifier: MIT */
/* Reads only address ranges and landing pads from .eh_frame. Every read is checked against the bounds of its record.
 * Malformed records, and encodings that no x86-64 linker makes, are refused. libdw's dwarf_next_cfi would find the
 * records, but decodes neither the ranges nor the landing pads, and loading it takes each run two milliseconds. */
#include "scan/eh_frame.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* DW_EH_PE_*, the encodings of addresses. */
#define PE_ABSOLUTE 0x00
#define PE_ULEB 0x01
#define PE_UDATA2 0x02
#define PE_UDATA4 0x03
#define PE_UDATA8 0x04
#define PE_SDATA2 0x0a
#define PE_SDATA4 0x0b
#define PE_SDATA8 0x0c
#define PE_FORMAT 0x0f
#define PE_PCREL 0x10
#define PE_OMIT 0xff

#define AUGMENTATION_MAX 16

struct reader {
	const uint8_t *section;
	uint64_t at, end; /* offsets in the section: the next byte, and the end of the current record */
	uint64_t address; /* address of the section */
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

/* Reads a LEB128 number, whose sign does not matter here. */
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

/* Reads a number in the format of an encoding, without converting it to an address. */
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

/* The format of a CIE's FDEs. */
struct cie {
	bool has_data;      /* they have augmentation data */
	unsigned addresses; /* DW_EH_PE_* */
	unsigned lsda;
	bool is_signal; /* their code is what a signal handler returns to */
};

/* What to list of the FDEs. */
enum listing { LIST_FUNCTIONS, LIST_PLAIN_FUNCTIONS, LIST_LANDING };

/* Reads the CIE at an offset. Sets its encoding of addresses to PE_OMIT if it is malformed. */
static struct cie read_cie(struct reader r, uint64_t offset, uint64_t section_end)
{
	static const struct cie malformed = {.addresses = PE_OMIT};
	char augmentation[AUGMENTATION_MAX] = "";
	struct cie cie = {.addresses = PE_ABSOLUTE, .lsda = PE_OMIT};
	if (offset > section_end)
		return malformed;
	r.at = offset;
	r.end = section_end;
	uint64_t length = read_bytes(&r, 4);
	bool is_long = length == 0xffffffff;
	if (is_long)
		length = read_bytes(&r, 8);
	if (r.bad || length > r.end - r.at)
		return malformed;
	r.end = r.at + length;
	if (read_bytes(&r, is_long ? 8 : 4) != 0)
		return malformed;
	unsigned version = (unsigned)read_bytes(&r, 1);
	for (unsigned i = 0;; i++) {
		if (i == sizeof(augmentation))
			return malformed;
		augmentation[i] = (char)read_bytes(&r, 1);
		if (!augmentation[i])
			break;
	}
	if ((version != 1 && version != 3) || (augmentation[0] && augmentation[0] != 'z'))
		return malformed;
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
			cie.addresses = (unsigned)read_bytes(&r, 1);
		else if (*c == 'L')
			cie.lsda = (unsigned)read_bytes(&r, 1);
		else if (*c == 'P')
			read_format(&r, (unsigned)read_bytes(&r, 1));
		else if (*c == 'S')
			cie.is_signal = true;
		else if (*c != 'z' && *c != 'B')
			return malformed;
	}
	cie.has_data = augmentation[0];
	return r.bad ? malformed : cie;
}

/* Reads the function of an FDE, whose field after the CIE pointer is next. */
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

/* Reads the address of the language-specific data of an FDE, whose range was just read. Returns 0 if it has none. */
static uint64_t read_lsda(struct reader *r, const struct cie *cie)
{
	if (!cie->has_data || cie->lsda == PE_OMIT)
		return 0;
	uint64_t length = read_leb(r), place = r->address + r->at;
	if (!length)
		return 0;
	uint64_t value = read_format(r, cie->lsda);
	if ((cie->lsda & ~(unsigned)PE_FORMAT) == PE_PCREL)
		return value ? value + place : 0;
	if (cie->lsda & ~(unsigned)PE_FORMAT)
		r->bad = true;
	return value;
}

/* Reads all records. Returns 0, or a negative errno; r->at is then in the malformed record. */
static int read_frame_records(struct reader *r, uint64_t section_end, enum listing listing, struct code_ranges *list)
{
	uint64_t known_cie = UINT64_MAX;
	struct cie cie = {.addresses = PE_OMIT};
	while (section_end - r->at >= 4) {
		r->end = section_end;
		uint64_t length = read_bytes(r, 4);
		bool is_long = length == 0xffffffff;
		if (is_long)
			length = read_bytes(r, 8);
		if (!length)
			continue; /* the end mark of an object file; records of others may follow */
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
				cie = read_cie(*r, known_cie, section_end);
			}
			struct code_range range = read_function(r, cie.addresses);
			if (listing == LIST_LANDING && range.bytes)
				range.bytes = read_lsda(r, &cie);
			if (listing == LIST_PLAIN_FUNCTIONS && cie.is_signal)
				range.bytes = 0;
			if (r->bad)
				return -EINVAL;
			int result = range.bytes ? code_range_append(list, range) : 0;
			if (result)
				return result;
		}
		if (r->bad)
			return -EINVAL;
		r->at = next;
	}
	return 0;
}

static int list_records(const uint8_t *section, uint64_t bytes, uint64_t address, enum listing listing,
                        struct code_range **ranges, size_t *count, struct error *error)
{
	struct reader r = {.section = section, .address = address};
	struct code_ranges list = {0};
	int result = read_frame_records(&r, bytes, listing, &list);
	if (result) {
		free(list.at);
		*ranges = NULL;
		*count = 0;
		return result == -ENOMEM
		               ? error_set(error, ENOMEM, "out of memory")
		               : error_set(error, -result, "the unwind tables (.eh_frame) are malformed at 0x%lx",
		                           address + r.at);
	}
	code_range_sort(&list);
	*ranges = list.at;
	*count = list.count;
	return 0;
}

int eh_frame_functions(const uint8_t *section, uint64_t bytes, uint64_t address, struct code_range **ranges,
                       size_t *count, struct error *error)
{
	return list_records(section, bytes, address, LIST_FUNCTIONS, ranges, count, error);
}

int eh_frame_plain_functions(const uint8_t *section, uint64_t bytes, uint64_t address, struct code_range **ranges,
                             size_t *count, struct error *error)
{
	return list_records(section, bytes, address, LIST_PLAIN_FUNCTIONS, ranges, count, error);
}

int eh_frame_landing_data(const uint8_t *section, uint64_t bytes, uint64_t address, struct code_range **ranges,
                          size_t *count, struct error *error)
{
	return list_records(section, bytes, address, LIST_LANDING, ranges, count, error);
}

int eh_frame_landing_pads(const uint8_t *data, uint64_t bytes, uint64_t address, uint64_t function,
                          int (*visit)(void *context, uint64_t pad), void *context)
{
	struct reader r = {.section = data, .end = bytes, .address = address};
	unsigned encoding = (unsigned)read_bytes(&r, 1);
	if (encoding != PE_OMIT) {
		uint64_t place = address + r.at;
		function = read_format(&r, encoding);
		if ((encoding & ~(unsigned)PE_FORMAT) == PE_PCREL)
			function += place;
		else if (encoding & ~(unsigned)PE_FORMAT)
			return -EINVAL;
	}
	if (read_bytes(&r, 1) != PE_OMIT) /* encoding of types, which end the table */
		read_leb(&r);
	unsigned format = (unsigned)read_bytes(&r, 1);
	uint64_t length = read_leb(&r);
	if (r.bad || length > r.end - r.at)
		return -EINVAL;
	r.end = r.at + length;
	while (r.at < r.end && !r.bad) {
		uint64_t call[3];
		for (unsigned i = 0; i < 3; i++) /* start, length, landing pad */
			call[i] = format == PE_ULEB ? read_leb(&r) : read_format(&r, format);
		read_leb(&r); /* action */
		int result = !r.bad && call[2] ? visit(context, function + call[2]) : 0;
		if (result)
			return result;
	}
	return r.bad ? -EINVAL : 0;
}
