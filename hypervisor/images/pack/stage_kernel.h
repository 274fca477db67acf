/* SPDX-License-Identifier: MIT */
/* Stages the kernel that has run a Linux program, without its symbols, which are beside it compressed; or the program
 * itself if it is a native image. */
#ifndef HYPERVISOR_STAGE_KERNEL_H
#define HYPERVISOR_STAGE_KERNEL_H

#include "pack/stage.h"

/** Sets the hashes of the step, whose strings the caller frees; `kernel` is the path of the kernel of Linux programs,
 * which a native image does not need. Returns 0, or a negative errno with one line in
 * error[]. */
int stage_kernel(struct stage *stage, struct eri_step *step, const char *kernel, char error[256]);

#endif
