/* SPDX-License-Identifier: MIT */
/* <sys/poll.h>: the older name of <poll.h>. */
#include <poll.h>
