/* SPDX-License-Identifier: MIT */
/* The host's files, as the guest asks for them (DOORBELL_HOST_FILE). Objects are known by handles: the roots that the
 * command line names have 0, 1, ..., every other object gets the next number when it is first looked at. */
#ifndef ABI_HOST_FILE_H
#define ABI_HOST_FILE_H

#include <stdint.h>

enum host_file_op {
	/**
	 * The names in a directory, without . and .., in byte order, as struct host_file_name[] in `buffer`, from the
	 * `offset`th name on, as many as fit. Answers their number; 0: there are no more.
	 */
	HOST_FILE_LIST = 1,
	/**
	 * Looks at the object `name` of a directory, following nothing: fills in `attributes`, and the target of a link
	 * in `buffer`. Answers its handle, the same each time.
	 */
	HOST_FILE_LOOK,
	/**
	 * Reads the contents of a regular file, from `offset` on, into struct host_file_piece[] at `buffer`. Its size
	 * is the one that HOST_FILE_LOOK told, or the run ends. Answers 0.
	 */
	HOST_FILE_LOAD,
};

/** What a guest may know of an object: owner, times, numbers and links are its own affair. */
struct host_file_attributes {
	uint64_t size; /**< of a file, or of a link's target */
	uint32_t mode; /**< LINUX_S_IFREG, S_IFDIR or S_IFLNK, and permissions; other kinds are not shown */
	uint32_t reserved;
};

/** One name of HOST_FILE_LIST; the next one follows at once. */
struct host_file_name {
	uint8_t type;   /**< LINUX_DT_REG, _DIR, _LNK, or LINUX_DT_UNKNOWN */
	uint8_t length; /**< of the name, without a NUL */
	char name[];
};

#define HOST_FILE_PIECES_MAX 65536

struct host_file_piece {
	uint64_t address; /**< guest-physical */
	uint64_t bytes;
};

/** DOORBELL_HOST_FILE's argument. The answer may be -ENOENT, -EACCES, -ELOOP, ..., as the host's calls fail. */
struct host_file_request {
	uint32_t op; /**< enum host_file_op */
	uint32_t handle;
	uint64_t buffer; /**< guest-physical */
	uint64_t buffer_bytes;
	uint64_t offset;
	struct host_file_attributes attributes;
	char name[256]; /**< ended by a NUL; not empty, no slash, not . or .. */
};

_Static_assert(sizeof(struct host_file_attributes) == 16, "host_file_attributes");
_Static_assert(sizeof(struct host_file_request) == 304, "host_file_request");

#endif
