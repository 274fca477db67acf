/* SPDX-License-Identifier: MIT */
/* <wait.h>: the older name of <sys/wait.h>. */
#include <sys/wait.h>
