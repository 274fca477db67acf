/* SPDX-License-Identifier: MIT */
/* What `eremite run` is given: an image, or a program of Linux, which the image with the Linux personality runs. */
#ifndef HYPERVISOR_PROGRAM_H
#define HYPERVISOR_PROGRAM_H

enum program_kind {
	PROGRAM_OTHER, /**< cannot be read, or is none of the others: image_load says what is wrong with it */
	PROGRAM_IMAGE, /**< an ELF program with the Eremite note */
	PROGRAM_LINUX, /**< one without, or a script: with #!, or text that may be executed */
};

/** What a file is, as far as its first bytes and its program headers tell. */
enum program_kind program_kind(const char *path);

/** Where the image that runs Linux programs is installed: path[], as long as PATH_MAX. 0 or a negative errno. */
int program_linux_image(char *path);

#endif
