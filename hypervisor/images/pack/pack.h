/* SPDX-License-Identifier: MIT */
/* Runs programs and seals their runs into an image (docs/images.md). */
#ifndef HYPERVISOR_PACK_H
#define HYPERVISOR_PACK_H

#include "pack/pack_option.h"

/** Makes the image that the options say. Completes the run that starts a container in them. Returns the exit status of
 * the last step; ends eremite with a message if no image can be made. */
int pack_image(struct pack_option *option);

#endif
