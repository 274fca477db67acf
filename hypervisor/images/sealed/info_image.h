/* SPDX-License-Identifier: MIT */
/* `eremite info FILE.eri`: what a sealed image holds. */
#ifndef HYPERVISOR_INFO_IMAGE_H
#define HYPERVISOR_INFO_IMAGE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

/** Prints an image as text or as JSON (docs/images.md). Returns 0, or a negative errno with one line in *error. */
int info_image_print(FILE *to, const char *path, bool is_json, struct error *error);

#endif
