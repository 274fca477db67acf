/* SPDX-License-Identifier: MIT */
/* <ucontext.h>: the register state a signal handler is given. */
#include <sys/ucontext.h>
