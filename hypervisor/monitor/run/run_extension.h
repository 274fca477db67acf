/* SPDX-License-Identifier: MIT */
/* Reports once that a Linux program executes instructions which its processor model does not have. */
#ifndef HYPERVISOR_RUN_EXTENSION_H
#define HYPERVISOR_RUN_EXTENSION_H

#include "run/run_state.h"

/**
 * Looks at the instructions where the guest was interrupted, at some of the monitor's looks, and calls
 * observer.extended at the first such instruction. A search of the files would find instructions that a program
 * chooses by CPUID, and never executes.
 */
void run_extension_look(struct run *run);

#endif
