/* SPDX-License-Identifier: MIT */
/* <linux/limits.h>: limits of the system are in <limits.h>. */
#include <limits.h>
