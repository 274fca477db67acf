/* SPDX-License-Identifier: MIT */
/* strerror with Linux's texts, in place of newlib's. */
#include <errno.h>
#include <reent.h>
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

/* newlib's perror, psignal and strerror_r call it, too. */
char *_strerror_r(struct _reent *, int error, int, int *)
{
	static const char start[] = "Unknown error ";
	static __thread char unknown[32];
	if (error >= 0 && (size_t)error < sizeof(texts) / sizeof(texts[0]) && texts[error])
		return (char *)texts[error];
	/* Without snprintf, which every program that prints an error would otherwise link. */
	char *at = mempcpy(unknown, start, sizeof(start) - 1), digits[12], *digit = digits + sizeof(digits);
	unsigned rest = error < 0 ? -(unsigned)error : (unsigned)error;
	do
		*--digit = (char)('0' + rest % 10);
	while (rest /= 10);
	if (error < 0)
		*--digit = '-';
	at = mempcpy(at, digit, (size_t)(digits + sizeof(digits) - digit));
	*at = 0;
	return unknown;
}

char *strerror(int error)
{
	return _strerror_r(_REENT, error, 0, NULL);
}

char *strerror_l(int error, locale_t)
{
	return strerror(error);
}
