/* SPDX-License-Identifier: MIT */
/* Locales: which names are known, by argument and by environment, and what UTF-8 takes for a character. */
#include <iconv.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <wchar.h>

#include "say.h"

static const char *const names[] = {
	"C",     "POSIX",   "C.UTF-8",     "C.utf8", "C.UTF8",     "C.utf-8",      "c.utf8", "xx", "xx_XX.UTF-8", "C.",
	"xx_YY", "C-UTF-8", "C.UTF-8@foo", "xy",     "xx_XX@euro", "C.ISO-8859-1", "UTF-8",  "CC", "POSIX.UTF-8"};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *text_of(const char *text)
{
	return text ? text : "none";
}

static void by_name(const char *name)
{
	setlocale(LC_ALL, "C");
	printf("%s: %s", name, text_of(setlocale(LC_ALL, name)));
	printf(" %s %s %d", setlocale(LC_ALL, NULL), nl_langinfo(CODESET), (int)MB_CUR_MAX);
	printf(" %s", text_of(setlocale(LC_CTYPE, name)));
	printf(" %s", text_of(setlocale(LC_TIME, name)));
	errno = 0;
	locale_t made = newlocale(LC_ALL_MASK, name, (locale_t)0);
	printf(" %s", made ? nl_langinfo_l(CODESET, made) : "none");
	if (made)
		freelocale(made);
	errno = 0;
	made = newlocale(LC_CTYPE_MASK, name, (locale_t)0);
	printf(" %s\n", made ? nl_langinfo_l(CODESET, made) : "none");
	if (made)
		freelocale(made);
}

/* What "" is where the environment has these; NULL for what is not set. */
static void by_environment(const char *all, const char *ctype, const char *lang)
{
	unsetenv("LC_ALL");
	unsetenv("LC_CTYPE");
	unsetenv("LANG");
	if (all)
		setenv("LC_ALL", all, 1);
	if (ctype)
		setenv("LC_CTYPE", ctype, 1);
	if (lang)
		setenv("LANG", lang, 1);
	setlocale(LC_ALL, "C");
	printf("LC_ALL=%s LC_CTYPE=%s LANG=%s:", text_of(all), text_of(ctype), text_of(lang));
	printf(" %s", text_of(setlocale(LC_CTYPE, "")));
	printf(" %s", text_of(setlocale(LC_TIME, "")));
	setlocale(LC_ALL, "C");
	printf(" %d", setlocale(LC_ALL, "") != NULL);
	printf(" %s %s %s", setlocale(LC_CTYPE, NULL), setlocale(LC_TIME, NULL), nl_langinfo(CODESET));
	errno = 0;
	locale_t made = newlocale(LC_ALL_MASK, "", (locale_t)0);
	printf(" %s\n", made ? nl_langinfo_l(CODESET, made) : "none");
	if (made)
		freelocale(made);
}

static void mixed(void)
{
	setlocale(LC_ALL, "C");
	setlocale(LC_CTYPE, "C.UTF-8");
	char *before = strdup(setlocale(LC_ALL, NULL));
	setlocale(LC_ALL, "C");
	printf("%d", setlocale(LC_ALL, before) != NULL);
	printf(" %s %s\n", setlocale(LC_CTYPE, NULL), setlocale(LC_TIME, NULL));
	free(before);
	errno = 0;
	printf("%s", text_of(setlocale(99, "C")));
	printf(" %s", errno_name(errno));
	errno = 0;
	const char *volatile none = NULL;
	printf(" %d", newlocale(LC_ALL_MASK, none, (locale_t)0) == (locale_t)0);
	printf(" %s\n", errno_name(errno));
	setlocale(LC_ALL, "C");
	iconv_t ascii = iconv_open("UTF-8", nl_langinfo(CODESET));
	printf("%d\n", ascii != (iconv_t)-1);
	iconv_close(ascii);
}

static void utf8(void)
{
	static const char *const texts[] = {"\xed\xa0\x80",
	                                    "\xed\xaf\xbf",
	                                    "\xed\xbf\xbf",
	                                    "\xed\x9f\xbf",
	                                    "\xee\x80\x80",
	                                    "\xed\xa0",
	                                    "\xc3\xa9",
	                                    "\xc0\x80",
	                                    "\xf0\x9f\x98\x80",
	                                    "\xe2\x82",
	                                    "a",
	                                    ""};
	static const wchar_t wides[] = {0x7f,   0x80,   0x7ff,  0x800,  0xd7ff, 0xd800,
	                                0xdbff, 0xdc00, 0xdfff, 0xe000, 0xffff, 0x10ffff};
	setlocale(LC_ALL, "C.UTF-8");
	for (size_t i = 0; i < COUNT(texts); i++) {
		wchar_t wide = 99;
		mbstate_t state = {0};
		size_t length = strlen(texts[i]);
		errno = 0;
		long result = (long)mbrtowc(&wide, texts[i], length + !length, &state);
		printf("%zu: %ld %lx %s", i, result, (long)wide, errno_name(errno));
		wchar_t all[8] = L"";
		errno = 0;
		result = (long)mbstowcs(all, texts[i], 8);
		printf(" %ld %s", result, errno_name(errno));
		printf(" %d\n", mblen(texts[i], length + !length));
		mblen(NULL, 0);
	}
	for (size_t i = 0; i < COUNT(wides); i++) {
		char out[16] = "";
		wchar_t whole[] = {'a', wides[i], 0};
		mbstate_t state = {0};
		errno = 0;
		long result = (long)wcrtomb(out, wides[i], &state);
		printf("%lx: %ld %s", (long)wides[i], result, errno_name(errno));
		errno = 0;
		result = (long)wcstombs(NULL, whole, 0);
		printf(" %ld %s", result, errno_name(errno));
		printf(" %d\n", wctomb(out, wides[i]));
	}
}

int main(void)
{
	printf("%s\n", setlocale(LC_ALL, ""));
	for (size_t i = 0; i < COUNT(names); i++)
		by_name(names[i]);
	by_environment(NULL, NULL, NULL);
	by_environment(NULL, NULL, "C.UTF-8");
	by_environment(NULL, NULL, "xx_XX.UTF-8");
	by_environment(NULL, "C.UTF-8", "C");
	by_environment(NULL, "C", "C.UTF-8");
	by_environment(NULL, "xx", "C.UTF-8");
	by_environment("C.UTF-8", "xx", "xx");
	by_environment("POSIX", "C.UTF-8", "C.UTF-8");
	by_environment("xx", "C", "C");
	by_environment("", "", "C.utf8");
	by_environment("", "", "");
	mixed();
	utf8();
	return 0;
}
