/* SPDX-License-Identifier: MIT */
/* LZ4, loaded on demand instead of with eremite: only compressed images need it. */
#ifndef HYPERVISOR_LZ4_H
#define HYPERVISOR_LZ4_H

#include <lz4.h>

#include "base/error.h"

/** The functions used from the library: LZ4_NAME is lz4.NAME. */
#define LZ4_FUNCTIONS(X) X(decompress_safe_partial)

struct lz4 {
#define LZ4_MEMBER(name) __typeof__(LZ4_##name) *name;
	LZ4_FUNCTIONS(LZ4_MEMBER)
#undef LZ4_MEMBER
};

/** Valid after lz4_load; before, the functions are NULL. */
extern struct lz4 lz4;

/** Loads the library at the first call, whose result later ones return. Returns 0, or a negative errno with one line in
 * *error. */
int lz4_load(struct error *error);

#endif
