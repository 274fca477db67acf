/* SPDX-License-Identifier: MIT */
/* The limits of <limits.h> beyond the C language: Linux's. */
#ifndef _SYS_SYSLIMITS_H_
#define _SYS_SYSLIMITS_H_

#define ARG_MAX 131072
#define NAME_MAX 255
#define PATH_MAX 4096
#define NGROUPS_MAX 65536
#define PIPE_BUF 4096
#define IOV_MAX 1024
#define MAX_CANON 255
#define MAX_INPUT 255
#define LINK_MAX 127
#define SYMLINK_MAX 255
#define SYMLOOP_MAX 40
#define XATTR_NAME_MAX 255
#define RTSIG_MAX 32

#define BC_BASE_MAX 99
#define BC_DIM_MAX 2048
#define BC_SCALE_MAX 99
#define BC_STRING_MAX 1000
#define COLL_WEIGHTS_MAX 255
#define EXPR_NEST_MAX 32
#define LINE_MAX 2048
#define RE_DUP_MAX 255
#define CHARCLASS_NAME_MAX 2048

#define NL_ARGMAX 9
#define NL_LANGMAX 2048
#define NL_MSGMAX 0x7fffffff
#define NL_SETMAX 0x7fffffff
#define NL_TEXTMAX 0x7fffffff
#define NZERO 20

#define HOST_NAME_MAX 64
#define LOGIN_NAME_MAX 256
#define TTY_NAME_MAX 32
#define PTHREAD_KEYS_MAX 1024
#define PTHREAD_STACK_MIN 16384
#define PTHREAD_DESTRUCTOR_ITERATIONS 4
#define DELAYTIMER_MAX 0x7fffffff
#define ATEXIT_MAX 0x7fffffff

#endif
