/* SPDX-License-Identifier: MIT */
/* Names in a guest's requests for the host's files (abi/host_file.h), which may be anything. */
#ifndef HYPERVISOR_HOST_NAMES_H
#define HYPERVISOR_HOST_NAMES_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

/** Whether a text is one name, or empty: no slash, not . or .. */
bool host_names_is_one(const char *name);

/** Splits a path into names, each with a NUL: how many, 0 when one is empty. */
unsigned host_names_split(char *path);

/** Takes the next name of a list, which ends at `end`, and moves *at behind it. False: there is none. */
bool host_names_take(const uint8_t **at, const uint8_t *end, char name[NAME_MAX + 1]);

#endif
