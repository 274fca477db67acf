/* SPDX-License-Identifier: MIT */
/* error(3). */
#ifndef _ERROR_H
#define _ERROR_H

#include <sys/cdefs.h>

__BEGIN_DECLS

void error(int __status, int __errnum, const char *__format, ...) __attribute__((format(printf, 3, 4)));
extern unsigned int error_message_count;

__END_DECLS

#endif
