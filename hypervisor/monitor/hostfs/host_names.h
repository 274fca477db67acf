/* SPDX-License-Identifier: MIT */
/* Parses names in a guest's requests for the host's files (abi/host_file.h). They are untrusted. */
#ifndef HYPERVISOR_HOST_NAMES_H
#define HYPERVISOR_HOST_NAMES_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

/** Whether a text is empty or a single name: it has no slash, and is not . or .. */
bool host_names_is_one(const char *name);

/** Splits a path in place into NUL-terminated names. Returns their number, or 0 if one is empty. */
unsigned host_names_split(char *path);

/** Copies the next name of a list that ends at `end`, and advances *at past it. Returns false if there is none. */
bool host_names_take(const uint8_t **at, const uint8_t *end, char name[NAME_MAX + 1]);

#endif
