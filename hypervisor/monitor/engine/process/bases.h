/* SPDX-License-Identifier: MIT */
/* How guests load the bases of FS and GS: with FSGSBASE instructions if the host preserves their results, otherwise
 * with a routine of the stub.
 *
 * A host preserves the bases if its kernel reports FSGSBASE. If the kernel does not support the feature but the
 * processor enables it, the instructions work, and a process switch loses the bases. */
#ifndef ENGINE_PROCESS_BASES_H
#define ENGINE_PROCESS_BASES_H

#include <stdbool.h>

/** Whether guests use FSGSBASE. */
bool bases_have_fsgsbase(void);

/** For tests: from now on guests do not use FSGSBASE on any host. */
void bases_forgo_fsgsbase(void);

#endif
