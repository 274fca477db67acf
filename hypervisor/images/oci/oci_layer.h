/* SPDX-License-Identifier: MIT */
/* Unpacks one layer above those before it (image-spec, layer.md). */
#ifndef HYPERVISOR_OCI_LAYER_H
#define HYPERVISOR_OCI_LAYER_H

#include "oci/oci_stream.h"
#include "oci/oci_tree.h"

/**
 * Unpacks the tar archive that a stream has. Counts in `config` what it skips, and stores there what the archive says
 * of the root. Returns 0 or a negative errno with one line in the tree's *error, which must be that of the stream.
 */
int oci_layer_unpack(struct oci_tree *tree, struct oci_stream *stream, struct oci_config *config);

#endif
