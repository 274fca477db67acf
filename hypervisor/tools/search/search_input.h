/* SPDX-License-Identifier: MIT */
/* Standard input of tries. */
#ifndef HYPERVISOR_SEARCH_INPUT_H
#define HYPERVISOR_SEARCH_INPUT_H

#include <stdint.h>
#include <stdio.h>

/** Keeps what standard input has, unless it is a terminal: each try reads it from the beginning. Returns a descriptor,
 * or -1 if there is nothing to read. Ends eremite on an error. */
int search_input_keep(const char *verb);

/** The number of bytes that were kept; 0: none. */
uint64_t search_input_bytes(void);

/** The path of the file that standard input was, from its beginning; NULL if it was none, or nobody knows its path. */
const char *search_input_file(void);

/** Takes the description of an input that other searches have read, for search_input_put. `path` may be NULL. */
void search_input_describe(uint64_t size, const char *path);

/** Ends the line of a command that reads the same input: with " < FILE", or by a note in a line of its own. */
void search_input_put(FILE *to);

#endif
