/* SPDX-License-Identifier: MIT */
/* getline(3), which newlib has under other names. */
#include <stdio.h>

ssize_t getdelim(char **restrict line, size_t *restrict size, int delimiter, FILE *restrict stream)
{
	return __getdelim(line, size, delimiter, stream);
}

ssize_t getline(char **restrict line, size_t *restrict size, FILE *restrict stream)
{
	return __getline(line, size, stream);
}
