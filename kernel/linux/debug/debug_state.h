/* SPDX-License-Identifier: MIT */
/* The state of the debugger's part of the kernel, which is in the debugger's area. */
#ifndef KERNEL_LINUX_DEBUG_DEBUG_STATE_H
#define KERNEL_LINUX_DEBUG_DEBUG_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/debug.h"
#include "kernel/arch/direct_map.h"
#include "kernel/linux/cpu/cpu.h"
#include "kernel/linux/debug/debug_aside.h"

/** A page of code with breakpoints: a copy stands in its place. */
struct debug_copy {
	uint64_t page;   /**< its address in the program */
	uint64_t *entry; /**< its page-table entry */
	uint64_t before; /**< the entry of the page itself */
	uint64_t now;    /**< the entry of the copy */
};

/** A breakpoint. */
struct debug_breakpoint {
	uint64_t address;               /**< in the program, as the debugger gave it */
	uint32_t condition;             /**< its conditions, in debug_state.conditions */
	uint32_t condition_bytes;       /**< 0: none */
	uint8_t code[DEBUG_CODE_BYTES]; /**< with conditions: the bytes of the instruction, as the page has them */
	uint8_t code_bytes;             /**< how many are known */
};

#define DEBUG_CONDITIONS_BYTES 65536 /* of all breakpoints: an expression has some tens of bytes */

#define DEBUG_WATCHES_MAX 16
#define DEBUG_WATCH_BYTES 64

/** Watched bytes. */
struct debug_watched {
	uint64_t address, bytes;
	uint32_t kind;    /**< enum debug_watch */
	bool is_known;    /**< value is theirs */
	bool is_accessed; /**< as `kind` says, by the instruction or system call that is under way */
	uint8_t value[DEBUG_WATCH_BYTES];
};

/** A page, of either size, that cannot be written to, or not be accessed at all, for the moment. */
struct debug_guard {
	uint64_t start, bytes;
	uint64_t *entry;
	uint64_t before, now;
};

struct debug_state {
	/* The debugger's step. */
	uint32_t step_thread;         /**< number of the thread that makes it; 0: none */
	bool step_alone;              /**< the debugger expects that the others stand */
	uint64_t step_low, step_high; /**< it goes on in this range */
	/* A single instruction, with the trap flag: of a step, or at a breakpoint from which a thread continues. */
	uint32_t single_thread; /**< number of the thread; 0: none */
	uint64_t single_from;   /**< the program's address of the instruction */
	uint64_t fault_at;      /**< where it has faulted; 0: it has not */
	bool pushes_flags;      /**< it is PUSHF */
	/* Where that thread comes back from the kernel. */
	uint32_t return_thread;
	uint64_t return_at; /**< 0: none */
	/* Stops beside breakpoints. */
	struct debug_wanted wanted;
	uint64_t calls;        /**< system calls of the run so far */
	uint32_t place_reason; /**< the step of step_thread ends at a stop for this reason; 0: for the step itself */
	/* Watchpoints. */
	bool is_storing; /**< no page is guarded, because an access to one is under way */
	uint64_t watch_count, guard_count;
	struct debug_watched watches[DEBUG_WATCHES_MAX];
	struct debug_guard guards[2 * DEBUG_WATCHES_MAX];
	/* Breakpoints. */
	const void *space;       /**< the address space that they are in */
	uint64_t skipped;        /**< no breakpoint is here for the moment, because a thread continues here; 0: none */
	uint64_t passed;         /**< the same, for a thread at which no breakpoint here is aimed; 0: none */
	uint32_t passing_thread; /**< its number; 0: none */
	uint64_t count;
	struct debug_breakpoint breakpoints[DEBUG_BREAKPOINTS_MAX];
	uint64_t conditions_bytes;
	uint8_t conditions[DEBUG_CONDITIONS_BYTES];
	/* The copy of an instruction (debug_aside.h). */
	uint64_t aside_page;     /**< where it is; 0: not known yet */
	uint64_t aside_from;     /**< address of the instruction itself */
	uint64_t aside_next;     /**< and of the one behind it */
	uint64_t aside_register; /**< number of a register that the copy uses, and restores; 0: none */
	uint64_t aside_value;    /**< the program's value in it */
	uint64_t copy_count;
	struct debug_copy copies[DEBUG_PAGES_MAX];
	uint8_t vector[CPU_AREA_BYTES] __attribute__((aligned(16))); /* room to change vector registers */
};

_Static_assert(DEBUG_STATE + sizeof(struct debug_state) <= DEBUG_PAGES, "below the copies");

static inline struct debug_state *debug_state(void)
{
	return phys_to_virt(DEBUG_STATE);
}

static inline struct debug_area *debug_area(void)
{
	return phys_to_virt(LAYOUT_DEBUG);
}

#endif
