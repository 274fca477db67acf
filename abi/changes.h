/* SPDX-License-Identifier: MIT */
/* What a program leaves of its files beside /out (DOORBELL_CHANGE). A guest whose DOORBELL_EXIT returns tells of each
 * object that the program has created, changed or removed, and then rings DOORBELL_EXIT again. */
#ifndef ABI_CHANGES_H
#define ABI_CHANGES_H

#include <stdint.h>

#define CHANGE_CREATED 1U  /**< the name is new, or stands for another object than at the start */
#define CHANGE_CONTENTS 2U /**< a file that was there has other contents, perhaps */
#define CHANGE_MODE 4U     /**< what was there has other permission bits */
#define CHANGE_TIME 8U     /**< a file that was there has another mtime */
#define CHANGE_REMOVED 16U /**< what was there at the start is not any more; it may have a successor */
#define CHANGE_LINKED 32U  /**< a file that was there has further names, and may be as it was */
#define CHANGE_OWNER 64U   /**< it belongs to another user or group than at the start */

#define CHANGE_NO_ROOT UINT32_MAX /**< the guest's own root file system */

/** One object. Contents follow by DOORBELL_CHANGE_DATA when the answer is 1, and do not when it is 0. */
struct change {
	uint32_t what; /**< CHANGE_* */
	uint32_t kind; /**< LINUX_S_IFREG, ...; 0 with CHANGE_REMOVED, which is told alone */
	uint32_t mode; /**< permission bits */
	uint32_t root; /**< of boot_info.host that it is in, or CHANGE_NO_ROOT */
	uint32_t nlink;
	uint32_t from;    /**< 1: `handle` has the object of the host's that it was */
	uint64_t handle;  /**< abi/host_file.h */
	uint64_t bytes;   /**< of a file or a link's target */
	int64_t mtime_ns; /**< since 1970 */
	uint64_t ino;     /**< names of one object have the same, below one root */
	char path[4088];  /**< below the root, without a slash before it; ended by a NUL */
};

/** The address of contents that are those of the host's object `handle`, at the same offset; in a file. */
#define CHANGE_OF_HOST (UINT64_MAX - 1)

_Static_assert(sizeof(struct change) == 4144, "change");

#endif
