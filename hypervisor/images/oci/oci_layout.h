/* SPDX-License-Identifier: MIT */
/* The JSON files that say which files an image consists of: OCI's index and manifest, and docker save's manifest.json.
 * All of them are untrusted. */
#ifndef HYPERVISOR_OCI_LAYOUT_H
#define HYPERVISOR_OCI_LAYOUT_H

#include "oci/oci_source.h"

#define OCI_LAYERS_MAX 512 /* of an image; docker makes at most 127 */

/** The files of one image. */
struct oci_image {
	struct oci_descriptor config;
	struct oci_descriptor *layers; /**< the lowest first */
	unsigned layer_count;
};

/* Each needs cjson_load first, and returns 0 or a negative errno with one line in *error. */

/**
 * Chooses from an index the manifest, or the further index, for linux/amd64, for free(chosen->path). With a tag, only
 * those named so; with is_top unset, the first one; else it must be the only one.
 */
int oci_layout_choose(const char *text, size_t bytes, const char *tag, bool is_top, struct oci_descriptor *chosen,
                      struct error *error);

/** Reads a manifest, for oci_layout_fini. */
int oci_layout_manifest(const char *text, size_t bytes, struct oci_image *image, struct error *error);

/** Reads the manifest.json of docker save, for oci_layout_fini: the image with the tag, or the only one. */
int oci_layout_docker(const char *text, size_t bytes, const char *tag, struct oci_image *image, struct error *error);

/** Releases the names; accepts an all-zero image. */
void oci_layout_fini(struct oci_image *image);

#endif
