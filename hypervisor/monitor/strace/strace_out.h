/* SPDX-License-Identifier: MIT */
/* Where the lines of --strace go: a file or standard error, by a buffer. */
#ifndef HYPERVISOR_STRACE_OUT_H
#define HYPERVISOR_STRACE_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STRACE_OUT_BYTES 0x8000
#define STRACE_OUT_FORMATTED 1000 /* bytes of formatted text */

struct strace_out {
	int fd;
	const bool *giving_up; /**< atomic: what cannot be written soon is dropped; or NULL */
	int error;             /**< of the first failed write: a positive errno; nothing is written after it */
	unsigned column;       /**< bytes of the line so far */
	size_t used;
	char bytes[STRACE_OUT_BYTES];
};

/** Appends bytes, or formatted text of less than STRACE_OUT_FORMATTED bytes. */
void strace_out_bytes(struct strace_out *out, const char *from, size_t bytes);
void strace_out_text(struct strace_out *out, const char *text);
void strace_out_format(struct strace_out *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Appends blanks up to a column. */
void strace_out_pad(struct strace_out *out, unsigned column);

/** Writes out what was appended. */
void strace_out_flush(struct strace_out *out);

#endif
