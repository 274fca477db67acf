/* SPDX-License-Identifier: MIT */
/* Over newlib's <glob.h>: POSIX's results, with Linux's numbers, and its flag against backslashes. */
#ifndef EREMITE_GLOB_H
#define EREMITE_GLOB_H

#include_next <glob.h>

#undef GLOB_NOSPACE
#undef GLOB_ABEND
#define GLOB_NOSPACE 1
#define GLOB_ABORTED 2
#define GLOB_NOMATCH 3
#define GLOB_ABEND GLOB_ABORTED

#define GLOB_NOESCAPE 0x2000

#endif
