/* SPDX-License-Identifier: MIT */
/* The kind of program given to `eremite run`: an image, or a Linux program, which the image with the Linux personality
 * runs. */
#ifndef HYPERVISOR_PROGRAM_H
#define HYPERVISOR_PROGRAM_H

enum program_kind {
	PROGRAM_OTHER, /**< unreadable, or neither of the others; image_load reports why */
	PROGRAM_IMAGE, /**< an ELF program with the Eremite note */
	PROGRAM_LINUX, /**< an ELF program without the note, or a script: with #!, or executable text */
};

/** Determines the kind of a file by its first bytes and its program headers. */
enum program_kind program_kind(const char *path);

/** Writes the path of the image that runs Linux programs to path[PATH_MAX]. Returns 0 or a negative errno. */
int program_linux_image(char *path);

#endif
