/* SPDX-License-Identifier: MIT */
/* clock() counts microseconds, as POSIX demands; newlib's default is milliseconds. */
#ifndef _MACHTIME_H_
#define _MACHTIME_H_

#define _CLOCKS_PER_SEC_ 1000000L

#endif
