/* SPDX-License-Identifier: MIT */
/* Messages (gettext(3)): there are no catalogues, so that each message is its own translation. */
#ifndef _LIBINTL_H
#define _LIBINTL_H

#include <sys/cdefs.h>

__BEGIN_DECLS

char *gettext(const char *__message) __attribute__((format_arg(1)));
char *dgettext(const char *__domain, const char *__message) __attribute__((format_arg(2)));
char *dcgettext(const char *__domain, const char *__message, int __category) __attribute__((format_arg(2)));
char *ngettext(const char *__one, const char *__many, unsigned long __count)
	__attribute__((format_arg(1), format_arg(2)));
char *dngettext(const char *__domain, const char *__one, const char *__many, unsigned long __count)
	__attribute__((format_arg(2), format_arg(3)));
char *dcngettext(const char *__domain, const char *__one, const char *__many, unsigned long __count, int __category)
	__attribute__((format_arg(2), format_arg(3)));
char *textdomain(const char *__domain);
char *bindtextdomain(const char *__domain, const char *__folder);
char *bind_textdomain_codeset(const char *__domain, const char *__codeset);

__END_DECLS

#endif
