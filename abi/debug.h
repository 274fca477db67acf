/* SPDX-License-Identifier: MIT */
/* How the kernel serves a debugger (eremite debug).
 *
 * When a thread of the program stops, the kernel fills in debug_area.stop and rings DOORBELL_DEBUG. Until the monitor
 * answers DEBUG_GO, the kernel performs the request in debug_area and rings again. All state of the kernel's part is in
 * the area at LAYOUT_DEBUG, with its stack and the copies of pages in which breakpoints are: a run under a debugger
 * leaves the same memory behind. Also included by assembly. */
#ifndef ABI_DEBUG_H
#define ABI_DEBUG_H

#include "abi/layout.h"

/* Offsets in the area. Its first pages are struct debug_area. */
#define DEBUG_SAVED (LAYOUT_DEBUG + 0x3000) /* registers of the code that is interrupted */
#define DEBUG_STACK_TOP (LAYOUT_DEBUG + 0x10000)
#define DEBUG_STATE (LAYOUT_DEBUG + 0x10000) /* the kernel's own */
#define DEBUG_PAGES (LAYOUT_DEBUG + 0x200000)
#define DEBUG_PAGES_MAX 512 /* pages of code with breakpoints at one time */

#define DEBUG_BREAKPOINTS_MAX 4096
#define DEBUG_DATA_BYTES 4096

#ifndef __ASSEMBLER__

#include <stddef.h>
#include <stdint.h>

#define DEBUG_MAGIC 0x3167756265646d65UL /* "emdebug1" */

/** Why DOORBELL_DEBUG rings. */
enum debug_event {
	DEBUG_STOPPED = 1, /**< a thread has stopped: debug_area.stop */
	DEBUG_ANSWERED,    /**< the request is performed: debug_area.result */
};

/** The monitor's answer. */
enum debug_answer {
	DEBUG_GO,      /**< continue as debug_area.request says */
	DEBUG_REQUEST, /**< perform debug_area.request */
};

enum debug_reason {
	DEBUG_AT_START = 1,  /**< before the program's first instruction */
	DEBUG_AT_BREAKPOINT, /**< before the instruction at a breakpoint */
	DEBUG_AT_STEP,       /**< after a step */
	DEBUG_AT_SIGNAL,     /**< before a signal is delivered, or ends the program */
	DEBUG_AT_EXEC,       /**< before the first instruction of another program (execve(2)); breakpoints are gone */
	DEBUG_AT_WATCH,      /**< after a store that has changed watched bytes, or an access: debug_stop.watched */
	DEBUG_AT_INTERRUPT,  /**< where the monitor wants it (debug_area.interrupt) */
	DEBUG_AT_PLACE,      /**< at debug_wanted.place, which is forgotten */
	DEBUG_AT_CALL,       /**< before a system call: debug_stop.call */
	DEBUG_AT_RETURN,     /**< after one */
	DEBUG_AT_DEADLOCK,   /**< no thread can continue: the run ends here */
	DEBUG_AT_FORK,       /**< the thread has made a process: debug_stop.child */
	DEBUG_AT_VFORK,      /**< it has made one, and has waited for it (vfork(2)) */
	DEBUG_AT_VFORK_DONE, /**< right after DEBUG_AT_VFORK */
};

/** Places in a run. debug_wanted.number is in brackets. */
enum debug_place_kind {
	DEBUG_PLACE_NONE,
	DEBUG_PLACE_DECISION, /**< where the program runs first after that many decisions */
	DEBUG_PLACE_TIME,     /**< where it runs first at that virtual time or later (ns) */
	DEBUG_PLACE_CALL,     /**< before that system call of the run, counted from 1 */
	DEBUG_PLACE_MARKER,   /**< before any call of eremite_marker */
	DEBUG_PLACE_EXIT,     /**< before the program ends by itself */
	DEBUG_PLACE_FAILURE,  /**< before a signal or a deadlock ends the run: signals with a handler do not stop it */
};

#define DEBUG_CALLS 512 /* numbers of system calls are below */

/** Where the program stops beside breakpoints and signals. All zero: nowhere. */
struct debug_wanted {
	uint64_t place; /**< enum debug_place_kind */
	uint64_t number;
	uint64_t children;                /**< not 0: stops at DEBUG_AT_FORK, DEBUG_AT_VFORK and DEBUG_AT_VFORK_DONE */
	uint64_t signals;                 /**< bit N: signal N + 1 is delivered without a stop */
	uint64_t calls[DEBUG_CALLS / 64]; /**< bit N: stops before and after system call N */
};

struct debug_stop {
	uint32_t reason; /**< enum debug_reason */
	uint32_t signal; /**< with DEBUG_AT_SIGNAL; with DEBUG_AT_WATCH: enum debug_watch */
	uint32_t tid;    /**< number that programs see */
	uint32_t pid;
	uint8_t info[128]; /**< siginfo_t of the signal */
	uint64_t watched;  /**< with DEBUG_AT_WATCH: their address */
	uint64_t call;     /**< with DEBUG_AT_CALL and DEBUG_AT_RETURN: its number */
	uint64_t child;    /**< with DEBUG_AT_FORK and DEBUG_AT_VFORK: number of the process */
};

/** What is watched. */
enum debug_watch {
	DEBUG_WATCH_STORES,   /**< stores that change the bytes */
	DEBUG_WATCH_READS,    /**< reads */
	DEBUG_WATCH_ACCESSES, /**< reads, and any stores */
};

enum debug_op {
	DEBUG_CONTINUE = 1, /**< with DEBUG_GO: no more steps */
	DEBUG_STEP,      /**< with DEBUG_GO: the thread that has stopped makes a step, and further ones while it is in
	                    [address, address + bytes) */
	DEBUG_REGISTERS, /**< data: struct debug_registers of thread `tid` */
	DEBUG_SET_REGISTERS, /**< data: the same, of the thread that has stopped */
	DEBUG_VECTOR,        /**< data: XSAVE area of thread `tid`; result: its size */
	DEBUG_READ,      /**< result: bytes at `address`, 1 to `bytes`; `address` becomes guest-physical, or 0 with the
	                    bytes in data */
	DEBUG_WRITE,     /**< writes data, `bytes`, to `address` */
	DEBUG_INSERT,    /**< a breakpoint at `address`. data: its conditions, `bytes` in all, each gdb's agent
	                    expression with its length before it (2 bytes) */
	DEBUG_REMOVE,    /**< of it */
	DEBUG_THREADS,   /**< data: struct debug_thread[] of threads above number `tid`; result: how many are in data */
	DEBUG_AUXILIARY, /**< data: the auxiliary vector; result: its size */
	DEBUG_FORGET,    /**< all breakpoints: the debugger has gone */
	DEBUG_WATCH,     /**< `bytes` at `address`: stop after what enum debug_watch, in `tid`, says */
	DEBUG_UNWATCH,   /**< no more */
	DEBUG_MAPPINGS,  /**< data: struct debug_mapping[] from `address` on; result: how many are in data */
	DEBUG_WANT,      /**< data: struct debug_wanted, in place of the last one; result: system calls so far */
	DEBUG_SET_VECTOR, /**< data: XSAVE area, of the thread that has stopped; only its registers are taken */
};

/** debug_request.tid with DEBUG_GO. */
#define DEBUG_GO_ALONE 1U /* the debugger expects that the other threads stand */
#define DEBUG_GO_DROPS 2U /* the signal that has stopped the thread is not delivered */

/** struct user_regs_struct of sys/user.h. */
struct debug_registers {
	uint64_t r15, r14, r13, r12, rbp, rbx, r11, r10, r9, r8, rax, rcx, rdx, rsi, rdi, orig_rax, rip, cs, eflags,
		rsp, ss, fs_base, gs_base, ds, es, fs, gs;
};

struct debug_thread {
	uint32_t tid;
	uint32_t state; /**< enum view_state (abi/linux_view.h) */
	char name[16];
	char waits_for[40]; /**< with VIEW_WAITING; ended by a NUL */
};

struct debug_mapping {
	uint64_t start, end;
	uint64_t rights; /**< 1: read, 2: write, 4: execute */
};

struct debug_request {
	uint32_t op; /**< enum debug_op */
	uint32_t tid;
	uint64_t address;
	uint64_t bytes;
};

struct debug_area {
	uint64_t magic;     /**< set by a kernel that serves debuggers */
	uint64_t steps;     /**< set by the kernel: not 0 while the trap flag is its own */
	uint64_t interrupt; /**< set by the monitor: stop at the next trap or system call */
	uint64_t reserved;
	struct debug_stop stop;
	struct debug_request request;
	int64_t result; /**< 0 or more, or a negative errno */
	uint8_t data[DEBUG_DATA_BYTES] __attribute__((aligned(64)));
};

_Static_assert(sizeof(struct debug_stop) == 168, "debug_stop");
_Static_assert(sizeof(struct debug_registers) == 216, "debug_registers");
_Static_assert(sizeof(struct debug_thread) == 64, "debug_thread");
_Static_assert(sizeof(struct debug_mapping) == 24, "debug_mapping");
_Static_assert(sizeof(struct debug_wanted) == 96, "debug_wanted");
_Static_assert(offsetof(struct debug_area, data) == 256, "debug_area");
_Static_assert(sizeof(struct debug_area) <= 0x3000, "below DEBUG_SAVED");

#endif
#endif
