/* SPDX-License-Identifier: MIT */
/* The guest's only request channel: the guest fills the doorbell page and writes the operation to a port.
 *
 * An exit costs 1 us on most hosts and 26 us on kvm-pvm, so no operation here is on a hot path. */
#ifndef ABI_DOORBELL_H
#define ABI_DOORBELL_H

#include <stdint.h>

#define DOORBELL_PORT 0x500

/**
 * What exits count under, in the order of the summary: X(name in JSON, "name in text"). An operation that counts under
 * `none` is left out of the summary and is no sign of progress.
 */
#define DOORBELL_COUNTER_LIST(X) \
	X(console, "console") \
	X(stdin, "stdin") \
	X(out, "out") \
	X(schedule, "schedule") \
	X(host_files, "host files") \
	X(network, "network") \
	X(end, "end") \
	X(other, "other")

/**
 * The operations: X(number, NAME, name, counter, waits, "arguments and answer").
 *
 * The monitor reads args[] and puts its answer into result: 0 or more, or a negative errno; 0 where the list names no
 * answer. Addresses are guest-physical. `waits` is 1 if the kernel waits outside a scheduling decision while it is
 * served, so a run that is stopped there can close its accounts (hypervisor/monitor/run/accounts.h).
 *
 * To add a host device: add its operations to DOORBELL_RUN_LIST with the next free number, and write run_serve_NAME()
 * for each in a file of its own in hypervisor/monitor/run/ (docs/architecture.md, "A host device"). A number that
 * images use never changes.
 */
/* clang-format off */
/* Served while the program runs, by run_serve_name() of hypervisor/monitor/run/run_state.h. */
#define DOORBELL_RUN_LIST(X) \
	X(1, EXIT, exit, end, 0, "args: enum end_reason, status or signal; ends the run") \
	X(2, CONSOLE_FULL, console_full, console, 1, "drains the console ring; returns when it has room") \
	X(3, STDIN_READ, stdin_read, stdin, 1, "args: destination, bytes; answers the bytes read, 0 at the end of input") \
	X(4, FAULT, fault, end, 0, "args: address of a struct fault_report; before DOORBELL_EXIT") \
	X(5, OUT_ENTRY, out_entry, out, 1, "args: address of a struct out_entry; one object of /out") \
	X(6, OUT_DATA, out_data, out, 1, "args: address of struct out_piece[], their number; the object's next contents") \
	X(7, SCHEDULE, schedule, schedule, 0, "the window of schedule records is full or used up; abi/sched_record.h") \
	X(8, THREAD, thread, end, 0, "args: address of a struct thread_report; before DOORBELL_EXIT") \
	X(10, CODE, code, other, 0, "args: address of a struct code_request; answers the number of patches") \
	X(11, HOST_FILE, host_file, host_files, 0, "args: address of a struct host_file_request; abi/host_file.h") \
	X(12, MEMORY, memory, other, 0, "args: bytes of RAM, from 0 on, that the guest wants; answers the bytes present now") \
	X(13, STEP, step, none, 0, "args: kernel address of a struct view_frame (abi/linux_view.h), the registers after a " \
		"step that the monitor started; answers enum step_answer") \
	X(16, TYPED, typed, stdin, 1, "args: destination of TYPED_BYTES, nanoseconds to wait at most (-1: for ever); " \
		"answers the bytes of the next key, 0 when the terminal has gone, -EAGAIN for none in time") \
	X(17, NETWORK_WAIT, network_wait, network, 1, "args: the look, nanoseconds to wait at most (-1: for ever); returns " \
		"when the ring has events") \
	X(18, NETWORK_TURN, network_turn, network, 0, "performs the requests in the ring; returns when it is empty") \
	X(19, TRIES, tries, other, 0, "takes the results of tries, and puts in the next requests (abi/tries.h)") \
	X(20, NOTES, notes, none, 0, "the notes of accesses are used up; abi/sched_note.h") \
	X(21, COPY, copy, other, 0, "args: address of struct content_copy[] (abi/host_file.h), their number; copies what " \
		"HOST_FILE_SHOW has shown to RAM") \
	X(22, RACE, race, none, 0, "args: address of a struct race_report (abi/race.h)") \
	X(24, STRACE, strace, none, 0, "the ring of noted kernel calls is full (abi/strace.h); returns when it has room") \
	X(25, DEBUG, debug, none, 0, "args: enum debug_event; the program has stopped, or the last request is performed; " \
		"answers enum debug_answer (abi/debug.h)")

/* Served only after the program has ended or was stopped, by run_changes.c, run_core.c and accounts.c of
 * hypervisor/monitor/run/. */
#define DOORBELL_END_LIST(X) \
	X(9, ACCOUNTS, accounts, none, 0, "the accounts are closed, as the monitor requested (abi/image.h)") \
	X(14, CHANGE, change, none, 0, "args: address of a struct change (abi/changes.h); after DOORBELL_EXIT") \
	X(15, CHANGE_DATA, change_data, none, 0, "args as for DOORBELL_OUT_DATA; contents of the last change's object") \
	X(23, CORE, core, none, 0, "args: address of struct out_piece[], their number, bytes of the whole core file, bytes " \
		"of it for which the guest had no memory; the file's next contents; abi/core.h")

#define DOORBELL_LIST(X) DOORBELL_RUN_LIST(X) DOORBELL_END_LIST(X)
/* clang-format on */

#define DOORBELL_NUMBER(number, NAME, ...) DOORBELL_##NAME = (number),
#define DOORBELL_COUNTER(name, text) DOORBELL_COUNTER_##name,
#define DOORBELL_ONE(...) +1
#define DOORBELL_BIT(number, ...) +(1UL << (number))

/** DOORBELL_EXIT etc. */
enum doorbell_op { DOORBELL_LIST(DOORBELL_NUMBER) };

/** One more than the highest number. */
enum { DOORBELL_OPS = 1 DOORBELL_LIST(DOORBELL_ONE) };

/** DOORBELL_COUNTER_console etc. The last one, DOORBELL_COUNTER_none, is also their number without it. */
enum doorbell_counter { DOORBELL_COUNTER_LIST(DOORBELL_COUNTER) DOORBELL_COUNTER_none };

#define DOORBELL_COUNTERS DOORBELL_COUNTER_none

_Static_assert((0 DOORBELL_LIST(DOORBELL_BIT)) == (1UL << DOORBELL_OPS) - 2,
               "the operations have the numbers from 1 on, each once");
_Static_assert(DOORBELL_EXIT == 1 && DOORBELL_CONSOLE_FULL == 2 && DOORBELL_STDIN_READ == 3 && DOORBELL_FAULT == 4 &&
                       DOORBELL_OUT_ENTRY == 5 && DOORBELL_OUT_DATA == 6 && DOORBELL_SCHEDULE == 7 &&
                       DOORBELL_THREAD == 8 && DOORBELL_ACCOUNTS == 9 && DOORBELL_CODE == 10 &&
                       DOORBELL_HOST_FILE == 11 && DOORBELL_MEMORY == 12 && DOORBELL_STEP == 13 &&
                       DOORBELL_CHANGE == 14 && DOORBELL_CHANGE_DATA == 15 && DOORBELL_TYPED == 16 &&
                       DOORBELL_NETWORK_WAIT == 17 && DOORBELL_NETWORK_TURN == 18 && DOORBELL_TRIES == 19 &&
                       DOORBELL_NOTES == 20 && DOORBELL_COPY == 21 && DOORBELL_RACE == 22 && DOORBELL_CORE == 23 &&
                       DOORBELL_STRACE == 24 && DOORBELL_DEBUG == 25,
               "images use these numbers: another number needs another IMAGE_ABI_VERSION");
#undef DOORBELL_NUMBER
#undef DOORBELL_COUNTER
#undef DOORBELL_ONE
#undef DOORBELL_BIT

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

/** Added to the status of END_EXIT: the program was not started, because the guest does not find it or cannot execute
 * it.
 */
#define END_NOT_STARTED 0x100

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

/** DOORBELL_THREAD's argument, by guest-physical address in args[0]: the state of one thread. The guest sends it for
 * each thread, lowest number first, when the run ends because no thread can run, or when the monitor asks why the run
 * ends. */
struct thread_report {
	uint32_t thread;
	uint32_t holder; /**< the thread that holds the awaited object; 0: none or unknown */
	char name[16];
	uint64_t object;        /**< address of the lock or condition it waits for; 0: none */
	uint64_t registers[17]; /**< as in struct fault_report */
	char waits_for[80];     /**< "mutex", "end of thread 3", "data in a pipe (read)"; ended by NUL */
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

_Static_assert(sizeof(struct fault_report) == 352, "fault_report");
_Static_assert(sizeof(struct thread_report) == 248, "thread_report");
_Static_assert(sizeof(struct out_piece) == 16, "out_piece");
_Static_assert(sizeof(struct doorbell) == 64, "doorbell");
_Static_assert(sizeof(struct out_entry) == 4104, "out_entry");

#endif
