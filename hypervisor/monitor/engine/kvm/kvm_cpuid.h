/* SPDX-License-Identifier: MIT */
/* The answers of CPUID in KVM guests: those of the processor model. */
#ifndef ENGINE_KVM_CPUID_H
#define ENGINE_KVM_CPUID_H

#include "engine/engine.h"

/** Sets the answers of a virtual processor. Returns 0, or -1 with errno. */
int kvm_cpuid_set(int vcpu, const struct engine_cpu *cpu);

#endif
