/* SPDX-License-Identifier: MIT */
/* What of the processor models v3 and v4 the host's processor and kernel have. */
#ifndef HYPERVISOR_CPU_HOST_H
#define HYPERVISOR_CPU_HOST_H

#include <stdint.h>

#include "abi/cpu_model.h"

/** What users call the models. */
extern const char *const cpu_host_model_names[CPU_MODELS];

/** Registers that tell. */
struct cpu_host {
	uint32_t leaf1_ecx, leaf7_ebx, extended_ecx; /**< CPUID leaves 1, 7 and 0x80000001; 0: not there */
	uint32_t leafd_eax;                          /**< of leaf 0xd, index 1 */
	uint32_t xcr0;                               /**< 0 without OSXSAVE */
};

/** Reads them. */
void cpu_host_read(struct cpu_host *host);

/** BOOT_FLAG_CPU_* of a model: in v2, too, guests can execute AVX and AVX-512 where their ring 3 runs on the processor
 * as it is (kvm-pvm) and that has it. */
uint32_t cpu_host_flags(enum cpu_model model);

/** The name of the first feature of v3 or v4 that is missing; NULL: none is. */
const char *cpu_host_lacks(const struct cpu_host *host, enum cpu_model model);

#endif
