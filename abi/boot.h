/* SPDX-License-Identifier: MIT */
/* The boot door's message to the kernel: every input of the run, and nothing else. The boot door is the monitor or the
 * multiboot stub. */
#ifndef ABI_BOOT_H
#define ABI_BOOT_H

#include <stddef.h>
#include <stdint.h>

#include "abi/base.h"
#include "abi/sched_settings.h"
#include "abi/translation.h"

#define BOOT_INFO_MAGIC 0x31656d6572650001UL /* "ereme1" and the version */

/** The boot door: it starts the guest and answers its doorbell. */
enum boot_door {
	BOOT_DOOR_MONITOR = 1,   /**< eremite: rings in shared memory, port doorbell */
	BOOT_DOOR_MULTIBOOT = 2, /**< a boot loader: serial port, isa-debug-exit */
};

#define BOOT_FLAG_STDIN_TTY 1U  /**< standard input is a terminal */
#define BOOT_FLAG_STDOUT_TTY 2U /**< standard output is a terminal */
#define BOOT_FLAG_STDERR_TTY 4U /**< standard error is a terminal */
#define BOOT_FLAG_SUMMARY 8U    /**< multiboot: print the number of events and their chain at the end */
#define BOOT_FLAG_ENOSYS \
	16U /**< an unknown system call of a Linux program fails with ENOSYS and does not end the run */
#define BOOT_FLAG_CPU_V3 32U /**< a Linux program's processor is v3 (abi/cpu_model.h) */
#define BOOT_FLAG_CPU_UPPER \
	64U /**< a Linux program's processor has the upper halves of the AVX registers: v3, or v2 on a host that \
	       cannot hide them */
#define BOOT_FLAG_CPU_WIDE \
	128U /**< a Linux program's processor has the AVX-512 registers: v4, or another model on a host that cannot \
	        hide them */
#define BOOT_FLAG_CPU_V4 256U /**< a Linux program's processor is v4 */
#define BOOT_FLAG_PROBE \
	512U /**< calls of LINUX_PROBED_LIST by a Linux program fail with ENOSYS (abi/linux_calls.h) \
	      */
#define BOOT_FLAG_HOST_TIMES 1024U /**< the host's files keep their times (--file-times=host) */
#define BOOT_FLAG_NETWORK 2048U    /**< there is a network outside, at LAYOUT_NETWORK (abi/network.h) */
#define BOOT_FLAG_ROUTE 4096U      /**< it can be reached: eth0 has a default route (--net host) */
#define BOOT_FLAG_NET_JUMP 8192U   /**< time does not wait for it (--net-time=jump) */
#define BOOT_FLAG_INPUT \
	16384U /**< standard input comes as events, at LAYOUT_NETWORK: --record, --replay, --tty with a network */
#define BOOT_FLAG_LAYOUT_SEED 32768U /**< boot_info.layout_seed counts (--layout-seed) */
#define BOOT_FLAG_TRIES 65536U       /**< the guest makes tries from the point `from` on (abi/tries.h) */
#define BOOT_FLAG_SHADOWED 131072U   /**< the host's KVM shadows page tables (docs/kvm.md) */
#define BOOT_FLAG_STRACE 262144U     /**< a Linux program's kernel calls are noted (abi/strace.h) */
#define BOOT_FLAG_DEBUG 524288U      /**< a debugger controls a Linux program (abi/debug.h) */

/** The kernel's use of the log of kernel calls (abi/events.h), for --verify. */
struct boot_events {
	uint64_t mode;     /**< enum event_log_mode */
	uint64_t stride;   /**< EVENT_LOG_COMPARE: event_state.stride of the recorded run; EVENT_LOG_RECORD: if it is 1,
	                    * the log has all calls behind `returned` until it is full (0.9.0: ignored) */
	uint64_t records;  /**< EVENT_LOG_COMPARE: event_state.records of the recorded run */
	uint64_t returned; /**< EVENT_LOG_COMPARE: event_state.returned of the recorded run; EVENT_LOG_RECORD: calls up
	                    * to this number are left out (0.9.0: ignored) */
	uint64_t stop;     /**< EVENT_LOG_COMPARE: end the run after this call, with its stack; 0: never */
};

#define BOOT_HOST_ROOTS_MAX 64

/** The host's files that the guest sees (abi/host_file.h). */
struct boot_host {
	/** Absolute paths without . or .. or empty components, each ended by a NUL: the mount points of root 0, 1, ...,
	 * where a later root covers an earlier one. The last path is the working directory, empty when none is
	 * given. */
	uint64_t paths;
	uint64_t paths_bytes; /**< 0: neither roots nor a working directory */
	uint64_t root_count;
	uint64_t read_only; /**< bit n: root n is read-only */
};

/** Faults of the network (--net-fault): X(NAME, name of the option's part). */
#define BOOT_FAULT_LIST(X) \
	X(REFUSE, "refuse") \
	X(RESET, "reset") \
	X(SHORT, "short") \
	X(LOSS, "loss") \
	X(DUP, "dup") \
	X(REORDER, "reorder") \
	X(DNS_FAIL, "dns-fail")

#define BOOT_FAULT(NAME, name) BOOT_FAULT_##NAME,
/** BOOT_FAULT_REFUSE etc.; BOOT_FAULTS is their number. */
enum boot_fault { BOOT_FAULT_LIST(BOOT_FAULT) BOOT_FAULTS };
#undef BOOT_FAULT

#define BOOT_PARTITIONS_MAX 8

/** What a partition cuts off: everything; what goes from one of two sides, on which processes are drawn, to the other;
 * or what goes from the first side to the second, and not what comes back. */
enum boot_partition_kind { BOOT_PARTITION_ALL, BOOT_PARTITION_HALF, BOOT_PARTITION_ONEWAY };

/** A span of virtual time: from its beginning to before its end, nanoseconds since the start of the run. */
struct boot_partition {
	uint64_t begin_ns, end_ns;
	uint64_t kind; /**< enum boot_partition_kind */
};

/** How often they happen, and the seed from which they are drawn. */
struct boot_faults {
	uint64_t seed;
	uint32_t per_million[BOOT_FAULTS];
	uint32_t only_per_million;              /**< --net-fault only=; 0: every connection has faults */
	uint64_t delay_least_ns, delay_most_ns; /**< --net-fault delay=; both 0: nothing is delayed */
	uint64_t dns_least_ns, dns_most_ns;     /**< --net-fault dns-delay=, for datagrams from and to port 53 */
	struct boot_partition partitions[BOOT_PARTITIONS_MAX]; /**< --net-fault partition=; end_ns 0: unused, as are all
	                                                        * after it */
};

/** Seconds between the boot and the start, without --uptime: programs take a clock at 0 as unset. */
#define UPTIME_DEFAULT_S 600UL

/** Maximum of --uptime, in seconds: 31 years. With vclock_end, it keeps CLOCK_MONOTONIC in 63 bits. */
#define UPTIME_MAX_S 1000000000UL

/** Maximum of supplementary groups in --user. Images of containers have a few. */
#define BOOT_GROUPS_MAX 32

/** Whose rights the first process has: --user. All 0: root, without supplementary groups. */
struct boot_user {
	uint32_t user, group;
	uint32_t group_count;
	uint32_t reserved;
	uint32_t groups[BOOT_GROUPS_MAX]; /**< supplementary groups, in ascending order, each once */
};

/** The page at LAYOUT_BOOT_INFO. All addresses are guest-physical. */
struct boot_info {
	uint64_t magic;
	uint32_t door;  /**< enum boot_door */
	uint32_t flags; /**< BOOT_FLAG_* */
	uint64_t ram_bytes;
	uint64_t ram_shown;        /**< bytes of RAM, from 0 on, that are present at the start: DOORBELL_MEMORY */
	uint64_t set_base;         /**< virtual address of the engine's routine (abi/base.h); 0: use the processor's own
	                              instructions */
	uint64_t image_end;        /**< first byte after the image's last segment */
	uint64_t page_tables_next; /**< first unused page in the boot door's page tables */
	uint64_t seed;             /**< --seed */
	uint64_t layout_seed;      /**< with BOOT_FLAG_LAYOUT_SEED: --layout-seed, from which the memory layout of a
	                              Linux program is drawn; without: `seed` */
	int64_t epoch_ns;          /**< CLOCK_REALTIME at the start, nanoseconds since 1970 */
	uint64_t uptime_ns;        /**< CLOCK_MONOTONIC at the start: nanoseconds since the boot */
	uint64_t arguments;        /**< argc strings, then envc strings, each ended by a NUL */
	uint32_t argument_count;
	uint32_t environment_count;
	uint64_t arguments_bytes;
	uint64_t program; /**< path of the Linux program, ended by a NUL; 0: the first argument is the path */
	uint64_t root;    /**< EROFS image; 0: none */
	uint64_t root_bytes;
	struct boot_events events;
	struct boot_sched sched;
	struct sched_from from;
	uint64_t trap_sites; /**< array of struct trap_site, sorted by address; 0: none */
	uint64_t trap_site_count;
	struct boot_host host;
	uint32_t processors; /**< number that a Linux program sees: 1 to CPU_PROCESSORS_MAX (abi/cpu_model.h) */
	uint64_t host_ahead; /**< HOST_FILE_AHEAD_BYTES for answers in advance (abi/host_file.h); 0: none */
	uint16_t terminal_rows, terminal_columns; /**< size of the terminal; 0: 24 and 80 */
	struct boot_faults faults;
	uint64_t translation;  /**< virtual address of the engine's routine (abi/translation.h); 0: use ring 0 */
	struct boot_user user; /**< of a Linux program */
};

_Static_assert(sizeof(struct boot_events) == 40, "boot_events");
_Static_assert(sizeof(struct boot_host) == 32, "boot_host");
_Static_assert(sizeof(struct boot_faults) == 264, "boot_faults");
_Static_assert(sizeof(struct boot_user) == 144, "boot_user");
_Static_assert(offsetof(struct boot_info, set_base) == BASE_IN_BOOT_INFO, "set_base");
_Static_assert(offsetof(struct boot_info, translation) == TRANSLATION_IN_BOOT_INFO, "translation");
_Static_assert(sizeof(struct boot_info) == 800, "boot_info, at most a page");

/** An instruction that the guest must not execute. An int3 replaces it, and the kernel emulates it. */
struct trap_site {
	uint64_t address; /**< virtual address of the int3 */
	uint8_t kind;     /**< enum trap_kind */
	uint8_t length;   /**< of the original instruction, bytes */
	uint8_t first;    /**< the byte that the int3 replaced */
	uint8_t reserved[5];
};

_Static_assert(sizeof(struct trap_site) == 16, "trap_site");

enum trap_kind {
	TRAP_CPUID = 1,
	TRAP_RDTSC,
	TRAP_RDTSCP,
	TRAP_RDRAND,
	TRAP_RDSEED,
	TRAP_RDPID,
	TRAP_XGETBV,
	TRAP_TSX, /**< XBEGIN, XTEST: interrupts of the host abort transactions */
	TRAP_RDPRU,
	TRAP_XSAVE,   /**< XSAVE, XSAVEC, XSAVEOPT, XRSTOR: they have the host's state components and layout */
	TRAP_ABSENT,  /**< other instructions that the model lacks, and that hosts lack or execute in different ways */
	TRAP_SEGMENT, /**< LAR, LSL: they read the host's descriptors, one of which holds the processor's number */
	/**
	 * SGDT, SIDT, SMSW, STR, VERR, VERW, and SLDT with a register as its operand: they also read the host's
	 * descriptor tables. SLDT to memory is not patched: it stores 0 on every host, and its bytes are frequent in
	 * programs.
	 */
	TRAP_DESCRIPTOR,
	TRAP_X87_STATE, /**< FNSTENV, FNSAVE, FXSAVE: they store the address of the last x87 instruction, which hosts
	                   forget */
	TRAP_BASE, /**< RDFSBASE, WRFSBASE, RDGSBASE, WRGSBASE: hosts may lack them, or lose the bases that they set */
	TRAP_SYSENTER, /**< SYSENTER, SYSEXIT: an invalid opcode on AMD processors; on Intel processors they enter the
	                  host's kernel */
	/**
	 * Instructions of extensions that the model lacks, and that programs rarely have: AMX, user interrupts, virtual
	 * machines, key locker and others (hypervisor/monitor/scan/instruction_kind.c).
	 */
	TRAP_SYSTEM,
};

#endif
