/* SPDX-License-Identifier: MIT */
/* Text that is made of parts. */
#ifndef HYPERVISOR_TEXT_H
#define HYPERVISOR_TEXT_H

/** Returns text as printf(3) makes it. The caller frees it. Ends eremite without memory. */
char *text_of(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
