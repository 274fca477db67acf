/* SPDX-License-Identifier: MIT */
/* UTF-8 (RFC 3629), which JSON requires. */
#ifndef HYPERVISOR_UTF8_H
#define HYPERVISOR_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/** Returns the length of the character at `text` (RFC 3629, section 4), or 0 if the bytes are not a character. */
size_t utf8_bytes(const char *text);

/** Whether a whole text is UTF-8. */
bool utf8_is(const char *text);

#endif
