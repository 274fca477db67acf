/* SPDX-License-Identifier: MIT */
/* Makes up small programs for the planner of --clock work: functions with loops, tables, calls, shared tails, constants
 * in code, computed jumps that no table shows, and unwind tables that may be wrong. Each ends: jumps that may lead back
 * consume fuel, which r14 has. */
#ifndef TESTS_UNIT_TICKS_PROGRAM_H
#define TESTS_UNIT_TICKS_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

/* Addresses, where the program also runs, and offsets in its file. */
#define PROGRAM_CODE 0x10000000UL
#define PROGRAM_CODE_BYTES 0x4000UL
#define PROGRAM_DATA 0x10010000UL
#define PROGRAM_DATA_BYTES 0x1000UL
#define PROGRAM_TABLES 0x10020000UL
#define PROGRAM_TABLES_BYTES 0x1000UL
#define PROGRAM_CODE_OFFSET 0x1000UL
#define PROGRAM_DATA_OFFSET 0x5000UL
#define PROGRAM_TABLES_OFFSET 0x6000UL
#define PROGRAM_FILE_BYTES 0x7000UL

/* The buffer that rdi points to is the second half of the data. */
#define PROGRAM_BUFFER (PROGRAM_DATA + PROGRAM_DATA_BYTES / 2)

struct program {
	uint8_t file[PROGRAM_FILE_BYTES];
	uint64_t entry;
	unsigned instructions, calls; /**< numbers of instructions, and of calls among them */
	bool has_wrong_tables;        /**< the unwind tables do not say where functions are */
	bool has_hidden_jumps;        /**< some jumps lead where no label or table says */
};

/** Makes the program of a seed. */
void program_make(struct program *program, uint64_t seed);

#endif
