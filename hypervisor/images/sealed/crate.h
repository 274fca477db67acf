/* SPDX-License-Identifier: MIT */
/* The metadata of an image as a Process Run Crate 0.5 (https://w3id.org/ro/wfrun/process/0.5), which extends
 * RO-Crate 1.1 (https://w3id.org/ro/crate/1.1): one JSON-LD graph of entities with identifiers. */
#ifndef HYPERVISOR_CRATE_H
#define HYPERVISOR_CRATE_H

#include "base/error.h"
#include "library/cjson.h"
#include "eri/eri_image.h"

/** What the image does not say. */
struct crate_given {
	const char *agent; /**< who ran the program; NULL: not said */
	int64_t date_s;    /**< when the crate is made, seconds since 1970 */
};

/** Writes the path of an output in the crate, `outputs/STEP/...`. Returns 0, or -EUCLEAN if the image names none that
 * may be used: it leads nowhere else and has no empty parts. */
int crate_path(const struct eri_step *step, const struct eri_output *output, char path[PATH_MAX]);

/** Returns the metadata, which the caller frees by cjson.Delete; or NULL with one line in *error. */
cJSON *crate_make(const struct eri_image *image, const struct crate_given *given, struct error *error);

#endif
