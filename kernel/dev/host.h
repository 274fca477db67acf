/* SPDX-License-Identifier: MIT */
/* The host that started the guest, as an interface of the few operations that the kernel needs. */
#ifndef KERNEL_DEV_HOST_H
#define KERNEL_DEV_HOST_H

#include <stddef.h>
#include <stdint.h>

#include "abi/boot.h"
#include "abi/changes.h"
#include "abi/doorbell.h"

/** One implementation for each boot door. */
struct host_ops {
	/** Writes to stream 1 or 2; the memory may be the program's. Returns 0 or -EFAULT. */
	int (*console_write)(int stream, const void *from, size_t bytes);
	/** Reads standard input into up to `bytes` of kernel memory, and blocks for at least one byte. Returns 0 at the
	 * end. */
	int64_t (*console_fill)(void *to, size_t bytes);
	/** Waits up to wait_ns (UINT64_MAX: for ever) for a key typed on the terminal, of at most TYPED_BYTES. Returns
	 * its bytes, 0 when the terminal has gone, or -EAGAIN. NULL: nothing can be typed. */
	int64_t (*typed)(void *to, uint64_t wait_ns);
	/** Announces one object of /out, and passes its contents, at most OUT_PIECES_MAX pieces at a time. Return 0 or
	 * a negative errno. NULL: the host does not take /out. */
	int (*out_entry)(const struct out_entry *entry);
	int (*out_data)(const struct out_piece *pieces, size_t count);
	/** The window of schedule records is full, or used up (abi/sched_record.h). NULL: the host has no schedules. */
	void (*schedule)(void);
	/** Reports one thread before the end. NULL: the host takes no such reports. */
	void (*thread)(const struct thread_report *report);
	/** Ends the run; `report` may be NULL. Returns when the host wants the program's changes to files. */
	void (*end)(enum end_reason reason, int status, const struct fault_report *report);
	/** Reports one change (abi/changes.h), and passes its contents as out_data does. NULL where `end` never
	 * returns. */
	int (*change)(const struct change *change);
	int (*change_data)(const struct out_piece *pieces, size_t count);
	/** Passes the next contents of a core file of `total` bytes, of which `missing` could not be loaded. NULL: the
	 * host takes none. */
	int (*core)(const struct out_piece *pieces, size_t count, uint64_t total, uint64_t missing);
};

/** The chosen implementation, valid after host_init. */
extern const struct host_ops *host;

extern const struct host_ops host_monitor;
extern const struct host_ops host_multiboot;

/** Chooses the implementation by boot_info.door. */
void host_init(const struct boot_info *boot);

#endif
