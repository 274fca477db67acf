/* SPDX-License-Identifier: MIT */
/* <sys/file.h>: flock(2), and the access modes under their BSD names. */
#ifndef _SYS_FILE_H
#define _SYS_FILE_H

#include <sys/fcntl.h>
#include <unistd.h>

#define L_SET 0
#define L_INCR 1
#define L_XTND 2

#endif
