/* SPDX-License-Identifier: MIT */
/* Text about images that several verbs print. An image's strings may be hostile: they reach a terminal by
 * image_text_print() only. */
#ifndef HYPERVISOR_IMAGE_TEXT_H
#define HYPERVISOR_IMAGE_TEXT_H

#include <stdio.h>

#include "base/error.h"
#include "eri/eri_image.h"

/** Bytes of a path below a tree as the guest names it. */
#define IMAGE_TEXT_PATH (2 * PATH_MAX)

/** Prints one line, in which printable_line() has escaped what a terminal would not show, and a newline. */
void image_text_print(FILE *to, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/** Returns words as a shell takes them, with a space between them; the caller frees the text. */
char *image_text_words(char *const *words, unsigned count);

/** Writes what image_text_words has returned so that a terminal shows it and bash(1) takes it: in quotes, bytes that a
 * terminal would obey or hide become $'\\ooo'. */
void image_text_put_words(FILE *to, const char *words);

/** Returns what image_text_put_words writes; the caller frees the text. */
char *image_text_shown(const char *words);

/** As image_text_words, with bytes that are no UTF-8, which JSON cannot have, as $'\\ooo'; other bytes stay. */
char *image_text_words_utf8(char *const *words, unsigned count);

/** Returns the command line of a step, `eremite run OPTION... -- PROGRAM ARGUMENT...`; the caller frees it. */
char *image_text_command(const struct eri_step *step);

/** Writes the guest's path of a name: the path of its tree, and its own path below that. */
void image_text_path(const struct eri_step *step, unsigned tree, const char *below, char path[IMAGE_TEXT_PATH]);

/** Opens a step's table of names, and checks its SHA-256. The caller frees block->copy. Returns 0, or a negative errno
 * with one line in *error. */
int image_text_names(const struct eri_image *image, const struct eri_step *step, struct eri_block *block,
                     struct eri_names *names, struct error *error);

/** Computes the SHA-256 of a file of the image, in digits. Returns 0, or a negative errno with one line in *error. */
int image_text_hash(const struct eri_image *image, const char *path, char hex[2 * DIGEST_BYTES + 1],
                    struct error *error);

#endif
