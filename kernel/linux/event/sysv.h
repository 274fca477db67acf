/* SPDX-License-Identifier: MIT */
/* System V semaphores and messages (sysvipc(7)): what both have in common. Shared memory is sysv_shm.c. */
#ifndef KERNEL_LINUX_EVENT_SYSV_H
#define KERNEL_LINUX_EVENT_SYSV_H

#include <stdint.h>

#define SYSV_PRIVATE 0 /* IPC_PRIVATE */
#define SYSV_CREAT 01000
#define SYSV_EXCL 02000
#define SYSV_NOWAIT 04000
#define SYSV_RMID 0
#define SYSV_SET 1
#define SYSV_STAT 2
#define SYSV_MODE 0777U

/** struct ipc64_perm of asm-generic/ipcbuf.h. */
struct sysv_permissions {
	int key;
	uint32_t uid, gid, creator_uid, creator_gid, mode;
	uint16_t sequence, padding;
	uint64_t unused[2];
};

/** The permissions of a new object. */
struct sysv_permissions sysv_permissions(int key, int flags);

/** Takes over what IPC_SET may change. */
void sysv_permissions_set(struct sysv_permissions *permissions, const struct sysv_permissions *wanted);

/** Seconds since 1970. */
int64_t sysv_now(void);

/** Applies the SEM_UNDO operations of the running process, which ends. */
void sysv_sem_undo(void);

#endif
