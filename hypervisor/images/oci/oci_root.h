/* SPDX-License-Identifier: MIT */
/* Makes the root file system of a container, an EROFS image, of what oci_unpack has unpacked. */
#ifndef HYPERVISOR_OCI_ROOT_H
#define HYPERVISOR_OCI_ROOT_H

#include <stdint.h>

#include "oci/oci.h"

/**
 * Writes the image to the open, empty file `file`. Objects get the owners, modes and times of the container's image.
 * Sets the newest of these times, in seconds since 1970. *sig is the signal that has stopped it, or 0. Returns 0, or a
 * negative errno with one line in *error.
 */
int oci_root_make(int dir, const struct oci_config *config, int file, int64_t *newest, int *sig, struct error *error);

#endif
