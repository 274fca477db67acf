/* SPDX-License-Identifier: MIT */
/* Writes the manifest of an image (eri/eri_manifest.h reads it). */
#ifndef HYPERVISOR_MANIFEST_TEXT_H
#define HYPERVISOR_MANIFEST_TEXT_H

#include "base/error.h"
#include "eri/eri_manifest.h"

/** Returns the text, with an identity of 64 zeros, which the caller frees by free(3); or NULL with one line in *error.
 */
char *manifest_text(const struct eri_manifest *manifest, struct error *error);

#endif
