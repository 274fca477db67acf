/* SPDX-License-Identifier: MIT */
/* The configuration of an image (image-spec, config.md): how it starts, and the digests of its layers. */
#ifndef HYPERVISOR_OCI_CONFIG_H
#define HYPERVISOR_OCI_CONFIG_H

#include <stddef.h>

#include "oci/oci.h"

#define OCI_STRINGS_MAX 4096 /* arguments, or variables of the environment, of an image */

/**
 * Reads a configuration in JSON, for oci_config_fini. Needs a structure that is all zero but for its attributes, which
 * stay. Needs cjson_load first. Returns 0 or a negative errno with one line in *error.
 */
int oci_config_read(const char *text, size_t bytes, struct oci_config *config, struct error *error);

#endif
