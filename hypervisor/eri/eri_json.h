/* SPDX-License-Identifier: MIT */
/* Whether a manifest is JSON that every reader reads alike (RFC 8259, I-JSON). cJSON takes more. */
#ifndef HYPERVISOR_ERI_JSON_H
#define HYPERVISOR_ERI_JSON_H

#include <stddef.h>

/** Returns NULL, or what is wrong with a text that cJSON parses, as a clause behind "its manifest is not JSON: ": it
 * has something behind its end, control characters or NUL in a string, or a number with zeros in front. Whether it is
 * UTF-8 is not checked. */
const char *eri_json_wrong(const char *text, size_t bytes);

#endif
