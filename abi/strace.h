/* SPDX-License-Identifier: MIT */
/* Kernel calls of a Linux program, noted for eremite run --strace.
 *
 * The kernel writes a record when a call begins and when it ends, with copies of the memory that the arguments lead to,
 * into a ring that the monitor drains. It notes only what abi/strace_calls.h says about each argument, and does not
 * interpret it. All state is in the area at LAYOUT_STRACE, with the stack of the code that notes: a run that is
 * observed leaves the same memory behind. Also included by assembly. */
#ifndef ABI_STRACE_H
#define ABI_STRACE_H

#include "abi/layout.h"

/* Offsets in the area. The header page is struct strace_area. */
#define STRACE_SAVED (LAYOUT_STRACE + 0x800) /* registers of the code that is interrupted */
#define STRACE_STACK_TOP (LAYOUT_STRACE + 0x8000)
#define STRACE_OPEN (LAYOUT_STRACE + 0x8000)    /* struct strace_open[STRACE_OPENS]: the kernel's own */
#define STRACE_RAN (LAYOUT_STRACE + 0x48000)    /* struct strace_ran[STRACE_OPENS]: the kernel's own */
#define STRACE_PLACES (LAYOUT_STRACE + 0x60000) /* struct strace_place[STRACE_PLACES_MAX], with STRACE_BY_PLACES */
#define STRACE_PLACES_MAX 32768
#define STRACE_RING (LAYOUT_STRACE + 0x200000)
#define STRACE_RING_BYTES 0x200000

#define STRACE_OPENS 4096
#define STRACE_RECORD_MAX 0x4000 /* bytes of a record */
#define STRACE_ARGUMENTS 6

#ifndef __ASSEMBLER__

#include <stddef.h>
#include <stdint.h>

#define STRACE_MAGIC 0x31656361727473UL /* "strace1" */
#define STRACE_CALLS 512                /* numbers of calls are below */

/** strace_area.flags: no copies of memory are wanted. */
#define STRACE_FLAG_BARE 1U

/** For eremite run --trace: records from STRACE_DECIDED on are wanted, too. */
#define STRACE_FLAG_TRACE 2U

/** Bytes that are copied of a buffer that is read or written: strace(1) shows as many. */
#define STRACE_TEXT_BYTES 32

/** Maximum of copies of arrays, in bytes, and of strings in an array. */
#define STRACE_ARRAY_BYTES 2048
#define STRACE_STRUCT_BYTES 128 /* a structure whose size an argument says */
#define STRACE_STRINGS 32

/** What eremite profile takes samples by. */
enum strace_sample_by {
	STRACE_BY_NOTHING,
	STRACE_BY_CALLS,  /**< at every n-th kernel call, when it begins */
	STRACE_BY_FAULTS, /**< at every n-th page fault of the program */
	STRACE_BY_TICKS,  /**< at the first place that counts time after every n ticks of virtual time */
	STRACE_BY_PLACES, /**< none: all places that count time, and kernel calls, are counted in STRACE_PLACES */
};

/** Where a thread of a Linux program is. */
struct strace_sample {
	uint32_t thread; /**< number in schedules and reports */
	uint32_t pid;
	uint64_t ran_ns;        /**< virtual time that the thread has run */
	uint64_t registers[17]; /**< as in struct fault_report */
	char name[16];          /**< of the thread */
};

/** Argument of DOORBELL_STRACE: strace_area.sample is filled in; 0: the ring is full. */
#define STRACE_DOORBELL_SAMPLE 1

/** Another argument: the process strace_area.sample.pid ends, or executes another program, and its places are complete.
 */
#define STRACE_DOORBELL_PLACES 2

/** A place that counts time, or an instruction that calls the kernel. */
struct strace_place {
	uint64_t at; /**< where it is executed, which may be a stub; 0: free. The first element of the table counts all
	                places for which the table has no room */
	uint64_t address; /**< the instruction of the program */
	uint32_t pid;     /**< 0: it was told, and is free */
	uint32_t reserved;
	uint64_t count;
	uint64_t ns; /**< virtual time that it took */
};

/** How long a thread had run when it was looked at last. */
struct strace_ran {
	uint64_t thread; /**< its number */
	uint64_t ns;
};

_Static_assert(sizeof(struct strace_place) == 40, "strace_place");
_Static_assert(STRACE_PLACES + STRACE_PLACES_MAX * sizeof(struct strace_place) <= STRACE_RING, "strace_place");

/** The page at LAYOUT_STRACE. Counts of bytes never wrap; the offset in the ring is the count modulo its size. */
struct strace_area {
	uint64_t magic; /**< set by a kernel that notes calls */
	uint64_t head;  /**< written by the guest: bytes produced */
	uint64_t reserved[6];
	uint64_t tail; /**< written by the monitor: bytes consumed */
	uint64_t flags;
	uint64_t wanted[STRACE_CALLS / 64]; /**< bit n: call n is wanted; call STRACE_CALLS - 1 stands for all beyond */
	uint64_t sample_by;                 /**< enum strace_sample_by; set by the monitor */
	uint64_t sample_every;              /**< n: calls, faults or ticks; not 0 */
	uint64_t sample_count;              /**< the guest's: calls or faults so far */
	struct strace_sample sample;
};

_Static_assert(sizeof(struct strace_sample) == 168, "strace_sample");
_Static_assert(sizeof(struct strace_area) == 336, "strace_area, below STRACE_SAVED");
_Static_assert(offsetof(struct strace_area, tail) == 64, "strace_area");

/** A call that a thread is in. */
struct strace_open {
	uint32_t thread; /**< its number; 0: none */
	uint32_t late;   /**< arguments that lead to memory which was not mapped when it began, one bit for each */
	uint64_t call;
	uint64_t arguments[STRACE_ARGUMENTS];
};

enum strace_kind {
	STRACE_PAD,    /**< nothing: the rest of the ring is too small for a record */
	STRACE_ENTER,  /**< values: the arguments */
	STRACE_AGAIN,  /**< a call that does not return has read its arguments: copies that STRACE_ENTER lacked */
	STRACE_LEAVE,  /**< values[0]: the result */
	STRACE_SIGNAL, /**< values[0]: a signal that is delivered; a copy of its struct linux_siginfo */
	STRACE_END,    /**< values[0]: how a thread ends, as in wait(2) */
	/** Another thread takes over: values[0] is the enum sched_kind, values[1] the operation or system call, as in
	 * struct sched_record, values[2] the thread that runs next, values[3] the enum sched_cause if the thread waits
	 * (else ready), with a copy of the text that says for what. pid is 0 if the thread has ended. */
	STRACE_DECIDED,
	STRACE_NAMED, /**< values[0]: number of a thread, values[1]: its process; a copy of its name */
	STRACE_FAULT, /**< a page fault of the program: values[0]: address, values[1]: the processor's error code,
	                 values[2]: address of the instruction */
};

/** A record. Copies of memory follow: struct strace_piece, its bytes, and padding to a multiple of 8. */
struct strace_record {
	uint32_t bytes; /**< of all, a multiple of 8 */
	uint16_t kind;  /**< enum strace_kind */
	uint16_t call;
	uint32_t thread; /**< number in schedules and reports */
	uint32_t tid;    /**< number that programs see */
	uint32_t pid;
	uint32_t reserved;
	uint64_t now_ns;   /**< virtual time since the start */
	uint64_t decision; /**< decisions so far */
	uint64_t console;  /**< bytes of the console ring so far: where the record is in the program's output */
	uint64_t values[STRACE_ARGUMENTS];
};

/** A copy of memory of the program. */
struct strace_piece {
	uint64_t address; /**< virtual */
	uint64_t bytes;
};

_Static_assert(sizeof(struct strace_record) == 96, "strace_record");
_Static_assert(sizeof(struct strace_piece) == 16, "strace_piece");

#endif
#endif
