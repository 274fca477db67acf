/* SPDX-License-Identifier: MIT */
/* Searches all code of a map for what must be patched. */
#ifndef HYPERVISOR_CODE_HITS_H
#define HYPERVISOR_CODE_HITS_H

#include "code/code_search.h"

/** Adds the patches of all areas to the result, in the order of the file. Returns 0 or a negative errno with *error.
 */
int code_hits_search(struct code_search *search);

#endif
