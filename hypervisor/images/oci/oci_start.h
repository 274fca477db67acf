/* SPDX-License-Identifier: MIT */
/* What `docker run` does before it starts an image's program: finds its user, and makes its directories. */
#ifndef HYPERVISOR_OCI_START_H
#define HYPERVISOR_OCI_START_H

#include "oci/oci.h"
#include "oci/oci_tree.h"

/**
 * Sets the credentials and the home of the image's user, by /etc/passwd and /etc/group in the tree, and makes its
 * working directory and its volumes if they are missing. Returns 0, or a negative errno with one line in tree->error.
 */
int oci_start(struct oci_tree *tree, struct oci_config *config);

#endif
