/* SPDX-License-Identifier: MIT */
/* The program of `eremite run`: an Eremite image, or a Linux program, which lib/linux.image runs. */
#ifndef HYPERVISOR_PROGRAM_OPTION_H
#define HYPERVISOR_PROGRAM_OPTION_H

#include <stdbool.h>

#include "cli/image/trace_run.h"
#include "cli/options.h"

/** Chooses the image. A program's name may exist only in the guest: in a root, a bound tree, or the guest's PATH.
 * Returns 0, or the exit status of eremite if it has said why a file of the host cannot run. */
int program_option_choose(struct options *options, const struct trace_run *traced);

/** Whether the program is a native image. A file that is neither kind is refused when it is loaded. */
bool program_option_is_native(const struct options *options);

#endif
