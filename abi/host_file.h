/* SPDX-License-Identifier: MIT */
/* The host's files, as the guest asks for them (DOORBELL_HOST_FILE). Objects are known by handles: the roots that
 * boot_info.host names have 0, 1, ..., every other object gets the next number when it is first looked at. */
#ifndef ABI_HOST_FILE_H
#define ABI_HOST_FILE_H

#include <stdint.h>

enum host_file_op {
	/**
	 * The names in a directory, without . and .., in byte order, as struct host_file_name[] in `buffer`, from the
	 * `offset`th name on, as many as fit. Answers their number, and in attributes.size that of all names. Devices,
	 * sockets and FIFOs are not among them.
	 */
	HOST_FILE_LIST = 1,
	/**
	 * Looks at what `name` leads to from a directory, following nothing: at the object of that name, or, of names
	 * with one slash between each two, at each on the way; at the object itself when `name` is empty. In `buffer`,
	 * which has HOST_FILE_LOOK_BYTES, are then struct host_file_looked[], up to the first that is no directory or
	 * that there is none of, and behind the last, when that is a link, its target without a NUL. Answers how many.
	 * The last may have an error for a handle; an error of the first is the answer. `offset` is 1 if the first name
	 * was listed. If there is nothing of a name that was listed, or something of one that there was nothing of, the
	 * run ends.
	 */
	HOST_FILE_LOOK,
	/**
	 * Reads a regular file as a whole into the struct host_file_piece[] that fill `buffer`; together they are as
	 * large as HOST_FILE_LOOK said. `offset` is 0. If the file is not what it was, the run ends. Answers 0.
	 */
	HOST_FILE_LOAD,
	/**
	 * Looks at `offset` names of a directory at once, at most HOST_FILE_LOOKS_MAX, which are struct
	 * host_file_name[] in `buffer`, of any type, and were listed. The answers are written over them: struct
	 * host_file_looked[]. Answers 0.
	 */
	HOST_FILE_LOOK_MANY,
};

#define HOST_FILE_UNLISTABLE 1U /**< of a directory: the host does not let it be read */

/** What a guest may know of an object: owner, numbers and links are its own affair. */
struct host_file_attributes {
	uint64_t size;    /**< of a file, or of a link's target; 0 for a directory */
	int64_t mtime_ns; /**< since 1970, as --file-times has it; with host of regular files alone, else 0 */
	uint32_t mode;    /**< LINUX_S_IFREG, _IFDIR or _IFLNK, and permissions; other kinds are not shown */
	uint32_t flags;   /**< HOST_FILE_UNLISTABLE */
};

/** One name of HOST_FILE_LIST; the next one follows at once. */
struct host_file_name {
	uint8_t type;   /**< LINUX_DT_REG, _DIR, _LNK, or LINUX_DT_UNKNOWN */
	uint8_t length; /**< of the name, without a NUL */
	char name[];
};

#define HOST_FILE_LIST_BYTES 0x10000UL /* of the buffer of HOST_FILE_LIST, at the most */

#define HOST_FILE_LOOKS_MAX 128

/** The answer for one name. */
struct host_file_looked {
	/** The same each time; or a negative errno; -ELOOP for a link that was looked at with many. */
	int64_t handle;
	struct host_file_attributes attributes;
};

/** Of HOST_FILE_LOOK's buffer: names of one byte each, and a target. */
#define HOST_FILE_LOOK_BYTES (HOST_FILE_LOOKS_MAX * sizeof(struct host_file_looked) + 4096)

#define HOST_FILE_PIECES_MAX 65536

struct host_file_piece {
	uint64_t address; /**< guest-physical */
	uint64_t bytes;
};

/**
 * DOORBELL_HOST_FILE's argument. The answer may be -ENOENT, -EACCES, -ENAMETOOLONG, ..., as the host's calls fail. A
 * request that is not as it is described here ends the run.
 */
struct host_file_request {
	uint32_t op; /**< enum host_file_op */
	uint32_t handle;
	uint64_t buffer; /**< guest-physical */
	uint64_t buffer_bytes;
	uint64_t offset;
	struct host_file_attributes attributes;
	char name[256]; /**< for HOST_FILE_LOOK: ended by a NUL; none of the names is . or .. */
};

/**
 * Answers to requests that are to come. The monitor may put some, which it thinks will be wanted next, into
 * boot_info.host_ahead, also while the guest runs: a struct host_file_ahead with entries behind it. A guest that is
 * about to make the request of the next entry takes what is there for the answer. It rings the doorbell when there is
 * none, when the next one is of another request, which gives up all that were not taken, or says that it has to be
 * asked for; and once more when the answer is HOST_FILE_AGAIN: the entry has come in between. What is not taken soon is
 * revoked: the guest says that it takes something before it looks whether it may, and the monitor revokes before it
 * looks whether the guest does, so that one of them sees the other (Dekker's algorithm).
 */
struct host_file_ahead {
	uint32_t count;   /**< entries that are there */
	uint32_t taken;   /**< how many of them the guest took */
	uint64_t next;    /**< where the next one is, from here */
	uint32_t taking;  /**< 1: the guest looks at the entries */
	uint32_t revoked; /**< 1: all that were not taken are void, until the doorbell was rung */
};

#define HOST_FILE_AHEAD_BYTES 0x20000UL /* of all */
#define HOST_FILE_AGAIN INT64_MIN       /* an answer */

/** One request with its answer; everything of it begins at a multiple of HOST_FILE_AHEAD_ALIGN bytes. */
struct host_file_ahead_entry {
	uint32_t op;
	uint32_t handle;
	uint64_t offset;
	int64_t answer;      /**< HOST_FILE_AGAIN: it has to be asked for */
	uint64_t listed;     /**< of HOST_FILE_LIST: attributes.size */
	uint32_t key_bytes;  /**< of HOST_FILE_LOOK: the name with its NUL; of _LOOK_MANY: the buffer; of others 0 */
	uint32_t data_bytes; /**< behind the key: what goes into the buffer, or into the pieces */
};

#define HOST_FILE_AHEAD_ALIGN 8UL

_Static_assert(sizeof(struct host_file_attributes) == 24, "host_file_attributes");
_Static_assert(sizeof(struct host_file_looked) == 32, "host_file_looked");
_Static_assert(sizeof(struct host_file_request) == 312, "host_file_request");
_Static_assert(sizeof(struct host_file_ahead) == 24, "host_file_ahead");
_Static_assert(sizeof(struct host_file_ahead_entry) == 40, "host_file_ahead_entry");

#endif
