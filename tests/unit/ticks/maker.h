/* SPDX-License-Identifier: MIT */
/* A small assembler for program.c, with labels and chance. */
#ifndef TESTS_UNIT_TICKS_MAKER_H
#define TESTS_UNIT_TICKS_MAKER_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "tests/unit/ticks/program.h"

#define MAKER_LABELS 512
#define MAKER_FUEL 14 /* the register of the fuel */

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI };

/* Where an address of a label is needed. */
enum maker_use {
	MAKER_SHORT,    /* one byte, relative to its end */
	MAKER_LONG,     /* four bytes, relative to their end */
	MAKER_ABSOLUTE, /* eight bytes */
	MAKER_DISTANCE, /* four bytes, relative to `base` */
	MAKER_WORD,     /* two bytes, relative to `base` */
};

struct maker_fixup {
	uint8_t *at;
	uint64_t address, base;
	enum maker_use use;
	unsigned label, added;
};

struct maker {
	struct program *program;
	uint64_t random;
	unsigned at;      /* offset in the code */
	unsigned data_at; /* offset in the data: tables */
	bool no_short;    /* a short jump was too far: all are long */
	uint64_t labels[MAKER_LABELS];
	unsigned label_count;
	struct maker_fixup fixups[1024];
	unsigned fixup_count;
};

/** A number less than `limit`. */
unsigned maker_draw(struct maker *maker, unsigned limit);

/** Adds bytes to the code. */
void maker_bytes(struct maker *maker, const void *bytes, unsigned count);
#define MAKER_ADD(maker, ...) maker_bytes(maker, (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

/** Adds four bytes. */
void maker_word(struct maker *maker, uint32_t word);

/** Counts an instruction. */
void maker_begin(struct maker *maker);

/** The address of the next byte. */
uint64_t maker_here(const struct maker *maker);

/** A new label, which is nowhere yet. */
unsigned maker_label(struct maker *maker);

/** Puts a label here. */
void maker_put(struct maker *maker, unsigned label);

/** Adds the distance to a label, `behind` bytes before the instruction's end, plus `added`. */
void maker_distance(struct maker *maker, unsigned label, unsigned behind, int added);

#define MAKER_ALWAYS 16

/** Adds a jump to a label: condition 0 to 15, or MAKER_ALWAYS. */
void maker_jump(struct maker *maker, unsigned condition, unsigned label, bool is_near);

/** Adds a table of labels to the data. Returns its address. */
uint64_t maker_table(struct maker *maker, const unsigned *labels, unsigned count, enum maker_use use, uint64_t base);

/** A register for data. */
unsigned maker_register(struct maker *maker);

/** Adds a random instruction that changes registers, flags or the buffer. */
void maker_instruction(struct maker *maker);

/** Writes the addresses of labels. Returns false if a short jump is too far. */
bool maker_finish(struct maker *maker);

#endif
