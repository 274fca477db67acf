/* SPDX-License-Identifier: MIT */
/* prctl(2): the name of the thread; every other operation fails with EINVAL. */
#ifndef _SYS_PRCTL_H
#define _SYS_PRCTL_H

#include <sys/cdefs.h>

__BEGIN_DECLS

#define PR_SET_NAME 15
#define PR_GET_NAME 16

int prctl(int __operation, ...);

__END_DECLS

#endif
