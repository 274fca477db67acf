/* SPDX-License-Identifier: MIT */
/* System V objects (sysvipc(7)): identifiers, keys and permissions of semaphores (sysv_sem.c), messages (sysv_msg.c)
 * and shared memory (sysv_shm.c). Each kind has a table of its own. */
#ifndef KERNEL_LINUX_EVENT_SYSV_H
#define KERNEL_LINUX_EVENT_SYSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text;

#define SYSV_PRIVATE 0 /* IPC_PRIVATE */
#define SYSV_CREAT 01000
#define SYSV_EXCL 02000
#define SYSV_NOWAIT 04000
#define SYSV_RMID 0
#define SYSV_SET 1
#define SYSV_STAT 2
#define SYSV_INFO 3
#define SYSV_MODE 0777U

/* Rights for sysv_permits: one in each class, as in a mode. */
#define SYSV_READS 0444
#define SYSV_WRITES 0222
#define SYSV_EXECUTES 0111

/** struct ipc64_perm of asm-generic/ipcbuf.h. */
struct sysv_permissions {
	int key;
	uint32_t uid, gid, creator_uid, creator_gid, mode;
	uint16_t sequence, padding;
	uint64_t unused[2];
};

/** The first member of an object of any kind. */
struct sysv_object {
	int id;
	struct sysv_permissions permissions;
};

/** The objects of a kind, by slot: the low 15 bits of an identifier. All zero but for `limit`: empty. */
struct sysv_table {
	size_t limit; /**< maximum number of objects */
	struct sysv_object **slots;
	size_t room, end;  /**< slots that are allocated, and one more than the highest one in use */
	size_t count;      /**< of objects */
	size_t next;       /**< the slot from which a free one is sought: one more than the last one taken */
	unsigned sequence; /**< of the identifiers made now: the number of times that the search began again */
};

/**
 * Gives a new object an identifier, as Linux does (ipc/util.c, ipc_idr_alloc), its key, and the permissions that
 * `flags` and the running process say. Returns the identifier, -ENOSPC or -ENOMEM.
 */
int sysv_add(struct sysv_table *table, struct sysv_object *object, int key, int flags);

/** Removes an object from its table. */
void sysv_remove(struct sysv_table *table, const struct sysv_object *object);

/** The object with an identifier, or NULL. */
struct sysv_object *sysv_find(const struct sysv_table *table, int id);

/** The object in the slot of an identifier, whatever its sequence, for *_STAT of the control calls; or NULL. */
struct sysv_object *sysv_in_slot(const struct sysv_table *table, int id);

/** What control calls return for *_INFO: the highest slot in use, or 0. */
long sysv_highest(const struct sysv_table *table);

/**
 * Looks up a key for msgget(2) and its kin. Returns 0 and the object, or NULL in *found if the call creates one;
 * -EEXIST; -ENOENT. The caller then checks permissions.
 */
int sysv_find_key(const struct sysv_table *table, int key, int flags, struct sysv_object **found);

/** Whether the running process has the rights of a mode in its class (ipc/util.c, ipcperms). CAP_IPC_OWNER has all. */
bool sysv_permits(const struct sysv_object *object, int mode);

/** Whether the running process may remove the object and change its permissions: as owner, as creator, or by
 * CAP_SYS_ADMIN. */
bool sysv_may_control(const struct sysv_object *object);

/** Takes over what IPC_SET may change. Returns 0, -EPERM, or -EINVAL for a user or group -1. */
int sysv_set_permissions(struct sysv_object *object, const struct sysv_permissions *wanted);

/** Seconds since 1970. */
int64_t sysv_now(void);

/** Adds key, identifier and mode to a line of /proc/sysvipc. */
void sysv_list_object(const struct sysv_object *object, struct text *text);

/** Adds user, group, and those of the creator. */
void sysv_list_owners(const struct sysv_object *object, struct text *text);

/** Makes the contents of /proc/sysvipc/msg, sem and shm. */
void sysv_msg_list(struct text *text);
void sysv_sem_list(struct text *text);
void sysv_shm_list(struct text *text);

/** Applies the SEM_UNDO operations of the running process, which ends. */
void sysv_sem_undo(void);

#endif
