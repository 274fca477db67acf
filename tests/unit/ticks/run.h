/* SPDX-License-Identifier: MIT */
/* Runs a made-up program as it is, instruction by instruction, and with the stubs of the kernel. */
#ifndef TESTS_UNIT_TICKS_RUN_H
#define TESTS_UNIT_TICKS_RUN_H

#include <stddef.h>
#include <stdint.h>

#include "abi/code.h"
#include "tests/unit/ticks/program.h"

#define RUN_STUBS 0x10100000UL
#define RUN_STUBS_BYTES 0x100000UL
#define RUN_STEPS_MAX 200000U

/* What a countdown that has run out gets, in its unit (abi/ticks.h), as text for assembly. */
#define RUN_REFILL 25600
#define RUN_REFILL_TEXT "25600"

/* How a run ended. */
enum run_end { RUN_DONE, RUN_DIED, RUN_TOO_LONG };

/* A program's registers, in the order of their numbers, and its flags. rsp is not among them. */
struct run_registers {
	uint64_t general[16], flags;
};

struct run_result {
	enum run_end end;
	int signal;   /* of RUN_DIED */
	uint64_t rip; /* where */
	struct run_registers registers;
	uint8_t data[PROGRAM_DATA_BYTES];
	uint64_t ticks; /* charged; of a run with stubs */
	uint64_t traps; /* in patched places, of jumps to instructions that are in a stub */
	uint64_t left;  /* how often a trap in rounds with one check gave ticks back */
};

/* Which instructions a run has executed. */
struct run_trace {
	unsigned count;
	uint16_t at[RUN_STEPS_MAX];  /* offsets in the code */
	uint32_t rcx[RUN_STEPS_MAX]; /* its low half before the step */
};

/** Runs the program from these registers on, in a child. With patches their stubs are made before. The countdown begins
 * with `left` ticks. */
void run_program(const struct program *program, const struct run_registers *registers, const struct code_patch *patches,
                 size_t count, unsigned left, struct run_result *result);

/** The same, with a trap at each step. At steps that `random` chooses the kernel leaves rounds with one check, as it
 * does when a trap begins. */
void run_program_trapped(const struct program *program, const struct run_registers *registers,
                         const struct code_patch *patches, size_t count, unsigned left, uint64_t random,
                         struct run_result *result);

/** Runs it step by step. Returns the number of steps. */
void run_steps(const struct program *program, const struct run_registers *registers, struct run_trace *trace,
               struct run_result *result);

#endif
