/* SPDX-License-Identifier: MIT */
/* Standard input of tries. */
#ifndef HYPERVISOR_SEARCH_INPUT_H
#define HYPERVISOR_SEARCH_INPUT_H

/** Keeps what standard input has, unless it is a terminal: each try reads it from the beginning. Returns a descriptor,
 * or -1 if there is nothing to read. Ends eremite on an error. */
int search_input_keep(const char *verb);

#endif
