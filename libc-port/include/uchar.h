/* SPDX-License-Identifier: MIT */
/* Unicode characters of 16 and 32 bits (C11 7.28). */
#ifndef _UCHAR_H
#define _UCHAR_H

#include <stddef.h>
#include <wchar.h>

__BEGIN_DECLS

#ifndef __cplusplus
typedef __CHAR16_TYPE__ char16_t;
typedef __CHAR32_TYPE__ char32_t;
#endif

size_t mbrtoc16(char16_t *__restrict __c, const char *__restrict __s, size_t __n, mbstate_t *__restrict __state);
size_t c16rtomb(char *__restrict __s, char16_t __c, mbstate_t *__restrict __state);
size_t mbrtoc32(char32_t *__restrict __c, const char *__restrict __s, size_t __n, mbstate_t *__restrict __state);
size_t c32rtomb(char *__restrict __s, char32_t __c, mbstate_t *__restrict __state);

__END_DECLS

#endif
