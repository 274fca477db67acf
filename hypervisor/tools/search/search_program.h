/* SPDX-License-Identifier: MIT */
/* The files of the host that a search runs: the program, and those that its arguments name, such as a script. */
#ifndef HYPERVISOR_SEARCH_PROGRAM_H
#define HYPERVISOR_SEARCH_PROGRAM_H

#include <limits.h>

#include "base/digest.h"
#include "search/search_option.h"

/** Returns the regular file that a word of the command line names, in `path` or the word itself: the program in the
 * guest's PATH, or what the word leads to here. With --root, both are below its directory; of an image, the program is
 * the image. NULL: none. Called when the options of the runs are known. */
const char *search_program_file(const struct search_option *option, unsigned index, char path[PATH_MAX]);

/** Computes the SHA-256 of these files. Ends eremite if one cannot be read. */
void search_program_hash(const struct search_option *option, uint8_t to[DIGEST_BYTES]);

/** Notes the SHA-256 in the option, for results that a later search or a merge reads. */
void search_program_note(struct search_option *option);

/** The word of the command line whose file has other contents than search_program_note() has seen; NULL: none. */
const char *search_program_changed(const struct search_option *option);

/** Adds the contents of a file from its begin. Returns 0 or a negative errno. */
int search_program_add_contents(struct digest_sum *sum, int fd);

#endif
