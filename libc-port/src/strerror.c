/* SPDX-License-Identifier: MIT */
/* strerror with Linux's texts, in place of newlib's. */
#include <errno.h>
#include <reent.h>
#include <stdio.h>
#include <string.h>

#include <bits/errno_list.h>

static const char *const texts[] = {[0] = "Success",
#define TEXT(name, number, text) [number] = text,
                                    ERRNO_LIST(TEXT)
#undef TEXT
};

#define CHECK(name, number, text) _Static_assert(name == number, #name);
ERRNO_LIST(CHECK)
#undef CHECK

/* newlib's perror, psignal and strerror_r come here, too. */
char *_strerror_r(struct _reent *reent, int error, int internal, int *status)
{
	static __thread char unknown[32];
	(void)reent, (void)internal, (void)status;
	if (error >= 0 && (size_t)error < sizeof(texts) / sizeof(texts[0]) && texts[error])
		return (char *)texts[error];
	snprintf(unknown, sizeof(unknown), "Unknown error %d", error);
	return unknown;
}

char *strerror(int error)
{
	return _strerror_r(_REENT, error, 0, NULL);
}

char *strerror_l(int error, locale_t locale)
{
	(void)locale;
	return strerror(error);
}
