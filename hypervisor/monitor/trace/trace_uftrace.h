/* SPDX-License-Identifier: MIT */
/* The files of uftrace (github.com/namhyung/uftrace): `uftrace replay -d DIR` and its other commands read them. uftrace
 * shows functions only, so kernel calls are written as functions of a program named kernel-calls, which does not exist.
 */
#ifndef HYPERVISOR_TRACE_UFTRACE_H
#define HYPERVISOR_TRACE_UFTRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UFTRACE_RECORDS 256 /* of a thread that are written at once */

/** A function begins or ends. */
struct uftrace_record {
	uint64_t ns;
	uint64_t what; /**< kind, depth and address */
};

/** A thread, with the records that were not written yet. */
struct uftrace_thread {
	uint32_t number, pid;
	unsigned count;
	struct uftrace_record *records; /**< NULL: none */
};

struct trace_uftrace {
	int dir;
	struct uftrace_thread *threads; /**< all that were seen, by number */
	size_t count, room;
	int error; /**< of the first write that failed: a positive errno; nothing is written after it */
};

/** Writes the files that do not depend on the program. */
void trace_uftrace_begin(struct trace_uftrace *uftrace, int dir);

/** A kernel call of a thread begins or ends. */
void trace_uftrace_call(struct trace_uftrace *uftrace, uint32_t pid, uint32_t thread, uint64_t ns, unsigned call,
                        bool ends);

/** A thread ends: writes what is left of it. */
void trace_uftrace_thread_end(struct trace_uftrace *uftrace, uint32_t thread);

/** Writes what is left of all. */
void trace_uftrace_end(struct trace_uftrace *uftrace);

#endif
