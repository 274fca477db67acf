/* SPDX-License-Identifier: MIT */
/* The options of `eremite run` that say what processor the guest has. */
#ifndef HYPERVISOR_PROCESSOR_OPTION_H
#define HYPERVISOR_PROCESSOR_OPTION_H

#include "engine/engine.h"

/** Take the value of --cpu and of --cpus. On an error they print a message and exit with EXIT_EREMITE. */
void processor_option_model(struct engine_cpu *cpu, const char *text);
void processor_option_count(struct engine_cpu *cpu, const char *text);

#endif
