/* SPDX-License-Identifier: MIT */
/* What pthread_attr_t has in its member __given. */
#ifndef LIBC_PORT_PTHREAD_ATTR_H
#define LIBC_PORT_PTHREAD_ATTR_H

#define ATTR_SIGMASK 1U
#define ATTR_AFFINITY 2U

#endif
