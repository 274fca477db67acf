/* SPDX-License-Identifier: MIT */
/* An engine runs a guest, that is, ring-3 code. The monitor uses only these operations. */
#ifndef HYPERVISOR_ENGINE_H
#define HYPERVISOR_ENGINE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "abi/cpu_model.h"
#include "abi/image.h"
#include "base/error.h"
#include "guest/host_memory.h"

/** One guest in an engine. */
struct engine;

/** General registers in the DWARF order of x86-64 (rax rdx rcx rbx rsi rdi rbp rsp r8..r15 rip). */
struct engine_registers {
	uint64_t general[17];
	uint64_t rflags;
	/**
	 * Not 0 when read: an exception is pending in the guest, and set_registers may drop it.
	 */
	uint64_t pending;
};

#define ENGINE_RSP 7
#define ENGINE_RIP 16

/** Why engine_ops.run returned. */
enum engine_stop {
	ENGINE_DOORBELL,    /**< the guest wrote an operation to the doorbell port */
	ENGINE_INTERRUPTED, /**< engine_ops.interrupt was called */
	ENGINE_BROKEN,      /**< the guest did something forbidden, named by `message` */
};

struct engine_exit {
	enum engine_stop stop;
	uint32_t doorbell_op;
	char message[160];
};

/** The guest's only processor, and what its CPUID reports. */
struct engine_cpu {
	enum cpu_model model;
	uint32_t processors; /**< number of processors that CPUID reports, 1 to CPU_PROCESSORS_MAX */
};

#define ENGINE_FDS_MAX 48
#define ENGINE_RUNS_MAX 6 /**< most runs of one monitor: those of --verify (verify.c) */

/**
 * Descriptors, process groups and system calls that the engine still needs after the monitor is confined (confine.h).
 */
struct engine_holds {
	unsigned needs; /**< enum confine_need bits: the system calls that the engine makes */
	int fds[ENGINE_FDS_MAX];
	unsigned fd_count;
	pid_t groups[ENGINE_RUNS_MAX]; /**< process groups that the engine signals */
	unsigned group_count;
	int sockets[ENGINE_RUNS_MAX]; /**< by which the engine sends files to the guest's processes */
	unsigned socket_count;
};

struct engine_ops {
	const char *name;
	/**
	 * Checks whether this host lets the caller use it. Returns 0, or a negative errno with one line for the user in
	 * *why.
	 */
	int (*probe)(struct error *why);
	/**
	 * Called before the first guest is made, with the number of guests that follow one another, 1 to
	 * ENGINE_RUNS_MAX.
	 */
	void (*open)(unsigned runs);
	/** Releases resources kept for further guests. Must not be called while a guest exists. */
	void (*close)(void);
	/**
	 * Reports the resources that the engine still needs. Called after the first guest was started. The answer also
	 * covers later guests, which reserve memory of the same sizes.
	 */
	void (*holds)(const struct engine *engine, struct engine_holds *holds);
	/**
	 * Makes a guest without memory, whose processor is ready to start in ring 3 on the tables of abi/tables.h.
	 * Returns 0, or a negative errno with one line for the user in *error.
	 */
	int (*create)(struct engine **engine, const struct image_header *image, const struct engine_cpu *cpu,
	              struct error *error);
	/**
	 * Returns the guest address of a routine that loads a segment base (abi/base.h); 0: not needed on this host.
	 */
	uint64_t (*set_base)(void);
	/** The guest address of the routine that the kernel calls after it has changed page tables (abi/translation.h);
	 * 0: none. */
	uint64_t translation;
	/** Reserves memory that this engine can map for any guest. host_memory_release frees it. */
	host_memory_reserve *reserve;
	/**
	 * Shows memory to the guest at a guest-physical address, from `offset` in the memory, a multiple of PAGE_SIZE.
	 * The first part of each file must be shown before `start`; more of it may be shown later, also while the guest
	 * runs. Files at LAYOUT_CONTENTS or behind are shown after `start`, read-only and in the order of addresses;
	 * only of one whose owner keeps it open (host_memory.is_used) more is shown later. Returns 0 or a negative
	 * errno.
	 */
	int (*map)(struct engine *engine, uint64_t address, const struct host_memory *memory, uint64_t offset,
	           uint64_t bytes, bool writable);
	/**
	 * Expects that the guest reads all of a range of a file at LAYOUT_CONTENTS or behind, and spends some time and
	 * memory so that this costs less. `file`, which the caller may close afterwards, has the range from `offset`
	 * on. NULL: the engine has no use for that.
	 */
	void (*fill)(struct engine *engine, uint64_t address, uint64_t bytes, int file, uint64_t offset);
	/**
	 * Creates all host resources that the guest needs to run. After the first guest's `start` the monitor gives up
	 * every right that is not in engine_holds. Called once for each guest, after the registers are set and before
	 * `run`. Returns 0, or a negative errno with one line for the user in *error.
	 */
	int (*start)(struct engine *engine, struct error *error);
	/** Sets or reads the registers; reading is allowed after `run` has returned. Returns 0 or a negative errno. */
	int (*set_registers)(struct engine *engine, const struct engine_registers *registers);
	int (*get_registers)(struct engine *engine, struct engine_registers *registers);
	/** Runs the guest until one of enum engine_stop occurs. */
	void (*run)(struct engine *engine, struct engine_exit *exit);
	/** Makes `run` return soon. Other threads and signal handlers may call it, any number of times. */
	void (*interrupt)(struct engine *engine);
	/**
	 * Called when the guest will not run again and only its memory is still read: begins to free what takes time.
	 * NULL: nothing does.
	 */
	void (*leave)(struct engine *engine);
	/** Frees the guest; accepts NULL. */
	void (*destroy)(struct engine *engine);
};

extern const struct engine_ops engine_kvm, engine_process;

#endif
