/* SPDX-License-Identifier: MIT */
/* System V shared memory: shmget(2), shmat(2), shmdt(2), shmctl(2). A segment is a file without a name; an attachment
 * is a shared mapping of all of it. Attachments are counted only by calls about segments: such a call then frees
 * segments that are marked for destruction and have no attachment left. */
#include <stdbool.h>
#include <stdint.h>

#include "abi/errno.h"
#include "abi/linux.h"
#include "kernel/arch/uaccess.h"
#include "kernel/linux/memory/memory_layout.h"
#include "kernel/linux/memory/space.h"
#include "kernel/linux/process/linux_process.h"
#include "kernel/mm/brk.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/mm/mappings.h"
#include "kernel/mm/vm.h"
#include "kernel/sys/memory.h"
#include "kernel/sys/sys.h"
#include "kernel/time/vclock.h"
#include "kernel/vfs/file.h"
#include "kernel/vfs/mapping.h"

#define IPC_PRIVATE 0
#define IPC_CREAT 01000
#define IPC_EXCL 02000
#define IPC_RMID 0
#define IPC_SET 1
#define IPC_STAT 2
#define SHM_LOCK 11
#define SHM_UNLOCK 12
#define SHM_HUGETLB 04000
#define SHM_RDONLY 010000
#define SHM_RND 020000
#define SHM_REMAP 040000
#define SHM_EXEC 0100000
#define SHM_DEST 01000 /* flag in the mode: marked for destruction */
#define SHM_LOCKED 02000

#define SEGMENTS_MAX 4096 /* kernel.shmmni */
#define MODE 0777U

/* struct shmid64_ds of asm-generic/shmbuf.h. */
struct description {
	struct {
		int key;
		uint32_t uid, gid, creator_uid, creator_gid, mode;
		uint16_t sequence, padding;
		uint64_t unused[2];
	} permissions;
	uint64_t bytes;
	int64_t attached, detached, changed; /* seconds since 1970 */
	int creator, last;
	uint64_t attachments;
	uint64_t unused[2];
};

_Static_assert(sizeof(struct description) == 112, "shmid64_ds");

struct segment {
	struct segment *next;
	int id;
	struct file *file;
	struct description told; /* attachments: as of the last call that counted them */
};

static struct segment *segments;
static unsigned segment_count;
static int last_id = -1;

static int64_t seconds_now(void)
{
	return vclock_realtime() / 1000000000;
}

/* Counts the mappings of a segment, as Linux does. */
static uint64_t attachments_of(const struct segment *segment)
{
	return space_mappings_of(segment->file->inode, false);
}

/* Destroys all segments that are marked and have no attachment left. */
static void sweep(void)
{
	for (struct segment **link = &segments; *link;) {
		struct segment *segment = *link;
		uint64_t count = attachments_of(segment);
		if (count < segment->told.attachments) /* by munmap(2), or at the end of a process */
			segment->told.detached = seconds_now();
		segment->told.attachments = count;
		if (!(segment->told.permissions.mode & SHM_DEST) || count) {
			link = &segment->next;
			continue;
		}
		*link = segment->next;
		segment_count--;
		file_put(segment->file);
		kfree(segment);
	}
}

static struct segment *find(int id)
{
	sweep();
	for (struct segment *segment = segments; segment; segment = segment->next)
		if (segment->id == id)
			return segment;
	return NULL;
}

static long create(int key, uint64_t bytes, int flags)
{
	if (!bytes || !memory_round(bytes) || memory_round(bytes) > MEMORY_SPACE)
		return -EINVAL;
	if (flags & SHM_HUGETLB)
		return -ENOMEM; /* as on a host without reserved huge pages */
	if (segment_count == SEGMENTS_MAX)
		return -ENOSPC;
	struct segment *segment = kzalloc(sizeof(*segment));
	int error = segment ? memory_layout_shared(memory_round(bytes), &segment->file) : -ENOMEM;
	if (error) {
		kfree(segment);
		return error;
	}
	const struct credentials *credentials = &process_self()->credentials;
	segment->id = ++last_id;
	segment->told.permissions.key = key;
	segment->told.permissions.uid = segment->told.permissions.creator_uid = credentials->user.effective;
	segment->told.permissions.gid = segment->told.permissions.creator_gid = credentials->group.effective;
	segment->told.permissions.mode = (uint32_t)flags & MODE;
	segment->told.bytes = bytes;
	segment->told.changed = seconds_now();
	segment->told.creator = (int)process_current->id;
	segment->next = segments;
	segments = segment;
	segment_count++;
	return segment->id;
}

long sys_shmget(int key, unsigned long bytes, int flags)
{
	sweep();
	for (struct segment *segment = segments; key != IPC_PRIVATE && segment; segment = segment->next) {
		if (segment->told.permissions.key != key)
			continue;
		if ((flags & IPC_CREAT) && (flags & IPC_EXCL))
			return -EEXIST;
		return bytes > segment->told.bytes ? -EINVAL : segment->id;
	}
	return key == IPC_PRIVATE || flags & IPC_CREAT ? create(key, bytes, flags) : -ENOENT;
}

/* The address to attach at; 0 with *error when there is none. */
static uint64_t place(uint64_t address, uint64_t bytes, int flags, int *error)
{
	*error = -EINVAL;
	if (!address) {
		address = flags & SHM_REMAP ? 0 : memory_layout_gap(bytes);
		*error = flags & SHM_REMAP ? -EINVAL : -ENOMEM;
		return address;
	}
	if (flags & SHM_RND)
		address &= ~(PAGE_SIZE - 1);
	brk_trim(address, bytes);
	if (address % PAGE_SIZE || !vm_is_allowed(address, bytes))
		return 0;
	if (!(flags & SHM_REMAP))
		return vm_is_free(address, bytes) ? address : 0;
	*error = vm_unmap(address, bytes);
	return *error ? 0 : address;
}

long sys_shmat(int id, const void *at, int flags)
{
	struct segment *segment = find(id);
	struct vm_backing backing;
	int error, prot = VM_READ | (flags & SHM_RDONLY ? 0 : VM_WRITE) | (flags & SHM_EXEC ? VM_EXEC : 0);
	if (!segment)
		return -EINVAL;
	const uint64_t bytes = memory_round(segment->told.bytes);
	uint64_t address = place((uint64_t)at, bytes, flags, &error);
	if (!address)
		return error;
	error = mapping_of(segment->file, 0, bytes, prot, true, &backing);
	if (!error)
		error = vm_map_object(address, bytes, prot, &backing);
	if (error)
		return error;
	segment->told.attached = seconds_now();
	segment->told.last = (int)process_current->id;
	return (long)address;
}

static struct segment *segment_at(const struct mapping *mapping)
{
	for (struct segment *segment = segments; mapping && mapping->backing.ops && segment; segment = segment->next)
		if (mapping->backing.object == segment->file->inode)
			return segment;
	return NULL;
}

long sys_shmdt(const void *at)
{
	uint64_t address = (uint64_t)at;
	const struct mapping *mapping = mappings_at(address);
	struct segment *segment = segment_at(mapping);
	if (!segment || mapping->start != address || mapping->backing.page)
		return -EINVAL;
	int error = vm_unmap(address, memory_round(segment->told.bytes));
	if (error)
		return error;
	segment->told.detached = seconds_now();
	segment->told.last = (int)process_current->id;
	sweep();
	return 0;
}

static long set(struct segment *segment, const void *user)
{
	struct description wanted;
	if (copy_from_user(&wanted, user, sizeof(wanted)))
		return -EFAULT;
	segment->told.permissions.uid = wanted.permissions.uid;
	segment->told.permissions.gid = wanted.permissions.gid;
	segment->told.permissions.mode = (segment->told.permissions.mode & ~MODE) | (wanted.permissions.mode & MODE);
	segment->told.changed = seconds_now();
	return 0;
}

long sys_shmctl(int id, int command, void *user)
{
	struct segment *segment = find(id);
	if (!segment)
		return -EINVAL;
	switch (command) {
	case IPC_STAT:
		return copy_to_user(user, &segment->told, sizeof(segment->told)) ? -EFAULT : 0;
	case IPC_SET:
		return set(segment, user);
	case IPC_RMID:
		segment->told.permissions.mode |= SHM_DEST;
		segment->told.permissions.key = IPC_PRIVATE;
		sweep();
		return 0;
	case SHM_LOCK:
		segment->told.permissions.mode |= SHM_LOCKED;
		return 0;
	case SHM_UNLOCK:
		segment->told.permissions.mode &= ~(uint32_t)SHM_LOCKED;
		return 0;
	default:
		return -EINVAL;
	}
}
