/* SPDX-License-Identifier: MIT */
/* Stages the kernel that has run a Linux program: the bytes that a run loads, and its symbols compressed in a file of
 * their own. Where lib/ has no symbols of this kernel, stages the kernel's whole file. Of a native image, stages the
 * program. */
#ifndef HYPERVISOR_STAGE_KERNEL_H
#define HYPERVISOR_STAGE_KERNEL_H

#include "base/error.h"
#include "pack/stage.h"

/** Sets the hashes of the step, whose strings the caller frees; `kernel` is the path of the kernel of Linux programs,
 * which a native image does not need. Returns 0, or a negative errno with one line in
 * *error. */
int stage_kernel(struct stage *stage, struct eri_step *step, const char *kernel, struct error *error);

#endif
