/* SPDX-License-Identifier: MIT */
/* The interface through which the guest asks for the host's files (DOORBELL_HOST_FILE). Objects have handles: the roots
 * that boot_info.host names are 0, 1, ...; every other object gets the next number when the guest first looks at it. */
#ifndef ABI_HOST_FILE_H
#define ABI_HOST_FILE_H

#include <stdint.h>

enum host_file_op {
	/** Lists a directory in byte order, without . and .., as struct host_file_name[] in `buffer`. The list starts
	 * at the `offset`th name and has as many names as fit. Answers their number; attributes.size is the number of
	 * all names. Devices, sockets and FIFOs are left out. */
	HOST_FILE_LIST = 1,
	/** Looks up `name` from a directory without following links. An empty `name` means the object itself. Names
	 * separated by one slash each are looked up one after another. `buffer`, of HOST_FILE_LOOK_BYTES, receives
	 * struct host_file_looked[], up to the first object that is not a directory or does not exist. When the last
	 * object is a link, its target without a NUL follows. Answers the number of objects. The last one may have an
	 * error in place of its handle; an error of the first object is the answer itself. `offset` is 1 if the first
	 * name was listed. The run ends if a listed name no longer exists, or if a name exists that did not exist
	 * before. */
	HOST_FILE_LOOK,
	/** Reads a regular file into the struct host_file_piece[] that fill `buffer`. Either the whole file: the
	 * pieces' sizes add up to the size that HOST_FILE_LOOK answered, and `offset` is 0. Or, of a file larger than
	 * HOST_FILE_WHOLE_MAX, one chunk: it begins at `offset`, and the sizes add up to HOST_FILE_CHUNK_BYTES, or to
	 * the rest of the file in the last chunk. The run ends if the file has changed. Answers 0. */
	HOST_FILE_LOAD,
	/** Looks up `offset` names of one directory at once, at most HOST_FILE_LOOKS_MAX. `buffer`, of
	 * HOST_FILE_LOOK_BYTES, has them as struct host_file_name[], of any type; all of them were listed. The answers
	 * replace them: struct host_file_looked[], and the targets of the links among them, without a NUL. Answers 0.
	 */
	HOST_FILE_LOOK_MANY,
	/** Lists as HOST_FILE_LIST, and looks up each name as HOST_FILE_LOOK_MANY. Each entry is a struct
	 * host_file_looked, then a struct host_file_name, then the target of a link without a NUL; none is aligned.
	 * Another entry follows only if the buffer has room for at least HOST_FILE_LISTED_BYTES. */
	HOST_FILE_LIST_LOOK,
	/** Reports that the program was denied entering a directory, which has HOST_FILE_UNSEARCHABLE. The buffer is
	 * not used. Answers -EACCES, or 0 if the host permits it now. */
	HOST_FILE_SEARCH,
	/** Shows a regular file of more than HOST_FILE_SHOWN_MIN and at most HOST_FILE_SHOWN_MAX bytes as read-only
	 * memory at the guest-physical address `buffer`: a multiple of BLOCK_SIZE in the range of LAYOUT_CONTENTS,
	 * behind everything that was shown before. `buffer_bytes` is the file's size; the rest of its last page is
	 * zero. The run ends if the file has changed. Answers 0, also for a file that is shown there already; -EBUSY:
	 * something else is there, by an earlier try of a guest that makes tries, and the guest loads the file
	 * (HOST_FILE_LOAD). */
	HOST_FILE_SHOW,
	/** Lists as HOST_FILE_LIST_LOOK, but looks up directories only. The handle of every other name is -EAGAIN. */
	HOST_FILE_LIST_DIRECTORIES,
};

#define HOST_FILE_SHOWN_MIN 0x20000UL    /* bytes; smaller files cost less to copy than to map */
#define HOST_FILE_SHOWN_FILES 1024       /* files that a run may have shown */
#define HOST_FILE_SHOWN_MAX 0x40000000UL /* bytes; of larger files most programs read little */

/** A piece of what HOST_FILE_SHOW has shown that DOORBELL_COPY copies to RAM. */
struct content_copy {
	uint64_t from, to; /**< guest-physical */
	uint64_t bytes;
};

#define CONTENT_COPIES_MAX 64 /* pieces of one request */

static inline int host_file_is_list(uint32_t op)
{
	return op == HOST_FILE_LIST || op == HOST_FILE_LIST_LOOK || op == HOST_FILE_LIST_DIRECTORIES;
}

#define HOST_FILE_UNLISTABLE 1U   /**< of a directory: the host does not permit reading it */
#define HOST_FILE_UNSEARCHABLE 2U /**< of a directory: the host does not permit looking up names in it */

/** The attributes of an object that the guest may know. Owner, inode number and link count are not passed: the guest
 * makes its own. */
struct host_file_attributes {
	uint64_t size;    /**< of a file, or of a link's target; 0 for a directory */
	int64_t mtime_ns; /**< since 1970, by --file-times */
	uint32_t mode;    /**< LINUX_S_IFREG, _IFDIR or _IFLNK, and permissions; other kinds are not shown */
	uint32_t flags;   /**< HOST_FILE_UNLISTABLE, HOST_FILE_UNSEARCHABLE */
};

/** One name of HOST_FILE_LIST; the next one follows without padding. */
struct host_file_name {
	uint8_t type;   /**< LINUX_DT_REG, _DIR, _LNK, or LINUX_DT_UNKNOWN */
	uint8_t length; /**< of the name, without a NUL */
	char name[];
};

#define HOST_FILE_LIST_BYTES 0x10000UL /* maximum size of HOST_FILE_LIST's buffer */

#define HOST_FILE_LOOKS_MAX 128

/** The answer for one name. */
struct host_file_looked {
	/** The object's handle, the same each time; or a negative errno; -ELOOP for a link in HOST_FILE_LOOK_MANY whose
	 * target has no room. */
	int64_t handle;
	struct host_file_attributes attributes;
};

/** Size of the buffer of HOST_FILE_LOOK and HOST_FILE_LOOK_MANY: the most objects, and targets of links. */
#define HOST_FILE_LOOK_BYTES (HOST_FILE_LOOKS_MAX * sizeof(struct host_file_looked) + 4096)

/** The longest entry of HOST_FILE_LIST_LOOK. */
#define HOST_FILE_LISTED_BYTES (sizeof(struct host_file_looked) + sizeof(struct host_file_name) + 255 + 4096)

#define HOST_FILE_PIECES_MAX 65536

/** Files up to this size are loaded whole. It is small enough to be read in a few milliseconds. */
#define HOST_FILE_WHOLE_MAX 0x800000UL
#define HOST_FILE_CHUNK_BYTES 0x200000UL

struct host_file_piece {
	uint64_t address; /**< guest-physical */
	uint64_t bytes;
};

/** DOORBELL_HOST_FILE's argument. The answer may be an error of the host's calls: -ENOENT, -EACCES, -ENAMETOOLONG, ...
 * A request that breaks the rules of this file ends the run. */
struct host_file_request {
	uint32_t op; /**< enum host_file_op */
	uint32_t handle;
	uint64_t buffer; /**< guest-physical */
	uint64_t buffer_bytes;
	uint64_t offset;
	struct host_file_attributes attributes;
	char name[256]; /**< for HOST_FILE_LOOK: ended by a NUL; no name in it is . or .. */
};

#define HOST_FILE_HANDLES_MAX (1U << 22)    /* number of objects that a run may look up */
#define HOST_FILE_UNUSED_HANDLES (1U << 15) /* bits of a page */
#define HOST_FILE_UNUSED_PAGES (HOST_FILE_HANDLES_MAX / HOST_FILE_UNUSED_HANDLES)

/** Answers in advance. The monitor may put answers that it expects to be needed next into boot_info.host_ahead, also
 * while the guest runs: a struct host_file_ahead and entries behind it. A guest whose next request matches the next
 * entry takes its answer from there.
 *
 * The guest rings the doorbell in three cases: there is no entry; the next entry says that the request must be sent; or
 * the next entry is for another request, which discards all entries not taken. It rings again if the answer is
 * HOST_FILE_AGAIN: the entry was added in the meantime.
 *
 * The monitor revokes entries that are not taken soon. The guest sets `taking` before it reads `revoked`, and the
 * monitor sets `revoked` before it reads `taking`, so at least one of them sees the other (Dekker's algorithm). */
struct host_file_ahead {
	uint32_t count;   /**< number of entries */
	uint32_t taken;   /**< number of entries that the guest has taken */
	uint64_t next;    /**< offset of the next entry from this structure */
	uint32_t taking;  /**< 1: the guest is reading the entries */
	uint32_t revoked; /**< 1: all entries not taken are void, until the doorbell rings */
	/** 1: the monitor is preparing the next entry now. A guest that has taken all entries waits a moment for it,
	 * which costs less than the doorbell. */
	uint32_t preparing;
	uint32_t reserved;
	/** Which objects the guest was given without asking for them, and has not used since. Each member is the
	 * guest-physical address of a page with one bit for each of HOST_FILE_UNUSED_HANDLES consecutive handles, or 0
	 * if no such object has one of these handles. The guest writes it. At the end of the run the monitor does not
	 * check these objects for changes. */
	uint64_t unused[HOST_FILE_UNUSED_PAGES];
};

#define HOST_FILE_AHEAD_BYTES 0xe0000UL /* of this structure and all entries */
#define HOST_FILE_AGAIN INT64_MIN       /* an answer */

/** One request with its answer. The entry, its key and its data each begin at a multiple of HOST_FILE_AHEAD_ALIGN
 * bytes. */
struct host_file_ahead_entry {
	uint32_t op;
	uint32_t handle;
	uint64_t offset;
	int64_t answer;     /**< HOST_FILE_AGAIN: the request must be sent */
	uint64_t listed;    /**< of a list: attributes.size */
	uint32_t key_bytes; /**< HOST_FILE_LOOK: size of the name with its NUL; HOST_FILE_LOOK_MANY: of the buffer; else
	                       0 */
	uint32_t data_bytes; /**< size of the data behind the key, for the buffer or the pieces */
};

#define HOST_FILE_AHEAD_ALIGN 8UL

_Static_assert(sizeof(struct host_file_attributes) == 24, "host_file_attributes");
_Static_assert(sizeof(struct host_file_name) == 2, "host_file_name");
_Static_assert(sizeof(struct host_file_looked) == 32, "host_file_looked");
_Static_assert(sizeof(struct host_file_piece) == 16, "host_file_piece");
_Static_assert(sizeof(struct host_file_request) == 312, "host_file_request");
_Static_assert(sizeof(struct host_file_ahead) == 32 + 8 * HOST_FILE_UNUSED_PAGES, "host_file_ahead");
_Static_assert(sizeof(struct host_file_ahead_entry) == 40, "host_file_ahead_entry");

#endif
