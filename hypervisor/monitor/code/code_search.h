/* SPDX-License-Identifier: MIT */
/* The state of a search of code for what must be patched, and the part of it that takes whole functions. code_hits.h
 * judges candidates by it, code_repeat.h takes single functions again. */
#ifndef HYPERVISOR_CODE_SEARCH_H
#define HYPERVISOR_CODE_SEARCH_H

#include "base/error.h"
#include "code/code_branches.h"
#include "code/code_chosen.h"
#include "code/code_entries.h"
#include "code/code_map.h"
#include "code/code_mentions.h"
#include "code/code_scan.h"

struct code_search {
	struct code_map map;
	struct code_branches branches;
	struct code_mentions mentions;
	struct code_entries entries;
	struct code_function function; /**< the last one read; in raw memory, the code that is certainly executed */
	bool is_complete;              /**< all labels that can be known are in `function` */
	bool is_unknown;               /**< `function` has more labels, which cannot be known */
	const struct code_area *area;
	struct code_range range; /**< range of `function` */
	enum code_source source;
	unsigned set; /**< enum opcode_set */
	struct code_chosen chosen;
	uint64_t decided; /**< address: hits before it are decided */
	uint64_t floor;   /**< address: bytes before it may belong to a patch */
	uint64_t gap;     /**< address: the bytes from here to the hit being judged are in no function */
	uint64_t work;    /**< bytes that may still be disassembled */
	struct code_scan *scan;
	struct error *error;
};

/**
 * Sets what to search for in a map that was opened, and how much may be disassembled. `has_points`: also decision
 * points, which are those of `chosen`, and with `atomics` atomic instructions.
 */
void code_search_begin(struct code_search *search, bool has_points, bool atomics);

/** Begins an area: nothing of it is decided. */
void code_search_enter(struct code_search *search, const struct code_area *area);

/** Frees everything but the result. */
void code_search_fini(struct code_search *search);

/** Searches end with -EINTR from when `stopped` is true on. NULL: they never do. */
void code_search_stop_when(bool (*stopped)(void));

/** Returns 0, or -EINTR with a line in *error if the search must end. */
int code_search_check_stop(const struct code_search *search);

/** Returns -ENOMEM, with a line in *error. */
int code_search_out_of_memory(struct code_search *search);

/** Adds a patch to the result. Returns 0 or -ENOMEM. */
int code_search_append(struct code_search *search, const struct code_patch *patch);

/** Counts work, in bytes to disassemble. Returns 0, or -EFBIG when too much was done. */
int code_search_spend(struct code_search *search, uint64_t work);

/** Whether instructions of a kind are decision points. */
bool code_search_is_point(uint8_t kind);

/**
 * Whether a mov of rt_sigreturn's number stands before the syscall at an offset. libgcc, gdb and others recognise
 * signal frames by these bytes.
 */
bool code_search_is_sigreturn(const struct code_area *area, uint64_t offset);

/** Adds the memory operand to a decision point's patch, which covers just the instruction. */
void code_search_set_operand(const struct code_area *area, struct code_patch *patch);

/**
 * Whether bytes that look like an instruction of the function, and are not reached, may be one. They are data if all
 * labels are known and nothing leads there. Returns 1, 0 or a negative errno.
 */
int code_search_is_supported(struct code_search *search, uint64_t address);

/**
 * Whether an instruction may begin at `address`, inside `step`, which is not reached. It may if something leads into
 * the step, or if unknown jumps may and the step is where control flow would have to enter. Returns 1, 0 or a negative
 * errno.
 */
int code_search_is_hidden(struct code_search *search, const struct code_step *step, uint64_t address);

/**
 * Takes all wanted instructions of the function in `range`, except bytes that may be data. Returns 0 or a negative
 * errno.
 */
int code_search_take_function(struct code_search *search);

/** Takes the functions that contain chosen instructions before the address `end`. Returns 0 or a negative errno. */
int code_search_take_chosen(struct code_search *search, uint64_t end);

#endif
