/* SPDX-License-Identifier: MIT */
/* Included by the compiler before every file of a program: what it cannot know of this library. */
#ifndef _STDC_PREDEF_H
#define _STDC_PREDEF_H

#define __STDC_IEC_559__ 1
#define __STDC_IEC_559_COMPLEX__ 1
#define __STDC_ISO_10646__ 201103L

#endif
