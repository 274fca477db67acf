/* SPDX-License-Identifier: MIT */
/* How guests load the bases of FS and GS: by FSGSBASE where the host keeps what it sets, else by a routine of the stub.
 *
 * A host keeps it if its kernel says so. Where the kernel does not know of the feature, but what it runs on has it, the
 * instructions work and what they set is lost when the host changes to another process. */
#ifndef ENGINE_PROCESS_BASES_H
#define ENGINE_PROCESS_BASES_H

#include <stdbool.h>

/** Whether guests have FSGSBASE. */
bool bases_have_fsgsbase(void);

/** From now on they have not, whatever the host says: for tests. */
void bases_forgo_fsgsbase(void);

#endif
