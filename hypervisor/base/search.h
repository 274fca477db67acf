/* SPDX-License-Identifier: MIT */
/* Binary search. */
#ifndef HYPERVISOR_SEARCH_H
#define HYPERVISOR_SEARCH_H

#include <stddef.h>

/**
 * The index of the first of `count` sorted elements for which `is_before`, an expression with the index `at`, is false;
 * `count` if it is true for all. It must be true for the elements before that one, and for no other.
 */
#define search_first(count, at, is_before) \
	({ \
		size_t first_ = 0, end_ = (count); \
		while (first_ < end_) { \
			const size_t at = first_ + (end_ - first_) / 2; \
			if (is_before) \
				first_ = at + 1; \
			else \
				end_ = at; \
		} \
		first_; \
	})

#endif
