/* SPDX-License-Identifier: MIT */
/* Visits all objects of an EROFS image, which may be hostile. */
#ifndef HYPERVISOR_EROFS_WALK_H
#define HYPERVISOR_EROFS_WALK_H

#include "eri/erofs_file.h"

/**
 * Calls each() for each object below the directory `top`, whose path has no leading slash and is "" for the root.
 * `path` is the object's path in the image. Objects of one directory come together, in ascending order of bytes. Ends
 * for every image: a directory that has two names is -EUCLEAN. Returns 0, the first result of each() other than 0,
 * -ENOENT, -ENOTDIR, -ENOMEM, -ENAMETOOLONG, or an error of erofs_file_node or erofs_file_list.
 */
int erofs_walk(const struct erofs_file *file, const char *top,
               int (*each)(void *context, const char *path, const struct erofs_node *node), void *context);

#endif
