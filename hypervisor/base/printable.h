/* SPDX-License-Identifier: MIT */
/* Text that others chose, with escapes in place of what a terminal would obey or hide. clean_text.h has the rule. */
#ifndef HYPERVISOR_PRINTABLE_H
#define HYPERVISOR_PRINTABLE_H

#include <stddef.h>

/** Returns `bytes` bytes as printable UTF-8, for the caller to free: others become \n, \t, \\ or \xHH. */
char *printable(const char *from, size_t bytes);

/** The same for a line that people read, and copy: backslashes stay as they are. */
char *printable_line(const char *from, size_t bytes);

#endif
