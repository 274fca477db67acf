/* SPDX-License-Identifier: MIT */
/* The files that a program leaves outside /out (DOORBELL_CHANGE). If DOORBELL_EXIT returns, the guest reports each
 * object that the program created, changed or removed, and then rings DOORBELL_EXIT again. */
#ifndef ABI_CHANGES_H
#define ABI_CHANGES_H

#include <stdint.h>

#define CHANGE_CREATED 1U  /**< the name is new, or refers to another object than at the start */
#define CHANGE_CONTENTS 2U /**< a file that existed at the start may have other contents */
#define CHANGE_MODE 4U     /**< an object that existed at the start has other permission bits */
#define CHANGE_TIME 8U     /**< a file that existed at the start has another mtime */
#define CHANGE_REMOVED 16U /**< an object that existed at the start is gone; another may have its name */
#define CHANGE_LINKED 32U  /**< a file that existed at the start has more names, and may be unchanged otherwise */
#define CHANGE_OWNER 64U   /**< another user, another group or extended attributes than at the start */

#define CHANGE_NO_ROOT UINT32_MAX /**< the guest's own root file system */

/** One object. If the answer is 1, its contents follow by DOORBELL_CHANGE_DATA; if it is 0, they do not. */
struct change {
	uint32_t what; /**< CHANGE_* */
	uint32_t kind; /**< LINUX_S_IFREG, ...; 0 with CHANGE_REMOVED, which is never combined with another flag */
	uint32_t mode; /**< permission bits */
	uint32_t root; /**< the root of boot_info.host that contains it, or CHANGE_NO_ROOT */
	uint32_t nlink;
	uint32_t from;    /**< 1: the object comes from the host, where its handle was `handle` */
	uint64_t handle;  /**< abi/host_file.h */
	uint64_t bytes;   /**< size of a file or of a link's target */
	int64_t mtime_ns; /**< since 1970 */
	uint64_t ino;     /**< equal for all names of one object below one root */
	char path[4088];  /**< relative to the root, no leading slash; ended by a NUL */
};

/** In place of an address: the contents equal those of the host's object `handle` at the same offset. Files only. */
#define CHANGE_OF_HOST (UINT64_MAX - 1)

_Static_assert(sizeof(struct change) == 4144, "change");

#endif
