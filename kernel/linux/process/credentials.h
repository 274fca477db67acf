/* SPDX-License-Identifier: MIT */
/* Users, groups and capabilities of processes (credentials(7), capabilities(7)). The first process is root with all
 * capabilities, or the user of --user. Dropping them changes only the results of these calls: access to files does not
 * depend on them. */
#ifndef KERNEL_LINUX_PROCESS_CREDENTIALS_H
#define KERNEL_LINUX_PROCESS_CREDENTIALS_H

#include <stdbool.h>
#include <stdint.h>

struct inode;

#define CREDENTIALS_LAST 40 /* CAP_CHECKPOINT_RESTORE, the capability with the highest number */
#define CREDENTIALS_ALL ((2UL << CREDENTIALS_LAST) - 1)
#define CREDENTIALS_GROUPS 65536 /* maximum number of supplementary groups: NGROUPS_MAX */

/* The capabilities that other files check. */
#define CAP_IPC_LOCK 14
#define CAP_IPC_OWNER 15
#define CAP_SYS_ADMIN 21
#define CAP_SYS_RESOURCE 24
#define CAP_AUDIT_CONTROL 30
#define CAP_SYSLOG 34

/* Bits of `secure_bits`. The next higher bit locks each of them. */
#define SECURE_NOROOT 1U
#define SECURE_NO_SETUID_FIXUP 4U
#define SECURE_KEEP_CAPS 0x10U /* PR_SET_KEEPCAPS */
#define SECURE_NO_CAP_AMBIENT_RAISE 0x40U
#define SECURE_BITS (SECURE_NOROOT | SECURE_NO_SETUID_FIXUP | SECURE_KEEP_CAPS | SECURE_NO_CAP_AMBIENT_RAISE)
#define SECURE_LOCK(bits) ((bits) << 1)

/** The four numbers of a user, or of a group. */
struct credential {
	uint32_t real, effective, saved, file_system;
};

/** Supplementary groups, in ascending order. A process shares them with its children until one of them sets others. */
struct group_list {
	uint32_t users, count;
	uint32_t numbers[];
};

struct credentials {
	struct credential user, group;
	uint64_t permitted, effective, inheritable, bounding, ambient; /**< capabilities */
	uint32_t secure_bits;                                          /**< PR_SET_SECUREBITS */
	struct group_list *groups;                                     /**< NULL: none */
};

/** Those of the first process: all capabilities for root, and none for another user. */
void credentials_begin(struct credentials *credentials);

/** Makes credentials a copy of others. */
void credentials_copy(struct credentials *to, const struct credentials *from);

/** Frees what credentials own. */
void credentials_drop(struct credentials *credentials);

/** execve(2): the saved numbers become the effective ones, and root again has all capabilities of its bounding set. */
void credentials_execute(struct credentials *credentials);

/** Whether a capability (CAP_*) is effective. */
bool credentials_may(const struct credentials *credentials, int capability);

/** Whether a group is the group of the file system or a supplementary one (Linux, in_group_p). */
bool credentials_in_group(const struct credentials *credentials, uint32_t group);

/** The options of prctl(2) about capabilities; -EINVAL for others. */
long credentials_prctl(int option, unsigned long arg2, unsigned long arg3, unsigned long arg4, unsigned long arg5);

/** personality.namei_make: an inode owned by the running process's user and group of the file system. */
struct inode *credentials_make_inode(struct inode *dir, uint32_t mode);

#endif
