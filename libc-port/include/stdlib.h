/* SPDX-License-Identifier: MIT */
/* Over newlib's <stdlib.h>: what POSIX and Linux programs expect beyond it. */
#ifndef EREMITE_STDLIB_H
#define EREMITE_STDLIB_H

#include_next <stdlib.h>

__BEGIN_DECLS
#if __POSIX_VISIBLE >= 200112
int posix_memalign(void **__memory, size_t __alignment, size_t __size);
#endif
#if __XSI_VISIBLE
int posix_openpt(int __flags);
int grantpt(int __fd);
int unlockpt(int __fd);
char *ptsname(int __fd);
#endif
#if __BSD_VISIBLE
const char *getprogname(void);
void setprogname(const char *__name);
#endif
#if __MISC_VISIBLE
int clearenv(void);
int getloadavg(double *__loads, int __count);
#endif
#if __GNU_VISIBLE
char *secure_getenv(const char *__name);
char *canonicalize_file_name(const char *__name);
#endif
__END_DECLS

#endif
