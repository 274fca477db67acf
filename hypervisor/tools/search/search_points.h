/* SPDX-License-Identifier: MIT */
/* Where later tries of a search switch the threads of a Linux program: before the instructions that touched memory of
 * two threads in its first tries. These have all accesses of the program's own files as decision points. */
#ifndef HYPERVISOR_SEARCH_POINTS_H
#define HYPERVISOR_SEARCH_POINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Tries that list instructions, the first ones of a search: one under fifo, the others under random. */
#define SEARCH_POINTS_TRIES 3U

/** Most instructions that are decision points of later tries; the list is an option in their commands. */
#define SEARCH_POINTS_MAX 1000U

/** Zero-initialised: no try yet. */
struct search_points {
	char *lists; /**< of all tries (code_shared.h), behind each other */
	size_t bytes;
	char *option; /**< --preempt of later tries, once search_points_settle was called; NULL: there is no list */
};

/** Adds the list of a try, which is text and unchecked. */
void search_points_add(struct search_points *points, const char *list, size_t bytes);

/** Chooses the points of later tries of a program, when all lists are there. */
void search_points_settle(struct search_points *points, const char *program);

/** Appends the options of `eremite run` that give a try its points: one that makes a list, or a later one.
 * `has_atomics`: --preempt=atomics is among the options of all tries. */
void search_points_words(const struct search_points *points, bool makes_list, bool has_atomics, char ***words,
                         int *count);

#endif
