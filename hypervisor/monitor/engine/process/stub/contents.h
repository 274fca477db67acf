/* SPDX-License-Identifier: MIT */
/* Contents of host files in guest-physical memory. */
#ifndef ENGINE_PROCESS_STUB_CONTENTS_H
#define ENGINE_PROCESS_STUB_CONTENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/process/channel.h"

/** Takes all files that have come: few may be under way (unix(7), ETOOMANYREFS). */
void contents_take(void);

/** Finds the contents at a guest-physical address, as a region of a file that this process has. */
bool contents_find(uint64_t physical, struct plan_region *found);

#endif
