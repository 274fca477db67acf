/* SPDX-License-Identifier: MIT */
/* Over newlib's <string.h>: the names of signals and errors (sigabbrev_np(3), strerrorname_np(3)). */
#ifndef EREMITE_STRING_H
#define EREMITE_STRING_H

#include_next <string.h>

__BEGIN_DECLS
#if __GNU_VISIBLE
const char *sigabbrev_np(int __sig);
const char *sigdescr_np(int __sig);
const char *strerrorname_np(int __error);
const char *strerrordesc_np(int __error);
#endif
__END_DECLS

#endif
