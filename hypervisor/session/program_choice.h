/* SPDX-License-Identifier: MIT */
/* The program of `eremite run`: an Eremite image, or a Linux program, which lib/linux.image runs. */
#ifndef HYPERVISOR_PROGRAM_CHOICE_H
#define HYPERVISOR_PROGRAM_CHOICE_H

#include <stdbool.h>

#include "session/session.h"

/** Chooses the image. A program's name may exist only in the guest: in a root, a bound tree, or the guest's PATH.
 * Returns 0, or the exit status of eremite if it has said why a file of the host cannot run. */
int program_choice_make(struct session *session);

/** Whether the program is a native image. A file that is neither kind is refused when it is loaded. */
bool program_choice_is_native(const struct session *session);

#endif
