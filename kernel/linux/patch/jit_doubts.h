/* SPDX-License-Identifier: MIT */
/* Doubtful bytes in code that a program makes at run time: they may be an instruction with host-dependent results, or
 * data, or a part of other instructions. A page with such bytes is executed one instruction at a time, so that the
 * kernel sees when one of them is reached (jit_pages.h). Each address space has a list. */
#ifndef KERNEL_LINUX_PATCH_JIT_DOUBTS_H
#define KERNEL_LINUX_PATCH_JIT_DOUBTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Bytes before and after a doubtful place on which the judgement depends. */
#define JIT_DOUBT_REACH 16U

/** Most pages have no doubtful place. */
struct jit_doubt {
	uint64_t address; /**< of the opcode, after prefixes */
	uint32_t left;    /**< instructions of its page still to be executed one by one; 0: decided */
	uint8_t looks; /**< how many more times the page may be judged again because it is entered at another place */
	bool is_open;  /**< whether the run ends if the place stays undecided for too long; if not, it then counts as
	                  harmless */
	bool is_told;  /**< the last judgement reported this place */
	uint8_t around[2 * JIT_DOUBT_REACH]; /**< the bytes around the place, starting JIT_DOUBT_REACH before it */
};

struct jit_doubts {
	struct jit_doubt *list; /**< sorted by address */
	size_t count, room;
};

/** Starts a new judgement of a page with these bytes; calls of jit_doubts_tell and jit_doubts_end follow. */
void jit_doubts_begin(uint64_t page, const uint8_t *code);

/** Reports a doubtful place that reaches into the page. An earlier decision about the same bytes stands. */
void jit_doubts_tell(uint64_t page, const uint8_t *code, uint64_t address, bool is_open);

/** Places that were not reported are decided. Returns whether the page has an undecided place. */
bool jit_doubts_end(uint64_t page);

/** Whether an undecided place is at an address. */
bool jit_doubts_has(uint64_t address);

/** An instruction of the page is about to be executed; `opcode` is its opcode's address. Returns whether to judge the
 * page again, because the instruction is a doubtful place, or the page is entered at a new place. */
bool jit_doubts_come(uint64_t page, uint64_t opcode, bool is_entry);

/** Counts an executed instruction of the page. Returns whether the page still has an undecided place. Ends the run when
 * an open place has stayed undecided for too long. */
bool jit_doubts_count(uint64_t page);

/** Copies the list for another address space. Returns 0 or -ENOMEM. */
int jit_doubts_copy(struct jit_doubts *copy, const struct jit_doubts *from);

#endif
