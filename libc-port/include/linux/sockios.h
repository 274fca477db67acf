/* SPDX-License-Identifier: MIT */
/* ioctl(2) requests of sockets with Linux's numbers (tcp(7), udp(7)); <sys/ioctl.h> has the others. */
#ifndef _LINUX_SOCKIOS_H
#define _LINUX_SOCKIOS_H

#include <sys/ioctl.h>

#define SIOCINQ FIONREAD
#define SIOCOUTQ TIOCOUTQ

#endif
