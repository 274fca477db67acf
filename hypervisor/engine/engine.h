/* SPDX-License-Identifier: MIT */
/* An engine carries a guest: something that can run ring-3 code. The monitor sees only these operations. */
#ifndef HYPERVISOR_ENGINE_H
#define HYPERVISOR_ENGINE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "abi/cpu_model.h"
#include "abi/image.h"
#include "guest/host_memory.h"

/** One guest in an engine. */
struct engine;

/** General registers in the DWARF order of x86-64 (rax rdx rcx rbx rsi rdi rbp rsp r8..r15 rip). */
struct engine_registers {
	uint64_t general[17];
	uint64_t rflags;
	/** Read, not 0: the guest is to take an exception before it goes on, and set_registers may make it lose that.
	 */
	uint64_t pending;
};

#define ENGINE_RSP 7
#define ENGINE_RIP 16

/** Why engine_ops.run came back. */
enum engine_stop {
	ENGINE_DOORBELL,    /**< the guest wrote an operation to the doorbell port */
	ENGINE_INTERRUPTED, /**< engine_ops.interrupt was called */
	ENGINE_BROKEN,      /**< the guest did what it must not; `message` says what */
};

struct engine_exit {
	enum engine_stop stop;
	uint32_t doorbell_op;
	char message[160];
};

/** The guest's one processor, and what its CPUID tells. */
struct engine_cpu {
	enum cpu_model model;
	uint32_t processors; /**< how many it says that there are, 1 to CPU_PROCESSORS_MAX */
};

#define ENGINE_FDS_MAX 48
#define ENGINE_RUNS_MAX 6 /**< runs that one monitor makes at most: those of --verify (verify.c) */

/** Descriptors, process groups and system calls that the engine still needs after the monitor is confined (confine.h).
 */
struct engine_holds {
	unsigned needs; /**< of enum confine_need: the system calls that they make */
	int fds[ENGINE_FDS_MAX];
	unsigned fd_count;
	pid_t groups[ENGINE_RUNS_MAX]; /**< process groups that they signal */
	unsigned group_count;
};

struct engine_ops {
	const char *name;
	/** Whether this host lets the caller use it: 0, or a negative errno with one line for the user in why[]. */
	int (*probe)(char why[256]);
	/** Told before the first guest is made how many there will be, one after another, 1 to ENGINE_RUNS_MAX. */
	void (*open)(unsigned runs);
	/** Releases what is kept for further guests. Must not be called while there is a guest. */
	void (*close)(void);
	/**
	 * Called after the first guest was started. The answer covers later guests, too, which reserve memory of the
	 * same sizes.
	 */
	void (*holds)(const struct engine *engine, struct engine_holds *holds);
	/**
	 * Makes a guest without memory, whose processor is ready to start in ring 3 on the tables of abi/tables.h. On
	 * failure returns a negative errno with one line for the user in error[].
	 */
	int (*create)(struct engine **engine, const struct image_header *image, const struct engine_cpu *cpu,
	              char error[256]);
	/** Where guests find a routine that loads a segment's base (abi/base.h); 0: they need none on this host. */
	uint64_t (*set_base)(void);
	/** Reserves memory that this engine can map; for any guest, and for host_memory_release to free. */
	host_memory_reserve *reserve;
	/**
	 * Shows memory to the guest at a guest-physical address, from `offset` in it on, which is a multiple of
	 * PAGE_SIZE. A file is shown to the guest first before `start`; more of it may be shown later, also while the
	 * guest runs. 0 or a negative errno.
	 */
	int (*map)(struct engine *engine, uint64_t address, const struct host_memory *memory, uint64_t offset,
	           uint64_t bytes, bool writable);
	/**
	 * Makes all that the guest needs of the host to run: after the first one's the monitor gives up every right
	 * that is not in engine_holds. Called once, before `run`, when the registers are set. 0, or a negative errno
	 * with one line for the user in error[].
	 */
	int (*start)(struct engine *engine, char error[256]);
	/** Sets or reads the registers; reading is allowed after run returned. 0 or a negative errno. */
	int (*set_registers)(struct engine *engine, const struct engine_registers *registers);
	int (*get_registers)(struct engine *engine, struct engine_registers *registers);
	/** Runs until something happens. */
	void (*run)(struct engine *engine, struct engine_exit *exit);
	/** Makes run return soon; callable from other threads and from signal handlers, any number of times. */
	void (*interrupt)(struct engine *engine);
	/** Takes NULL. */
	void (*destroy)(struct engine *engine);
};

extern const struct engine_ops engine_kvm, engine_process;

#endif
