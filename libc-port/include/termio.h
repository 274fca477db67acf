/* SPDX-License-Identifier: MIT */
/* <termio.h>: the older name of <termios.h>. */
#include <sys/ioctl.h>
#include <termios.h>
