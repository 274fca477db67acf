/* SPDX-License-Identifier: MIT */
/* Over newlib's <string.h>: the names of signals (sigabbrev_np(3)). */
#ifndef EREMITE_STRING_H
#define EREMITE_STRING_H

#include_next <string.h>

__BEGIN_DECLS
#if __GNU_VISIBLE
const char *sigabbrev_np(int __sig);
const char *sigdescr_np(int __sig);
#endif
__END_DECLS

#endif
