/* SPDX-License-Identifier: MIT */
/* Text that grows, for the contents of files in /proc. */
#ifndef KERNEL_LINUX_FILES_TEXT_H
#define KERNEL_LINUX_FILES_TEXT_H

#include <stddef.h>
#include <stdint.h>

/** All zero at first; `at` comes from kmalloc. After an error nothing more is added. */
struct text {
	char *at;
	size_t bytes, room;
	int error; /**< 0 or -ENOMEM */
};

/** Adds bytes. */
void text_add(struct text *text, const void *from, size_t bytes);

/** Adds the output of format (format.h), at most 511 bytes, without the NUL. */
void text_print(struct text *text, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/** Adds a number in base 8, padded with zeros to `width` digits. */
void text_octal(struct text *text, uint64_t number, unsigned width);

#endif
