/* SPDX-License-Identifier: MIT */
/* Go programs contain Go's runtime, whose threads share most of its memory. A switch there is seldom that of a bug. The
 * same holds for programs that are linked to the runtime of a sanitizer. */
#ifndef HYPERVISOR_SEARCH_GO_H
#define HYPERVISOR_SEARCH_GO_H

#include "code/code_shared.h"

/** Leaves out the instructions of a list that are in the runtime of the program `path`, as long as others are left. */
void search_go_filter(struct code_shared *shared, const char *path);

#endif
