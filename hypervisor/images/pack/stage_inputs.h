/* SPDX-License-Identifier: MIT */
/* The files of the host that packed runs have read, and their packages. */
#ifndef HYPERVISOR_STAGE_INPUTS_H
#define HYPERVISOR_STAGE_INPUTS_H

#include "base/error.h"
#include "eri/eri_packages.h"
#include "pack/stage.h"

/** Notes a file, or a link, that the image has or leaves out. `fd` is open for its contents, or -1. Returns 0 or
 * -ENOMEM. */
int stage_inputs_note(struct stage *stage, const char *guest, const char *host, enum stage_input_kind kind,
                      uint64_t bytes, uint32_t mode, int fd);

/**
 * Sorts the inputs by path, with one entry for each; finds their packages, and stages the list of these. Sets its
 * SHA-256, which is empty without packages. Returns 0, or a negative errno with one line in *error.
 */
int stage_inputs_packages(struct stage *stage, struct eri_packages *packages, char hex[STAGE_HEX_BYTES],
                          struct error *error);

/** Frees the inputs. */
void stage_inputs_fini(struct stage *stage);

#endif
