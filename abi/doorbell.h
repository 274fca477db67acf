/* SPDX-License-Identifier: MIT */
/* The guest's only request channel: it fills the doorbell page and writes the operation to a port.
 *
 * An exit costs a microsecond on most hosts and 26 on kvm-pvm, so no operation here is on a hot path. */
#ifndef ABI_DOORBELL_H
#define ABI_DOORBELL_H

#include <stdint.h>

#define DOORBELL_PORT 0x500

/** Operations. The monitor reads args[], and answers in result: 0 or more, or a negative errno. */
enum doorbell_op {
	DOORBELL_EXIT = 1,     /**< the run ends; args: enum end_reason, status or signal */
	DOORBELL_CONSOLE_FULL, /**< drain the console ring; returns when it has room */
	DOORBELL_STDIN_READ,   /**< args: destination (guest-physical), bytes; returns the count, 0 at the end */
	DOORBELL_FAULT,        /**< args: guest-physical address of a struct fault_report; before DOORBELL_EXIT */
	DOORBELL_OUT_ENTRY,    /**< args: guest-physical address of a struct out_entry; one object of /out */
	DOORBELL_OUT_DATA,     /**< args: guest-physical address of struct out_piece[], their number: what comes next */
	DOORBELL_SCHEDULE,     /**< the window of schedule records is full (record) or used up (replay); abi/sched.h */
	DOORBELL_THREAD,       /**< args: guest-physical address of a struct thread_report; before DOORBELL_EXIT */
	DOORBELL_ACCOUNTS,     /**< the accounts are closed, which the monitor wanted (abi/image.h) */
	DOORBELL_CODE,         /**< args: guest-physical address of a struct code_request; answers how many patches */
	DOORBELL_HOST_FILE,    /**< args: guest-physical address of a struct host_file_request; abi/host_file.h */
	DOORBELL_MEMORY,       /**< args: how much RAM, from 0 on, is to be used; answers how much there is now */
	DOORBELL_STEP,   /**< args: the kernel's address of the registers (struct view_frame of abi/linux_view.h) after
	                  * a step that the monitor has begun; answers enum step_answer */
	DOORBELL_CHANGE, /**< args: guest-physical address of a struct change (abi/changes.h); after DOORBELL_EXIT */
	DOORBELL_CHANGE_DATA, /**< args: as of DOORBELL_OUT_DATA; contents of the object of the last change */
};

/** What a program is to do after a step (DOORBELL_STEP). */
enum step_answer {
	STEP_OFF,   /**< to go on without stepping */
	STEP_ON,    /**< another step */
	STEP_SPINS, /**< to make way: it is in a loop that nothing in it ends. In the answer, above STEP_LENGTH_SHIFT,
	             * its steps */
	STEP_STAYS, /**< the same, and it has done nothing since it went on there */
};

/** Added to the last two: memory is another one on the way round, and others may see it. */
#define STEP_CHANGES 0x80
#define STEP_LENGTH_SHIFT 8

/** The page at LAYOUT_DOORBELL. */
struct doorbell {
	uint64_t args[6];
	int64_t result;
	uint64_t stepping; /**< not 0: the monitor has set the trap flag, and the next debug exception is its own */
};

/** How a run ended, as the guest tells it. */
enum end_reason {
	END_EXIT = 1, /**< the program's exit status */
	END_SIGNAL,   /**< the program died of a signal */
	END_DEADLOCK, /**< no thread can ever run again */
	END_PANIC,    /**< the kernel found itself in error */
	END_REFUSED,  /**< the kernel cannot start with what it was given */
	END_STOPPED,  /**< a kernel call that boot_info.events asks for was reached */
	END_SCHEDULE, /**< the schedule does not fit the program; args[1]: the number of the record, from 0 */
	END_REPLAYED, /**< the schedule's last record is a stop, and the replay has come to it */
};

/** Registers and reason of a fault that the program did not handle. */
struct fault_report {
	uint32_t signal; /**< what Linux would have sent; 0 for a kernel panic */
	uint32_t vector; /**< processor exception, 0xff when there is none */
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
	uint32_t kind; /**< S_IFREG, S_IFDIR, S_IFLNK, or another of S_IFMT, which has no contents and is only summed */
	uint32_t mode; /**< permission bits */
	uint64_t bytes;  /**< size of the file, or of the link's target that follows by DOORBELL_OUT_DATA */
	char path[4088]; /**< relative to /out, no leading slash, ended by NUL */
};

/** At most so many in one request. */
#define OUT_PIECES_MAX 256

/** The address of zeros that need no memory: a hole, which stays one in the host's file. */
#define OUT_HOLE UINT64_MAX

/** A part of the contents of the object announced last; they come in order. */
struct out_piece {
	uint64_t address; /**< guest-physical, or OUT_HOLE in a file */
	uint64_t bytes;
};

_Static_assert(sizeof(struct out_piece) == 16, "out_piece");
_Static_assert(sizeof(struct doorbell) == 64, "doorbell");
_Static_assert(sizeof(struct out_entry) == 4104, "out_entry");

#endif
