/* SPDX-License-Identifier: MIT */
/* What `eremite run` is given: an image, or a program of Linux, which the image with the Linux personality runs. */
#ifndef HYPERVISOR_PROGRAM_H
#define HYPERVISOR_PROGRAM_H

#include <stdbool.h>

/**
 * Whether the file is for Linux: an ELF program without the Eremite note, or a script. What cannot be read, or is
 * neither, is left to image_load, which says what is wrong with it.
 */
bool program_is_linux(const char *path);

/** Where the image that runs Linux programs is installed: path[], as long as PATH_MAX. 0 or a negative errno. */
int program_linux_image(char *path);

#endif
