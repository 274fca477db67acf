/* SPDX-License-Identifier: MIT */
/* --redact: expressions whose matches a recording does not keep. Each byte of a match becomes REDACT_BYTE. */
#ifndef HYPERVISOR_REDACT_H
#define HYPERVISOR_REDACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define REDACT_BYTE '*'
#define REDACT_MOST 64 /* expressions that a run takes */

struct redact;

/** A part of a text. */
struct redact_range {
	size_t start, end;
};

/** Compiles POSIX extended expressions (regcomp(3)); `.` and lists do not match a newline. Returns 0, or a negative
 * errno with one line in *error. redact_destroy accepts NULL. */
int redact_create(struct redact **redact, char *const *expressions, unsigned count, struct error *error);
void redact_destroy(struct redact *redact);

/** The number of expressions. */
unsigned redact_count(const struct redact *redact);

/**
 * Finds the first match of an expression that begins at `from` or later and is not empty. `begins` and `ends`: the text
 * begins and ends where ^ and $ match. A
 * NUL must follow the text, which may hold others: sanitizers take it for a string. Returns 1; 0 without a match; or a
 * negative errno.
 */
int redact_find(const struct redact *redact, unsigned expression, const uint8_t *text, size_t bytes, size_t from,
                bool begins, bool ends, struct redact_range *match);

/** Finds all matches in a whole text, and sets mask[i] to 1 for each byte i of one. Returns the number of matches or a
 * negative errno. */
int redact_mask(const struct redact *redact, const uint8_t *text, size_t bytes, uint8_t *mask);

/** Replaces the matches in the paths of a list of files (--files-out): behind the second space of each line. Returns 0,
 * or a negative errno. */
int redact_paths(const struct redact *redact, char *list, size_t bytes);

#endif
