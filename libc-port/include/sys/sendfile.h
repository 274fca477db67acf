/* SPDX-License-Identifier: MIT */
/* <sys/sendfile.h>: sendfile(2). */
#ifndef _SYS_SENDFILE_H
#define _SYS_SENDFILE_H

#include <sys/cdefs.h>
#include <sys/types.h>

__BEGIN_DECLS

ssize_t sendfile(int __out, int __in, off_t *__offset, size_t __count);

__END_DECLS

#endif
