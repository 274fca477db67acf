/* SPDX-License-Identifier: MIT */
/* Makes an image's times tell of each later change. */
#ifndef HYPERVISOR_IMAGE_SETTLE_H
#define HYPERVISOR_IMAGE_SETTLE_H

#include "base/error.h"
#include "eri/eri_image.h"

/**
 * Writes back what others have stored in an open image through shared mappings, and waits until its times are in the
 * past, so that a later change gives it other times. A file system whose times do not tell (docs/cache.md) is no reason
 * to refuse an image.
 */
void image_settle(int fd);

/** Opens an image that is settled, as eri_image_open does. */
int image_settle_open(struct eri_image *image, const char *path, struct error *error);

/** Checks that the image is still the file that was opened, and unchanged. Returns 0 or a negative errno. */
int image_settle_check(const struct eri_image *image, struct error *error);

#endif
