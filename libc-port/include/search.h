/* SPDX-License-Identifier: MIT */
/* Over newlib's <search.h>: queues and linear search (insque(3), lsearch(3)). */
#ifndef EREMITE_SEARCH_H
#define EREMITE_SEARCH_H

#include_next <search.h>
#include <stddef.h>

__BEGIN_DECLS
void insque(void *__element, void *__before);
void remque(void *__element);
void *lfind(const void *__key, const void *__base, size_t *__count, size_t __width,
            int (*__compare)(const void *, const void *));
void *lsearch(const void *__key, void *__base, size_t *__count, size_t __width,
              int (*__compare)(const void *, const void *));
__END_DECLS

#endif
