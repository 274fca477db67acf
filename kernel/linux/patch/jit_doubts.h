/* SPDX-License-Identifier: MIT */
/* Bytes in code that a program has made as it runs that may be an instruction with results of the host's, or data, or a
 * part of other instructions. As long as there are such in a page it is executed one instruction at a time, so that who
 * comes to them is seen (jit_pages.h). One list for each address space. */
#ifndef KERNEL_LINUX_PATCH_JIT_DOUBTS_H
#define KERNEL_LINUX_PATCH_JIT_DOUBTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Bytes before a doubtful place, and behind it, on which the judgement depends. */
#define JIT_DOUBT_REACH 16U

/** Most pages have none. */
struct jit_doubt {
	uint64_t address; /**< of the opcode, behind prefixes */
	uint32_t left;    /**< so many instructions of its page are still executed one by one; 0: it is decided */
	uint8_t looks;    /**< how often the page may still be judged anew, because it is entered at another place */
	bool is_open;     /**< then the run ends: nobody can tell what it is; else it is none */
	bool is_told;     /**< by the last judgement */
	uint8_t around[2 * JIT_DOUBT_REACH]; /**< the bytes there, from JIT_DOUBT_REACH before it on */
};

struct jit_doubts {
	struct jit_doubt *list; /**< by address */
	size_t count, room;
};

/** Has a page be judged anew, which consists of these bytes: jit_doubts_tell and jit_doubts_end follow. */
void jit_doubts_begin(uint64_t page, const uint8_t *code);

/** A doubtful place that reaches into the page. What was decided of the same bytes before remains so. */
void jit_doubts_tell(uint64_t page, const uint8_t *code, uint64_t address, bool is_open);

/** What was not told is decided. Returns whether anything of the page is not. */
bool jit_doubts_end(uint64_t page);

/**
 * An instruction of the page is to be executed, and its opcode is at an address. Returns whether the page should be
 * judged once more, because it is a doubtful place, or one that the page was not entered at before.
 */
bool jit_doubts_come(uint64_t page, uint64_t opcode, bool is_entry);

/** Counts an instruction of the page that is executed. Whether anything in it is not decided even now; ends the run
 * when that has taken too long. */
bool jit_doubts_count(uint64_t page);

/** A copy for another address space. 0 or -ENOMEM. */
int jit_doubts_copy(struct jit_doubts *copy, const struct jit_doubts *from);

#endif
