/* SPDX-License-Identifier: MIT */
/* libarchive, loaded on demand instead of with eremite: only images of containers need it. */
#ifndef HYPERVISOR_LIBARCHIVE_H
#define HYPERVISOR_LIBARCHIVE_H

#include <archive.h>
#include <archive_entry.h>

#include "base/error.h"

/** The functions used from the library: archive_NAME is libarchive.NAME. */
#define LIBARCHIVE_FUNCTIONS(X) \
	X(entry_filetype) \
	X(entry_gid) \
	X(entry_hardlink) \
	X(entry_mtime) \
	X(entry_mtime_nsec) \
	X(entry_pathname) \
	X(entry_perm) \
	X(entry_size) \
	X(entry_symlink) \
	X(entry_uid) \
	X(error_string) \
	X(read_append_filter) \
	X(read_data) \
	X(read_data_block) \
	X(read_free) \
	X(read_new) \
	X(read_next_header) \
	X(read_open) \
	X(read_open_fd) \
	X(read_support_format_empty) \
	X(read_support_format_raw) \
	X(read_support_format_tar) \
	X(set_error)

struct libarchive {
#define LIBARCHIVE_MEMBER(name) __typeof__(archive_##name) *name;
	LIBARCHIVE_FUNCTIONS(LIBARCHIVE_MEMBER)
#undef LIBARCHIVE_MEMBER
};

/** Valid after libarchive_load. */
extern struct libarchive libarchive;

/** Loads the library at the first call, whose result later ones return. Returns 0, or a negative errno with one line in
 * *error. */
int libarchive_load(struct error *error);

#endif
