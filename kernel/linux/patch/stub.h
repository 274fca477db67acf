/* SPDX-License-Identifier: MIT */
/* Stubs: code to which patched places of a Linux program jump. They are in the program's memory near its code, and
 * fork(2) copies them with it. Each address space knows where its stubs are. */
#ifndef KERNEL_LINUX_PATCH_STUB_H
#define KERNEL_LINUX_PATCH_STUB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/code.h"

/** At the end of a decision point's stub, for entry.S. */
struct stub_point {
	uint64_t go_on; /**< where the instruction itself is in the stub */
	uint8_t kind;   /**< enum code_kind */
	uint8_t length; /**< length of the instruction */
	uint8_t operand[3];
	uint8_t reserved[3];
};

/** A patched place that has a stub. Places are sorted by site, and their stubs have the same order. */
struct stub_place {
	uint32_t
		site; /* first byte that is replaced, or first one of a loop that is copied, as an offset in the code */
	uint32_t stub; /* from the area's start */
	uint8_t kind, before, length, after;
	uint8_t replaced; /* of a loop that is copied: how many of its bytes, behind `before`, the jump replaces; else 0
	                   */
	uint8_t rounds;   /* of such a loop: how many rounds one check is for, or 0 (stub_rounds.h) */
	uint16_t rounds_at; /* where these are in the stub */
	uint8_t last;       /* the bytes of the jump back */
	uint8_t unused[3];
};

/** Stubs of one range of code. */
struct stub_area {
	uint64_t start, end; /**< the code */
	uint64_t at, bytes;  /**< the stubs */
	uint64_t places;     /**< address of struct stub_place[], after the stubs */
	uint64_t count;      /**< number of struct stub_place */
};

/** The stub areas of an address space. */
struct stub_areas {
	struct stub_area *list;
	size_t count, room;
};

/** Writes stubs for the patches that need one, and makes their places jump there, or trap. `shift` is the difference
 * between an address and its offset in the file; [start, end) is the code. Ends the run when there is no room for a
 * stub that is necessary. */
void stub_write(const struct code_patch *patches, uint64_t count, uint64_t start, uint64_t end, uint64_t shift);

/** The start of the stub of a patched place, given by its first replaced byte; 0: no stub. */
uint64_t stub_of(uint64_t address);

/** The area whose stubs are at an address, with the place of that stub; NULL: no stub is there. */
const struct stub_area *stub_area_of(uint64_t address, struct stub_place *place);

/** The kind in struct stub_place of a place whose loop makes several rounds for one check. */
#define STUB_TICK_ROUNDS 0xff

/** Whether a place of a patch's kind, or of one in struct stub_place, counts time where the flags are unused. */
static inline bool stub_tick_is_plain(uint8_t kind)
{
	return kind == CODE_TICK || kind == CODE_TICK_LOOP || kind == STUB_TICK_ROUNDS;
}

/** Translates an address in a stub to the program's: the original address of a moved instruction, of the system call,
 * or of the instruction after it. Other addresses stay the same. For addresses shown to programs and debuggers, whose
 * unwinders do not know stubs. */
uint64_t stub_original(uint64_t address);

/** stub_original for a thread that was stopped anywhere: an address in the middle of a stub becomes that of the
 * instruction, before which rax and rcx get back the program's values. */
uint64_t stub_leave(uint64_t address, uint64_t *rax, uint64_t *rcx);

/** The reverse of stub_original: the address at which to continue a thread in place of the given one. An address whose
 * instruction was not moved stays the same. */
uint64_t stub_going_on(uint64_t address);

/** The address in a stub at which the copy of a loop has the instruction at an address of the program; 0: no loop with
 * it is copied. Sets *is_replaced: the program's own instruction is a jump there. */
uint64_t stub_copied(uint64_t address, bool *is_replaced);

/** Bytes that the stub of a patch of this kind has before the instruction itself, or in place of it. */
unsigned stub_added_bytes(uint8_t kind);

/** Whether a patch of this kind is a decision point. */
bool stub_is_point(uint8_t kind);

/** Maps memory for stubs within a jump's reach, in bytes, of a mapping. Returns its address; 0: no room. */
uint64_t stub_areas_map(uint64_t start, uint64_t end, uint64_t bytes, uint64_t reach);

/** Adds an area to the list. Returns 0 or -ENOMEM. */
int stub_areas_add(struct stub_areas *areas, const struct stub_area *area);

/** Copies the stub areas to an address space that is a copy and has none yet. Returns 0 or -ENOMEM. */
int stub_areas_copy(struct stub_areas *to, const struct stub_areas *from);

/** Frees the list. */
void stub_areas_fini(struct stub_areas *areas);

#endif
