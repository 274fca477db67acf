/* SPDX-License-Identifier: MIT */
/* Before newlib's <regex.h>, which uses off_t without saying where it comes from. */
#ifndef EREMITE_REGEX_H
#define EREMITE_REGEX_H

#include <sys/types.h>
#include_next <regex.h>

#endif
