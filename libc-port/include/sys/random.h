/* SPDX-License-Identifier: MIT */
/* getrandom(2): the program's own seeded stream. */
#ifndef _SYS_RANDOM_H
#define _SYS_RANDOM_H

#include <sys/cdefs.h>
#include <sys/types.h>

__BEGIN_DECLS

#define GRND_NONBLOCK 1
#define GRND_RANDOM 2
#define GRND_INSECURE 4

ssize_t getrandom(void *__buf, size_t __size, unsigned __flags);
int getentropy(void *__buf, size_t __size);

__END_DECLS

#endif
