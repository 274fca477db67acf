/* SPDX-License-Identifier: MIT */
/* Memory that the monitor and the stub share. The stub is our code in the process that runs the guest; it acts as the
 * guest's processor.
 *
 * The monitor writes the plan, and the stub can only read it. The stub writes the channel. The guest can write to all
 * memory of its process, also to the channel, so the monitor trusts nothing in it. */
#ifndef ENGINE_PROCESS_CHANNEL_H
#define ENGINE_PROCESS_CHANNEL_H

#include <stdint.h>

#include "abi/host_file.h"
#include "abi/image.h"
#include "abi/layout.h"

/* Addresses in the guest's processes, from LAYOUT_ENGINE on. The monitor maps these five areas, which each process
 * inherits. It also maps the plan and the channel at other addresses for itself. */
#define STUB_TEXT LAYOUT_ENGINE /* code and constants, the same in every process */
#define STUB_TEXT_BYTES 0x10000UL
#define STUB_SET_BASE (STUB_TEXT + 16)          /* boot_info.set_base, on hosts without FSGSBASE */
#define STUB_TRANSLATION (STUB_TEXT + 128)      /* boot_info.translation */
#define STUB_PLAN (LAYOUT_ENGINE + 0x1000000UL) /* struct plan, read-only, shared */
#define STUB_PLAN_BYTES 0x8000UL
#define STUB_CHANNEL (LAYOUT_ENGINE + 0x2000000UL) /* struct channel, shared */
#define STUB_CHANNEL_BYTES 0x6000UL
#define STUB_STACK (LAYOUT_ENGINE + 0x3000000UL) /* signal stack; private to a process */
#define STUB_STACK_BYTES 0x40000UL
#define STUB_DATA (LAYOUT_ENGINE + 0x4000000UL) /* struct stub_data; private to a process */
#define STUB_DATA_BYTES 0x8000000UL

/* Most blocks of 2 MiB in which a process maps guest memory; then it unmaps all of them and begins again. */
#define STUB_BLOCKS 16384

/* The end of the address space that a Linux process can map; a call with a range beyond it fails completely. */
#define STUB_USER_END 0x7ffffffff000UL

/* Guest-physical memory that maps a file. */
struct plan_region {
	uint64_t address, bytes, offset;
	int32_t file;
	uint32_t writable;
};

#define PLAN_REGIONS 40

/* The content of a host file, in guest-physical memory from LAYOUT_CONTENTS on. `file` is the number of its file, in
 * the order in which files come. */
struct plan_content {
	uint64_t address, offset;
	uint32_t bytes, file;
};

#define PLAN_CONTENTS HOST_FILE_SHOWN_FILES

/* Words in a set of host processors for sched_setaffinity(2): 1024 bits, as in the C library's cpu_set_t. */
#define PLAN_PROCESSOR_WORDS 16

/* Most processes of a guest; it has one for each root of page tables. */
#define PLAN_PROCESSES 32

struct plan {
	struct image_header image;
	uint64_t ram_bytes;
	int32_t ram_file;
	uint32_t run;       /* futex: number of the zygote that makes the guest's processes */
	uint32_t processes; /* most processes, 1 to PLAN_PROCESSES */
	uint32_t region_count;
	uint32_t file_count;
	int32_t files[PLAN_REGIONS];         /* all files that regions may name */
	uint8_t file_writable[PLAN_REGIONS]; /* whether a region of the file is writable */
	/* `processors` are the host processors for the guest's processes; `placement` counts changes of them. A process
	 * that gets the turn applies them (processors.h). 0: the host places the processes. */
	uint32_t placement;
	uint32_t sets_bases; /* guests set bases only by STUB_SET_BASE; RDFSBASE is not available */
	/* All files whose regions are not writable are open for reading only, so that mprotect(2), too, makes no
	 * mapping of them writable. */
	uint32_t others_are_read_only;
	uint64_t processors[PLAN_PROCESSOR_WORDS];
	struct plan_region regions[PLAN_REGIONS];
	/* In the order of their addresses. Their files come from stub_head.contents. */
	uint32_t content_count, content_files;
	struct plan_content contents[PLAN_CONTENTS];
};

_Static_assert(sizeof(struct plan) <= STUB_PLAN_BYTES, "the plan fits its page");

/* Data that the monitor leaves at STUB_DATA, which is otherwise zero. */
struct stub_head {
	uint64_t fs, gs;  /* the bases that STUB_SET_BASE has set */
	uint32_t run;     /* number of this zygote, compared with plan.run */
	int32_t parent;   /* parent of all processes: the monitor; no guest finds it there */
	int32_t contents; /* a socket: brings the files of plan.contents (SCM_RIGHTS) */
};

/* Why the guest stopped. */
enum channel_stop {
	CHANNEL_DOORBELL = 1, /* the guest wrote `op` to the doorbell */
	CHANNEL_INTERRUPTED,
	CHANNEL_BROKEN, /* `message` says what the guest did */
};

/* A process for a root of page tables. */
struct channel_space {
	uint64_t root; /* guest-physical */
	uint64_t used; /* time of its last turn, by channel.clock */
	uint32_t turn; /* futex: counts its turns */
	uint32_t padding;
};

#define CHANNEL_VECTORS_BYTES 12288
#define CHANNEL_SEEN 64

struct channel {
	/* Futexes, each on a cache line of its own: the monitor gives the guest the turn with `go`; the guest returns
	 * it with `stopped`. */
	uint32_t go __attribute__((aligned(64)));
	uint32_t stopped __attribute__((aligned(64)));
	uint32_t reason __attribute__((aligned(64))); /* enum channel_stop */
	uint32_t op;
	uint32_t interrupt; /* the monitor wants the guest to stop */
	uint32_t changed;   /* the monitor has set the registers */
	uint64_t registers[17];
	uint64_t rflags;
	char message[160];

	/* Shared by the guest's processes. */
	uint32_t birth; /* futex: the zygote makes one more process for each count */
	uint32_t space_count;
	uint32_t asker;   /* index in spaces of the process that waits for a birth */
	uint32_t refused; /* the host allows no more processes */
	uint64_t clock;
	uint64_t seen[CHANNEL_SEEN]; /* roots that were loaded */
	uint32_t seen_next;
	struct channel_space spaces[PLAN_PROCESSES];
	/* The descriptors of files of contents that came so far. All processes have one table of descriptors. */
	uint32_t contents_taken;
	int32_t content_files[PLAN_CONTENTS];
	/* The processor state in transit to another process: the contents of a signal frame, and the segment registers
	 * that no signal frame has. */
	uint64_t general[23], fs, gs, vectors_bytes;
	uint16_t selectors[4]; /* of DS, ES, FS, GS */
	uint8_t vectors[CHANNEL_VECTORS_BYTES] __attribute__((aligned(64)));
};

_Static_assert(sizeof(struct channel) <= STUB_CHANNEL_BYTES, "the channel fits its pages");

#endif
