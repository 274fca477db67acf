/* SPDX-License-Identifier: MIT */
/* Users, groups and capabilities of processes (credentials(7), capabilities(7)). The first process is root with all of
 * them; what a process drops, only these calls see: access to files is not decided by them. */
#ifndef KERNEL_LINUX_CREDENTIALS_H
#define KERNEL_LINUX_CREDENTIALS_H

#include <stdbool.h>
#include <stdint.h>

#define CREDENTIALS_ALL ((1ul << 41) - 1) /* capabilities up to CAP_CHECKPOINT_RESTORE */
#define CREDENTIALS_GROUPS 64             /* supplementary ones at most, of Linux's 65536 */

/** The numbers of a user, or of a group. */
struct credential {
	uint32_t real, effective, saved, file_system;
};

struct credentials {
	struct credential user, group;
	uint64_t permitted, effective, inheritable; /**< capabilities */
	bool keeps;                                 /**< capabilities when it is root no more (PR_SET_KEEPCAPS) */
	uint32_t group_count;
	uint32_t groups[CREDENTIALS_GROUPS];
};

/** execve(2): saved numbers become the effective ones, and root has all capabilities again. */
void credentials_execute(struct credentials *credentials);

#endif
