/* SPDX-License-Identifier: MIT */
/* Which features of the processor models v3 and v4 the host's processor and kernel have. */
#ifndef HYPERVISOR_CPU_HOST_H
#define HYPERVISOR_CPU_HOST_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/cpu_model.h"
#include "base/error.h"

/** Names of the models, as --cpu takes them. */
extern const char *const cpu_host_model_names[CPU_MODELS];

/** Registers that report the features. */
struct cpu_host {
	uint32_t leaf1_ecx, leaf7_ebx, extended_ecx; /**< CPUID leaves 1, 7 and 0x80000001; 0: leaf is absent */
	uint32_t leafd_eax;                          /**< EAX of leaf 0xd, subleaf 1 */
	uint32_t xcr0;                               /**< 0 without OSXSAVE */
};

/** Reads the registers. */
void cpu_host_read(struct cpu_host *host);

/**
 * Returns BOOT_FLAG_CPU_* for a model, and BOOT_FLAG_SHADOWED on kvm-pvm. There the guest's ring 3 runs directly on the
 * host's processor, so guests can execute its AVX and AVX-512 instructions with every model.
 */
uint32_t cpu_host_flags(enum cpu_model model);

/** Returns the name of the first feature of v3 or v4 that is missing, or NULL if none is. */
const char *cpu_host_lacks(const struct cpu_host *host, enum cpu_model model);

#define CPU_HOST_NAME 64

/** Copies what the host's processor calls itself: the vendor, as AuthenticAMD, and the model. Both are printable
 * ASCII, and empty if it does not say. */
void cpu_host_name(char vendor[CPU_HOST_NAME], char model[CPU_HOST_NAME]);

/**
 * Whether the host lacks a feature of v3 or v4. If so, `error` becomes a sentence that names the feature and the
 * greatest model that the host has.
 */
bool cpu_host_refuse(const struct cpu_host *host, enum cpu_model model, struct error *error);

#endif
