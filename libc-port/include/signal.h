/* SPDX-License-Identifier: MIT */
/* newlib's <signal.h>, or nothing: its <time.h> includes it for the sake of one structure (time.h). */
#ifndef __EREMITE_NO_SIGNAL
#include_next <signal.h>
#endif
