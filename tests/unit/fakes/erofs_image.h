/* SPDX-License-Identifier: MIT */
/* EROFS images for tests, made by mkfs.erofs from a directory tree. */
#ifndef TESTS_UNIT_EROFS_IMAGE_H
#define TESTS_UNIT_EROFS_IMAGE_H

#include <stddef.h>
#include <stdint.h>

/** Makes a tree with files of many sizes, links, a large directory and a sparse file below a new directory. */
void erofs_image_make_tree(char path[static 64]);

/** Removes the tree. */
void erofs_image_remove_tree(const char *path);

/**
 * Makes an image of the tree with more options for mkfs.erofs. Returns page-aligned memory for the caller to free;
 * NULL when there is no mkfs.erofs.
 */
uint8_t *erofs_image_make(const char *tree, const char *options, size_t *bytes);

#endif
