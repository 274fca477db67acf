/* SPDX-License-Identifier: MIT */
/* Internet addresses as text (inet(3), inet_pton(3)). */
#ifndef _ARPA_INET_H
#define _ARPA_INET_H

#include <netinet/in.h>

__BEGIN_DECLS

in_addr_t inet_addr(const char *__text);
char *inet_ntoa(struct in_addr __addr);
const char *inet_ntop(int __family, const void *__restrict __addr, char *__restrict __buf, socklen_t __size);
int inet_pton(int __family, const char *__restrict __text, void *__restrict __addr);
#if __MISC_VISIBLE
int inet_aton(const char *__text, struct in_addr *__addr);
#endif

__END_DECLS

#endif
