/* SPDX-License-Identifier: MIT */
/* System V objects: identifiers, keys and permissions. Identifiers are those that Linux gives in the same order of
 * calls, because programs such as ipcs(1) go through the slots. */
#include "kernel/linux/event/sysv.h"

#include "abi/errno.h"
#include "kernel/lib/bug.h"
#include "kernel/linux/files/text.h"
#include "kernel/linux/process/linux_process.h"
#include "kernel/mm/array.h"
#include "kernel/time/vclock.h"

#define SLOT_BITS 15 /* IPCMNI_SHIFT */
#define SLOTS_MIN 64 /* slots used in turn at least, so that a slot is not reused at once: ipc_min_cycle */
#define NOBODY UINT32_MAX

int64_t sysv_now(void)
{
	return vclock_realtime() / 1000000000;
}

/* The next free slot of the first `end`, or `end`. */
static size_t free_slot(const struct sysv_table *table, size_t from, size_t end)
{
	while (from < table->end && from < end && table->slots[from])
		from++;
	return from < end ? from : end;
}

/* Chooses a slot for a new object. Returns 0, -ENOSPC or -ENOMEM. */
static int take_slot(struct sysv_table *table, size_t *slot)
{
	size_t cycle = table->count * 3 / 2 > SLOTS_MIN ? table->count * 3 / 2 : SLOTS_MIN;
	cycle = cycle < table->limit ? cycle : table->limit;
	if (table->count >= table->limit)
		return -ENOSPC;
	bool begins_again = false;
	*slot = free_slot(table, table->next, cycle);
	if (*slot == cycle) {
		*slot = free_slot(table, 0, cycle);
		begins_again = true;
	}
	assert(*slot < cycle);
	if (!array_reserve(table->slots, table->room, *slot + 1))
		return -ENOMEM;
	for (; table->end <= *slot; table->end++)
		table->slots[table->end] = NULL;
	if (begins_again)
		table->sequence = (table->sequence + 1) % (1U << (31 - SLOT_BITS));
	table->next = *slot + 1;
	return 0;
}

int sysv_add(struct sysv_table *table, struct sysv_object *object, int key, int flags)
{
	const struct credentials *own = &process_self()->credentials;
	size_t slot;
	int error = take_slot(table, &slot);
	if (error)
		return error;
	table->slots[slot] = object;
	table->count++;
	object->id = (int)(table->sequence << SLOT_BITS | slot);
	object->permissions = (struct sysv_permissions){
		.key = key,
		.uid = own->user.effective,
		.gid = own->group.effective,
		.creator_uid = own->user.effective,
		.creator_gid = own->group.effective,
		.mode = (uint32_t)flags & SYSV_MODE,
		.sequence = (uint16_t)table->sequence,
	};
	return object->id;
}

void sysv_remove(struct sysv_table *table, const struct sysv_object *object)
{
	size_t slot = (size_t)object->id & ((1U << SLOT_BITS) - 1);
	assert(table->slots[slot] == object);
	table->slots[slot] = NULL;
	table->count--;
	while (table->end && !table->slots[table->end - 1])
		table->end--;
}

struct sysv_object *sysv_in_slot(const struct sysv_table *table, int id)
{
	size_t slot = (size_t)id & ((1U << SLOT_BITS) - 1);
	return id >= 0 && slot < table->end ? table->slots[slot] : NULL;
}

struct sysv_object *sysv_find(const struct sysv_table *table, int id)
{
	struct sysv_object *object = sysv_in_slot(table, id);
	return object && object->id == id ? object : NULL;
}

long sysv_highest(const struct sysv_table *table)
{
	return table->end ? (long)table->end - 1 : 0;
}

int sysv_find_key(const struct sysv_table *table, int key, int flags, struct sysv_object **found)
{
	*found = NULL;
	for (size_t slot = 0; key != SYSV_PRIVATE && slot < table->end; slot++) {
		struct sysv_object *object = table->slots[slot];
		if (!object || object->permissions.key != key)
			continue;
		if ((flags & SYSV_CREAT) && (flags & SYSV_EXCL))
			return -EEXIST;
		*found = object;
		return 0;
	}
	return key == SYSV_PRIVATE || flags & SYSV_CREAT ? 0 : -ENOENT;
}

bool sysv_permits(const struct sysv_object *object, int mode)
{
	const struct credentials *own = &process_self()->credentials;
	const struct sysv_permissions *of = &object->permissions;
	uint32_t wanted = (uint32_t)(mode >> 6 | mode >> 3 | mode), granted = of->mode;
	if (own->user.effective == of->creator_uid || own->user.effective == of->uid)
		granted >>= 6;
	else if (credentials_in_group(own, of->creator_gid) || credentials_in_group(own, of->gid))
		granted >>= 3;
	return !(wanted & ~granted & 7) || credentials_may(own, CAP_IPC_OWNER);
}

bool sysv_may_control(const struct sysv_object *object)
{
	const struct credentials *own = &process_self()->credentials;
	return own->user.effective == object->permissions.creator_uid ||
	       own->user.effective == object->permissions.uid || credentials_may(own, CAP_SYS_ADMIN);
}

int sysv_set_permissions(struct sysv_object *object, const struct sysv_permissions *wanted)
{
	struct sysv_permissions *permissions = &object->permissions;
	if (!sysv_may_control(object))
		return -EPERM;
	if (wanted->uid == NOBODY || wanted->gid == NOBODY)
		return -EINVAL;
	permissions->uid = wanted->uid;
	permissions->gid = wanted->gid;
	permissions->mode = (permissions->mode & ~SYSV_MODE) | (wanted->mode & SYSV_MODE);
	return 0;
}

/* A mode as the decimal number with the digits of its octal one. */
static unsigned octal_digits(uint32_t mode)
{
	return (mode >> 9 & 7) * 1000 + (mode >> 6 & 7) * 100 + (mode >> 3 & 7) * 10 + (mode & 7);
}

void sysv_list_object(const struct sysv_object *object, struct text *text)
{
	text_print(text, "%10d %10d  %4u ", object->permissions.key, object->id,
	           octal_digits(object->permissions.mode));
}

void sysv_list_owners(const struct sysv_object *object, struct text *text)
{
	const struct sysv_permissions *of = &object->permissions;
	text_print(text, " %5u %5u %5u %5u", of->uid, of->gid, of->creator_uid, of->creator_gid);
}
