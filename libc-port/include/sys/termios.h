/* SPDX-License-Identifier: MIT */
/* <sys/termios.h>: the older name of <termios.h>. */
#include <termios.h>
