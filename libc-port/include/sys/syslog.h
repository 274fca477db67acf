/* SPDX-License-Identifier: MIT */
/* <sys/syslog.h>: the older name of <syslog.h>. */
#include <syslog.h>
