/* SPDX-License-Identifier: MIT */
/* The guest's only request channel: the guest fills the doorbell page and writes the operation to a port.
 *
 * An exit costs 1 us on most hosts and 26 us on kvm-pvm, so no operation here is on a hot path. */
#ifndef ABI_DOORBELL_H
#define ABI_DOORBELL_H

#include <stdint.h>

#define DOORBELL_PORT 0x500

/** Operations. The monitor reads args[] and puts its answer into result: 0 or more, or a negative errno. */
enum doorbell_op {
	DOORBELL_EXIT = 1,     /**< the run ends; args: enum end_reason, status or signal */
	DOORBELL_CONSOLE_FULL, /**< drain the console ring; returns when it has room */
	DOORBELL_STDIN_READ, /**< args: destination (guest-physical), bytes; returns the count, 0 at the end of input */
	DOORBELL_FAULT,      /**< args: guest-physical address of a struct fault_report; before DOORBELL_EXIT */
	DOORBELL_OUT_ENTRY,  /**< args: guest-physical address of a struct out_entry; one object of /out */
	DOORBELL_OUT_DATA,   /**< args: guest-physical address of struct out_piece[], their number; the object's next
	                        contents */
	DOORBELL_SCHEDULE,   /**< the window of schedule records is full (record) or used up (replay); abi/sched.h */
	DOORBELL_THREAD,     /**< args: guest-physical address of a struct thread_report; before DOORBELL_EXIT */
	DOORBELL_ACCOUNTS,   /**< the accounts are closed, as the monitor requested (abi/image.h) */
	DOORBELL_CODE,      /**< args: guest-physical address of a struct code_request; answers the number of patches */
	DOORBELL_HOST_FILE, /**< args: guest-physical address of a struct host_file_request; abi/host_file.h */
	DOORBELL_MEMORY, /**< args: bytes of RAM, from 0 on, that the guest wants to use; answers the bytes present now
	                  */
	DOORBELL_STEP,   /**< args: kernel address of the registers (struct view_frame of abi/linux_view.h) after a step
	                    that the monitor started; answers enum step_answer */
	DOORBELL_CHANGE, /**< args: guest-physical address of a struct change (abi/changes.h); after DOORBELL_EXIT */
	DOORBELL_CHANGE_DATA, /**< args as for DOORBELL_OUT_DATA; contents of the last change's object */
	DOORBELL_TYPED, /**< args: destination (guest-physical) of TYPED_BYTES, nanoseconds to wait at most (-1: for
	                   ever); returns the bytes of the next key, 0 when the terminal has gone, -EAGAIN if no key
	                   came in time */
};

/** How a program continues after a step (DOORBELL_STEP). */
enum step_answer {
	STEP_OFF,   /**< continue without stepping */
	STEP_ON,    /**< make another step */
	STEP_SPINS, /**< let the thread give way: it is in a loop that does not end by itself. The bits from
	               STEP_LENGTH_SHIFT on have the number of steps in the loop */
	STEP_STAYS, /**< as STEP_SPINS, and the loop has made no progress since the thread last continued in it */
};

/** Added to STEP_SPINS or STEP_STAYS: an iteration changes memory that other threads may see. */
#define STEP_CHANGES 0x80
#define STEP_LENGTH_SHIFT 8

#define TYPED_BYTES 64

/** The page at LAYOUT_DOORBELL. */
struct doorbell {
	uint64_t args[5];
	uint64_t interrupt; /**< not 0: a key that makes a signal waits for DOORBELL_TYPED */
	int64_t result;
	uint64_t stepping; /**< not 0: the monitor has set the trap flag, and the next debug exception belongs to it */
};

/** How a run ended, as the guest reports it. */
enum end_reason {
	END_EXIT = 1, /**< the program's exit status */
	END_SIGNAL,   /**< the program died of a signal */
	END_DEADLOCK, /**< no thread can ever run again */
	END_PANIC,    /**< the kernel detected an error of its own */
	END_REFUSED,  /**< the kernel cannot start with its boot information */
	END_STOPPED,  /**< the run reached the kernel call that boot_info.events.stop names */
	END_SCHEDULE, /**< the schedule does not fit the program; args[1]: the number of the record, from 0 */
	END_REPLAYED, /**< the replay reached the schedule's last record, which is a stop */
};

/** Registers and reason of a fault that the program did not handle. */
struct fault_report {
	uint32_t signal; /**< the signal that Linux would send; 0 for a kernel panic */
	uint32_t vector; /**< processor exception; 0xff: none */
	uint64_t error_code;
	uint64_t address; /**< CR2 of a page fault */
	/** In the DWARF order of x86-64: rax rdx rcx rbx rsi rdi rbp rsp r8..r15 rip. */
	uint64_t registers[17];
	uint64_t rflags;
	uint32_t in_kernel;
	uint32_t thread;
	char message[176]; /**< what happened, one line, ended by NUL */
};

/** One object below /out. */
struct out_entry {
	uint32_t kind;   /**< S_IFREG, S_IFDIR, S_IFLNK, or another of S_IFMT, which has no contents and only enters the
	                    digest */
	uint32_t mode;   /**< permission bits */
	uint64_t bytes;  /**< size of the file, or of the link's target, which follows by DOORBELL_OUT_DATA */
	char path[4088]; /**< relative to /out, no leading slash, ended by NUL */
};

/** Maximum number of struct out_piece in one request. */
#define OUT_PIECES_MAX 256

/** Address of zeros without memory: a hole, which is also a hole in the host's file. */
#define OUT_HOLE UINT64_MAX

/** A part of the contents of the object announced last. The parts come in order. */
struct out_piece {
	uint64_t address; /**< guest-physical, or OUT_HOLE in a file */
	uint64_t bytes;
};

_Static_assert(sizeof(struct out_piece) == 16, "out_piece");
_Static_assert(sizeof(struct doorbell) == 64, "doorbell");
_Static_assert(sizeof(struct out_entry) == 4104, "out_entry");

#endif
