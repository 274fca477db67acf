/* SPDX-License-Identifier: MIT */
/* Parses values of command-line options. */
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

/** Nanoseconds: a number, with an optional fraction, and its unit, ns, us, ms or s; at most 1000000000s. */
int value_duration(const char *text, uint64_t *ns);

/**
 * A time in RFC 3339 format, 2000-01-01T00:00:00Z, with optional fractions and offsets; or only its date, which means
 * midnight UTC. The result is in ns since 1970.
 */
int value_time(const char *text, int64_t *ns);

/** Returns the candidate (of a NULL-terminated list) with the smallest edit distance, or NULL if none is near. */
const char *value_nearest(const char *text, const char *const *candidates);

#endif
