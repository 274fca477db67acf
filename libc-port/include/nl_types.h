/* SPDX-License-Identifier: MIT */
/* Message catalogues (catopen(3)): there are none, so every message is the caller's default. */
#ifndef _NL_TYPES_H
#define _NL_TYPES_H

#include <sys/cdefs.h>

__BEGIN_DECLS

#define NL_SETD 1
#define NL_CAT_LOCALE 1

typedef void *nl_catd;
#ifndef _NL_ITEM_DECLARED
typedef int nl_item;
#define _NL_ITEM_DECLARED
#endif

nl_catd catopen(const char *__name, int __flag);
char *catgets(nl_catd __catalog, int __set, int __message, const char *__default);
int catclose(nl_catd __catalog);

__END_DECLS

#endif
