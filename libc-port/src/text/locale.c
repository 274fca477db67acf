/* SPDX-License-Identifier: MIT */
/* The locales C and C.UTF-8, the only ones. newlib's setlocale accepts any name of the right form and treats unknown
 * ones as 8-bit. Its UTF-8 accepts UTF-16 surrogates as characters, and its C names another character set. */
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <reent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

/* newlib's own are renamed when its archive is put together (newlib.mk). */
char *__newlib_setlocale(int category, const char *name);
locale_t __newlib_newlocale(int mask, const char *name, locale_t base);
char *__newlib_nl_langinfo_l(nl_item item, locale_t locale);
int __newlib___utf8_mbtowc(struct _reent *reent, wchar_t *wide, const char *s, size_t n, mbstate_t *state);
int __newlib___utf8_wctomb(struct _reent *reent, char *s, wchar_t wide, mbstate_t *state);

/* Functions in newlib's tables. */
int __utf8_mbtowc(struct _reent *reent, wchar_t *wide, const char *s, size_t n, mbstate_t *state);
int __utf8_wctomb(struct _reent *reent, char *s, wchar_t wide, mbstate_t *state);
const char *__get_locale_env(struct _reent *reent, int category);

enum { CATEGORIES = LC_MESSAGES + 1 };

/* Whether the LENGTH bytes name a locale. Its character set has several spellings, and a modifier may follow. */
static bool is_locale(const char *name, size_t length)
{
	const char *modifier = memchr(name, '@', length);
	if (modifier)
		length = (size_t)(modifier - name);
	return (length == 1 && *name == 'C') || (length == 5 && strncmp(name, "POSIX", 5) == 0) ||
	       (length == 7 && strncmp(name, "C.", 2) == 0 && strncasecmp(name + 2, "UTF-8", 5) == 0) ||
	       (length == 6 && strncmp(name, "C.", 2) == 0 && strncasecmp(name + 2, "UTF8", 4) == 0);
}

/* Whether a name is known: of one category, or a list for all categories as setlocale(LC_ALL, NULL) returns it. */
static bool are_known(const char *names, bool several)
{
	for (;;) {
		size_t length = several ? strcspn(names, "/") : strlen(names);
		if (!is_locale(names, length))
			return false;
		if (names[length] == 0)
			return true;
		names += length + 1;
	}
}

/* Whether the environment names known locales for the categories in a set of bits. */
static bool environment_known(unsigned categories)
{
	for (int i = 1; i < CATEGORIES; i++)
		if ((categories >> i & 1) && !are_known(__get_locale_env(_REENT, i), false))
			return false;
	return true;
}

char *setlocale(int category, const char *name)
{
	if (category < 0 || category >= CATEGORIES)
		return errno = EINVAL, NULL;
	if (name && !(*name ? are_known(name, category == LC_ALL)
	                    : environment_known(category == LC_ALL ? ~0U : 1U << category)))
		return errno = ENOENT, NULL;
	return __newlib_setlocale(category, name);
}

locale_t newlocale(int mask, const char *name, locale_t base)
{
	bool all = mask & LC_ALL_MASK;
	if (!name || (mask & ~((1 << CATEGORIES) - 1)))
		return errno = EINVAL, NULL;
	if (!(*name ? are_known(name, false) : environment_known(all ? ~0U : (unsigned)mask)))
		return errno = ENOENT, NULL;
	return __newlib_newlocale(mask, name, base);
}

char *nl_langinfo_l(nl_item item, locale_t locale)
{
	static char ascii[] = "ANSI_X3.4-1968";
	char *text = __newlib_nl_langinfo_l(item, locale);
	return item == CODESET && strcmp(text, "UTF-8") != 0 ? ascii : text;
}

char *nl_langinfo(nl_item item)
{
	locale_t locale = uselocale(NULL);
	return nl_langinfo_l(item, locale);
}

static bool is_surrogate(wchar_t wide)
{
	return wide >= 0xd800 && wide <= 0xdfff;
}

int __utf8_mbtowc(struct _reent *reent, wchar_t *wide, const char *s, size_t n, mbstate_t *state)
{
	wchar_t found = 0;
	int length = __newlib___utf8_mbtowc(reent, &found, s, n, state);
	if (length > 0 && is_surrogate(found)) {
		reent->_errno = EILSEQ;
		return -1;
	}
	if (s && wide && length >= 0)
		*wide = found;
	return length;
}

int __utf8_wctomb(struct _reent *reent, char *s, wchar_t wide, mbstate_t *state)
{
	if (s && is_surrogate(wide)) {
		reent->_errno = EILSEQ;
		return -1;
	}
	return __newlib___utf8_wctomb(reent, s, wide, state);
}
