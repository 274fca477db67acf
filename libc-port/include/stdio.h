/* SPDX-License-Identifier: MIT */
/* Over newlib's <stdio.h>: getline under its POSIX name, and the locks of a stream as functions. */
#ifndef EREMITE_STDIO_H
#define EREMITE_STDIO_H

#include_next <stdio.h>

__BEGIN_DECLS
#if __POSIX_VISIBLE >= 200809
ssize_t getline(char **__restrict __line, size_t *__restrict __size, FILE *__restrict __stream);
ssize_t getdelim(char **__restrict __line, size_t *__restrict __size, int __delimiter, FILE *__restrict __stream);
#endif
#if __POSIX_VISIBLE
void flockfile(FILE *__stream);
int ftrylockfile(FILE *__stream);
void funlockfile(FILE *__stream);
#endif
#if __GNU_VISIBLE
#define RENAME_NOREPLACE 1
#define RENAME_EXCHANGE 2
int renameat2(int __from_fd, const char *__from, int __to_fd, const char *__to, unsigned int __flags);
#endif
__END_DECLS

#endif
