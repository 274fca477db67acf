/* SPDX-License-Identifier: MIT */
/* Removing what a layer replaces or deletes. */
#ifndef HYPERVISOR_OCI_REMOVE_H
#define HYPERVISOR_OCI_REMOVE_H

#include "oci/oci_tree.h"

/**
 * Removes an object, whose path has no symbolic links on its way, with all below it. Accepts one that is missing.
 * Returns 0 or a negative errno with one line in *error, as the function below does.
 */
int oci_remove(struct oci_tree *tree, const char *path);

/** The same for all that the current layer did not make of an object, or only of what is below it with `spares_it`. */
int oci_remove_lower(struct oci_tree *tree, const char *path, bool spares_it);

#endif
