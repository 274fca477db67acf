/* SPDX-License-Identifier: MIT */
/* Judges whether bytes that may be data are an instruction, by disassemblies from several places before them. */
#ifndef HYPERVISOR_VOTE_H
#define HYPERVISOR_VOTE_H

#include <stdbool.h>
#include <stdint.h>

#include "scan/disassembler.h"

#define VOTE_FAR 96  /**< bytes before an offset from which disassembly begins */
#define VOTE_AHEAD 8 /**< instructions after the one at an offset that are looked at */

/**
 * Votes on an offset, one for each disassembly from a place before it. A disassembly that meets bytes which are not
 * code does not vote.
 */
struct vote {
	unsigned asked; /**< number of disassemblies */
	unsigned yes;   /**< votes that an instruction of the set is there */
	unsigned no;    /**< votes that the offset is in another instruction, or not where one of the set begins */
	struct instruction instruction; /**< the instruction of the first `yes` */
	uint64_t offset;                /**< offset where it begins, including prefixes */
	bool goes_on;                   /**< the bytes after it look like code */
	unsigned numbers;               /**< number of `yes` with a mov of a constant to %eax directly before */
	uint8_t number_bytes;           /**< the length of that mov */
};

/**
 * Whether the bytes from an offset on look like a program's code, up to where control flow ends or other code decides
 * whether it continues. Zeros do not look like code.
 */
bool vote_goes_on(const uint8_t *bytes, uint64_t count, uint64_t address, uint64_t offset);

/**
 * Judges whether bytes, which may be data, are an instruction of a set (enum opcode_set). Disassembles from each place
 * in [from, offset), except the nearest ones. A disassembly that starts inside an instruction usually falls into step
 * with the right ones after a few instructions. With OPCODE_RAW zeros do not vote. Code then begins at the aligned
 * place after a run of zeros, so that is the first place used.
 */
void vote_ask(const uint8_t *bytes, uint64_t count, uint64_t address, uint64_t from, uint64_t offset, unsigned set,
              struct vote *vote);

#endif
