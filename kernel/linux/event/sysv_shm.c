/* SPDX-License-Identifier: MIT */
/* System V shared memory: shmget(2), shmat(2), shmdt(2), shmctl(2). A segment is a file without a name; an attachment
 * is a shared mapping of all of it. Attachments are counted only by calls about segments: such a call then frees
 * segments that are marked for destruction and have no attachment left. */
#include <stdbool.h>
#include <stdint.h>

#include "abi/errno.h"
#include "abi/linux.h"
#include "kernel/arch/uaccess.h"
#include "kernel/linux/event/sysv.h"
#include "kernel/linux/files/text.h"
#include "kernel/linux/memory/memory_layout.h"
#include "kernel/linux/memory/linux_space.h"
#include "kernel/linux/process/linux_process.h"
#include "kernel/mm/brk.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/mm/mappings.h"
#include "kernel/mm/vm.h"
#include "kernel/sys/limits.h"
#include "kernel/sys/memory.h"
#include "kernel/sys/sys.h"
#include "kernel/vfs/file.h"
#include "kernel/vfs/mapping.h"
#include "kernel/mm/space.h"

#define SHM_LOCK 11
#define SHM_UNLOCK 12
#define SHM_STAT 13
#define SHM_INFO 14
#define SHM_STAT_ANY 15
#define SHM_HUGETLB 04000
#define SHM_RDONLY 010000
#define SHM_RND 020000
#define SHM_REMAP 040000
#define SHM_EXEC 0100000
#define SHM_DEST 01000 /* flag in the mode: marked for destruction */
#define SHM_LOCKED 02000

#define SEGMENTS_MAX 4096                 /* kernel.shmmni */
#define SHMMAX (UINT64_MAX - (1UL << 24)) /* kernel.shmmax and shmall */

/* struct shmid64_ds of asm-generic/shmbuf.h. */
struct description {
	struct sysv_permissions permissions; /* set when the description is copied to a program */
	uint64_t bytes;
	int64_t attached, detached, changed; /* seconds since 1970 */
	int creator, last;
	uint64_t attachments;
	uint64_t unused[2];
};

_Static_assert(sizeof(struct description) == 112, "shmid64_ds");

/* struct shminfo64, and struct shm_info. */
struct limits {
	uint64_t bytes_max, bytes_min, segments_max, attachments_max, pages_max, unused[4];
};

struct usage {
	int segments;
	uint64_t pages, resident, swapped, unused[2];
};

struct segment {
	struct sysv_object object;
	struct file *file;
	struct description told; /* attachments: as of the last call that counted them */
};

static struct sysv_table segments = {.limit = SEGMENTS_MAX};

static struct segment *segment_in(size_t slot)
{
	return (struct segment *)segments.slots[slot];
}

/* Counts the mappings of a segment, as Linux does. */
static uint64_t attachments_of(const struct segment *segment)
{
	return linux_space_mappings_of(segment->file->inode, false);
}

/* Destroys all segments that are marked and have no attachment left. */
static void sweep_segments(void)
{
	for (size_t slot = segments.end; slot-- > 0;) {
		struct segment *segment = segment_in(slot);
		if (!segment)
			continue;
		uint64_t count = attachments_of(segment);
		if (count < segment->told.attachments) /* by munmap(2), or at the end of a process */
			segment->told.detached = sysv_now();
		segment->told.attachments = count;
		if (!(segment->object.permissions.mode & SHM_DEST) || count)
			continue;
		sysv_remove(&segments, &segment->object);
		file_put(segment->file);
		kfree(segment);
	}
}

static struct segment *find_segment(int id)
{
	sweep_segments();
	return (struct segment *)sysv_find(&segments, id);
}

static long create_segment(int key, uint64_t bytes, int flags)
{
	if (!bytes || !memory_round(bytes) || memory_round(bytes) > MEMORY_SPACE)
		return -EINVAL;
	if (flags & SHM_HUGETLB)
		return -ENOMEM; /* as on a host without reserved huge pages */
	struct segment *segment = kzalloc(sizeof(*segment));
	int id = segment ? memory_layout_shared(memory_round(bytes), &segment->file) : -ENOMEM;
	if (!id)
		id = sysv_add(&segments, &segment->object, key, flags);
	if (id < 0) {
		if (segment && segment->file)
			file_put(segment->file);
		kfree(segment);
		return id;
	}
	segment->told =
		(struct description){.bytes = bytes, .changed = sysv_now(), .creator = (int)process_current->id};
	return id;
}

long sys_shmget(int key, unsigned long bytes, int flags)
{
	struct sysv_object *found;
	sweep_segments();
	int error = sysv_find_key(&segments, key, flags, &found);
	if (error)
		return error;
	if (!found)
		return create_segment(key, bytes, flags);
	if (bytes > ((const struct segment *)found)->told.bytes)
		return -EINVAL;
	return sysv_permits(found, flags) ? found->id : -EACCES;
}

/* Checks the address that a program asks for, and rounds it. Returns 0 or -EINVAL. */
static int check_address(uint64_t *address, int flags)
{
	if (!*address)
		return flags & SHM_REMAP ? -EINVAL : 0;
	if (*address % PAGE_SIZE && !(flags & SHM_RND))
		return -EINVAL;
	*address &= ~(PAGE_SIZE - 1);
	return *address || !(flags & SHM_REMAP) ? 0 : -EINVAL;
}

/* Frees the range at an address; 0: chooses one. Returns 0 or a negative errno. */
static int place_segment(uint64_t *address, uint64_t bytes, int flags)
{
	if (!*address) {
		*address = memory_layout_gap(bytes);
		return *address ? 0 : -ENOMEM;
	}
	brk_trim(*address, bytes);
	if (!(flags & SHM_REMAP) && (*address + bytes < *address || !vm_is_free(*address, bytes)))
		return -EINVAL;
	if (*address < VM_ADDRESS_MIN)
		return -EPERM;
	if (!vm_is_allowed(*address, bytes))
		return -ENOMEM;
	return flags & SHM_REMAP ? vm_unmap(*address, bytes) : 0;
}

long sys_shmat(int id, const void *at, int flags)
{
	uint64_t address = (uint64_t)at;
	struct vm_backing backing;
	int prot = VM_READ | (flags & SHM_RDONLY ? 0 : VM_WRITE) | (flags & SHM_EXEC ? VM_EXEC : 0);
	int rights = SYSV_READS | (flags & SHM_RDONLY ? 0 : SYSV_WRITES) | (flags & SHM_EXEC ? SYSV_EXECUTES : 0);
	int error = check_address(&address, flags);
	if (error)
		return error;
	struct segment *segment = find_segment(id);
	if (!segment)
		return -EINVAL;
	if (!sysv_permits(&segment->object, rights))
		return -EACCES;
	const uint64_t bytes = memory_round(segment->told.bytes);
	error = place_segment(&address, bytes, flags);
	if (!error)
		error = mapping_of(segment->file, 0, bytes, prot, true, &backing);
	if (!error)
		error = vm_map_object(address, bytes, prot, &backing);
	if (error)
		return error;
	segment->told.attached = sysv_now();
	segment->told.last = (int)process_current->id;
	return (long)address;
}

/* The segment that a mapping shows where an attachment at `address` shows it; NULL: it shows something else. */
static struct segment *segment_at(const struct mapping *mapping, uint64_t address)
{
	if (!mapping->backing.ops || mapping->start < address ||
	    (mapping->start - address) / PAGE_SIZE != mapping->backing.page)
		return NULL;
	for (size_t slot = 0; slot < segments.end; slot++) {
		struct segment *segment = segment_in(slot);
		if (segment && mapping->backing.object == segment->file->inode)
			return segment;
	}
	return NULL;
}

/* Unmaps what is left of the attachment at `address`, and nothing that was mapped into its holes. */
long sys_shmdt(const void *at)
{
	const struct mappings *all = &space_current->mappings;
	const uint64_t address = (uint64_t)at;
	uint64_t end = UINT64_MAX;
	struct segment *detached = NULL;
	if (address % PAGE_SIZE)
		return -EINVAL;
	for (uint64_t from = address;;) {
		size_t i = mappings_find(from);
		if (i == all->count || all->list[i].end > end)
			break;
		const struct mapping mapping = all->list[i];
		struct segment *segment = segment_at(&mapping, address);
		from = mapping.end;
		if (!segment || (detached && segment != detached))
			continue;
		int error = vm_unmap(mapping.start, mapping.end - mapping.start);
		if (error)
			return error;
		detached = segment;
		end = address + memory_round(segment->told.bytes);
	}
	if (!detached)
		return -EINVAL;
	detached->told.detached = sysv_now();
	detached->told.last = (int)process_current->id;
	sweep_segments();
	return 0;
}

/* --- control --- */

static long set_segment(int id, const void *user)
{
	struct description wanted;
	if (copy_from_user(&wanted, user, sizeof(wanted)))
		return -EFAULT;
	struct segment *segment = find_segment(id);
	int error = segment ? sysv_set_permissions(&segment->object, &wanted.permissions) : -EINVAL;
	if (!error)
		segment->told.changed = sysv_now();
	return error;
}

static long remove_segment(struct segment *segment)
{
	if (!sysv_may_control(&segment->object))
		return -EPERM;
	segment->object.permissions.mode |= SHM_DEST;
	segment->object.permissions.key = SYSV_PRIVATE;
	sweep_segments();
	return 0;
}

/* Memory is never swapped, so that only the flag changes. */
static long lock_segment(struct segment *segment, bool locks)
{
	const struct credentials *own = &process_self()->credentials;
	const struct sysv_permissions *of = &segment->object.permissions;
	if (!credentials_may(own, CAP_IPC_LOCK) &&
	    ((own->user.effective != of->uid && own->user.effective != of->creator_uid) ||
	     (locks && !limits_get(LINUX_RLIMIT_MEMLOCK))))
		return -EPERM;
	segment->object.permissions.mode &= ~(uint32_t)SHM_LOCKED;
	segment->object.permissions.mode |= locks ? SHM_LOCKED : 0;
	return 0;
}

static long describe_segment(const struct sysv_object *object, int command, void *user)
{
	const struct segment *segment = (const struct segment *)object;
	if (!segment)
		return -EINVAL;
	if (command != SHM_STAT_ANY && !sysv_permits(object, SYSV_READS))
		return -EACCES;
	struct description told = segment->told;
	told.permissions = object->permissions;
	return copy_to_user(user, &told, sizeof(told)) ? -EFAULT : command == SYSV_STAT ? 0 : object->id;
}

/* The limits of Linux; with SHM_INFO, what is in use. */
static long inform_of_segments(int command, void *user)
{
	const struct limits limits = {SHMMAX, 1, SEGMENTS_MAX, SEGMENTS_MAX, SHMMAX, {0}};
	struct usage usage = {.segments = (int)segments.count};
	for (size_t slot = 0; slot < segments.end; slot++) {
		const struct segment *segment = segment_in(slot);
		usage.pages += segment ? memory_round(segment->told.bytes) / PAGE_SIZE : 0;
		usage.resident += segment ? segment->file->inode->data.frames : 0;
	}
	int error = command == SHM_INFO ? copy_to_user(user, &usage, sizeof(usage))
	                                : copy_to_user(user, &limits, sizeof(limits));
	return error ? -EFAULT : sysv_highest(&segments);
}

long sys_shmctl(int id, int command, void *user)
{
	struct segment *segment = find_segment(id);
	if (id < 0)
		return -EINVAL;
	switch (command) {
	case SYSV_INFO:
	case SHM_INFO:
		return inform_of_segments(command, user);
	case SHM_STAT:
	case SHM_STAT_ANY:
		return describe_segment(sysv_in_slot(&segments, id), command, user);
	case SYSV_STAT:
		return describe_segment(sysv_find(&segments, id), command, user);
	case SYSV_SET:
		return set_segment(id, user);
	case SYSV_RMID:
		return segment ? remove_segment(segment) : -EINVAL;
	case SHM_LOCK:
	case SHM_UNLOCK:
		return segment ? lock_segment(segment, command == SHM_LOCK) : -EINVAL;
	default:
		return -EINVAL;
	}
}

void sysv_shm_list(struct text *text)
{
	sweep_segments();
	text_print(text, "       key      shmid perms                  size  cpid  lpid nattch   uid   gid  cuid  cgid"
	                 "      atime      dtime      ctime                   rss                  swap\n");
	for (size_t slot = 0; slot < segments.end; slot++) {
		const struct segment *segment = segment_in(slot);
		if (!segment)
			continue;
		const struct description *told = &segment->told;
		sysv_list_object(&segment->object, text);
		text_print(text, "%21lu %5u %5u  %5lu", told->bytes, (unsigned)told->creator, (unsigned)told->last,
		           told->attachments);
		sysv_list_owners(&segment->object, text);
		text_print(text, " %10ld %10ld %10ld %21lu %21u\n", told->attached, told->detached, told->changed,
		           segment->file->inode->data.frames * PAGE_SIZE, 0U);
	}
}
