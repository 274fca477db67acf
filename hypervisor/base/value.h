/* SPDX-License-Identifier: MIT */
/* Values as they stand on a command line. */
#ifndef HYPERVISOR_VALUE_H
#define HYPERVISOR_VALUE_H

#include <stdint.h>

/* Each returns 0, or -EINVAL or -ERANGE. */

/** A 64-bit number, decimal or 0x. */
int value_number(const char *text, uint64_t *value);

/** Bytes: a number with an optional K, M, G or T (powers of 1024; "iB" or "B" may follow). */
int value_size(const char *text, uint64_t *bytes);

/** Seconds, more than 0, with an optional fraction. */
int value_seconds(const char *text, double *seconds);

/** A moment as RFC 3339 writes it: 2000-01-01T00:00:00Z, with fractions and offsets; or its
 * date alone, which is midnight UTC. Nanoseconds since 1970. */
int value_time(const char *text, int64_t *ns);

/** The candidate (a NULL-terminated list) with the smallest edit distance, or NULL when none is near. */
const char *value_nearest(const char *text, const char *const *candidates);

#endif
