/* SPDX-License-Identifier: MIT */
/* <features.h>: the name under which Linux programs look for <sys/features.h>. */
#ifndef _FEATURES_H
#define _FEATURES_H

#include <sys/features.h>

#endif
