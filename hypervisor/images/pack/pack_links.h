/* SPDX-License-Identifier: MIT */
/* Steps of a pipeline that do not go on with each other's files: without --save, what a step writes is in its own run
 * and in the image only, and a later step reads what the host has. */
#ifndef HYPERVISOR_PACK_LINKS_H
#define HYPERVISOR_PACK_LINKS_H

#include "pack/pack_step.h"

/** Says which file the last step has read or missed that an earlier step left with other contents. `names`: the table
 * of names of the last step; -1: none. */
void pack_links_say(const struct pack_steps *steps, int names);

#endif
