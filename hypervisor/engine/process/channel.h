/* SPDX-License-Identifier: MIT */
/* What the monitor and the stub share. The stub is the guest's processor: code of ours in the process that runs the
 * guest.
 *
 * The plan is the monitor's word, and the stub can only read it. The channel is the stub's word, and so the guest's,
 * who can write to all memory of its process: the monitor believes none of it. */
#ifndef ENGINE_PROCESS_CHANNEL_H
#define ENGINE_PROCESS_CHANNEL_H

#include <stdint.h>

#include "abi/image.h"
#include "abi/layout.h"

/* Where things are in the guest's processes, from LAYOUT_ENGINE on. The monitor maps these five, which each process
 * inherits; it has the plan and the channel where it likes besides. */
#define STUB_TEXT LAYOUT_ENGINE /* code and constants, the same in every process */
#define STUB_TEXT_BYTES 0x10000UL
#define STUB_SET_BASE (STUB_TEXT + 16)          /* boot_info.set_base, on hosts without FSGSBASE */
#define STUB_PLAN (LAYOUT_ENGINE + 0x1000000UL) /* struct plan, read-only, shared */
#define STUB_PLAN_BYTES 0x1000UL
#define STUB_CHANNEL (LAYOUT_ENGINE + 0x2000000UL) /* struct channel, shared */
#define STUB_CHANNEL_BYTES 0x6000UL
#define STUB_STACK (LAYOUT_ENGINE + 0x3000000UL) /* where signals are handled; a process's own */
#define STUB_STACK_BYTES 0x40000UL
#define STUB_DATA (LAYOUT_ENGINE + 0x4000000UL) /* struct stub_data; a process's own */
#define STUB_DATA_BYTES 0x8000000UL

/* The end of what a Linux process can map; a call that names more fails as a whole. */
#define STUB_USER_END 0x7ffffffff000UL

/* Guest-physical memory that is a file's. */
struct plan_region {
	uint64_t address, bytes, offset;
	int32_t file;
	uint32_t writable;
};

#define PLAN_REGIONS 40

/* Words of a set of the host's processors, as sched_setaffinity(2) takes it: 1024 bits, the C library's cpu_set_t. */
#define PLAN_PROCESSOR_WORDS 16

/* Processes at most that a guest has, one for each root of page tables. */
#define PLAN_PROCESSES 32

struct plan {
	struct image_header image;
	uint64_t ram_bytes;
	int32_t ram_file;
	uint32_t run;       /* futex: which zygote makes the guest's processes, the first, the second ... */
	uint32_t processes; /* at most, 1 to PLAN_PROCESSES */
	uint32_t region_count;
	uint32_t file_count;
	int32_t files[PLAN_REGIONS];         /* all that regions may name */
	uint8_t file_writable[PLAN_REGIONS]; /* whether a region of it can be written */
	/* On which of the host's processors the guest's processes are to run, and how often that has been changed. A
	 * process that gets the turn sees to it (processors.h). 0: wherever the host puts them. */
	uint32_t placement;
	uint32_t sets_bases; /* by STUB_SET_BASE: nothing else changes them, and RDFSBASE is not to be had */
	uint64_t processors[PLAN_PROCESSOR_WORDS];
	struct plan_region regions[PLAN_REGIONS];
};

_Static_assert(sizeof(struct plan) <= STUB_PLAN_BYTES, "the plan fits its page");

/* What the monitor leaves at STUB_DATA, where else all is zero. */
struct stub_head {
	uint64_t fs, gs; /* the bases, as STUB_SET_BASE has set them */
	uint32_t run;    /* whose zygote this is, of plan.run */
	int32_t parent;  /* of all processes: the monitor; no guest finds it there */
};

/* Why the guest stopped. */
enum channel_stop {
	CHANNEL_DOORBELL = 1, /* it wrote `op` to the doorbell */
	CHANNEL_INTERRUPTED,
	CHANNEL_BROKEN, /* `message` says what it did */
};

/* A process for a root of page tables. */
struct channel_space {
	uint64_t root; /* guest-physical */
	uint64_t used; /* when last, by channel.clock */
	uint32_t turn; /* futex: counts its turns */
	uint32_t padding;
};

#define CHANNEL_VECTORS_BYTES 12288
#define CHANNEL_SEEN 64

struct channel {
	/* Futexes, each alone on its cache line: the monitor lets the guest go on, the guest gives the turn back. */
	uint32_t go __attribute__((aligned(64)));
	uint32_t stopped __attribute__((aligned(64)));
	uint32_t reason __attribute__((aligned(64))); /* enum channel_stop */
	uint32_t op;
	uint32_t interrupt; /* the monitor wants the guest to stop */
	uint32_t changed;   /* the monitor has set the registers */
	uint64_t registers[17];
	uint64_t rflags;
	char message[160];

	/* Between the guest's processes. */
	uint32_t birth; /* futex: the zygote makes one more process for each count */
	uint32_t space_count;
	uint32_t asker;   /* index in spaces of the one that waits for a birth */
	uint32_t refused; /* the host allows no more processes */
	uint64_t clock;
	uint64_t seen[CHANNEL_SEEN]; /* roots that have been loaded */
	uint32_t seen_next;
	struct channel_space spaces[PLAN_PROCESSES];
	/* The processor's state on its way to another process: what a signal frame holds, and the bases. */
	uint64_t general[23], fs, gs, vectors_bytes;
	uint8_t vectors[CHANNEL_VECTORS_BYTES] __attribute__((aligned(64)));
};

_Static_assert(sizeof(struct channel) <= STUB_CHANNEL_BYTES, "the channel fits its pages");

#endif
