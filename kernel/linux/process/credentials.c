/* SPDX-License-Identifier: MIT */
/* Calls about users and groups. */
#include "kernel/linux/process/credentials.h"

#include <stdbool.h>
#include <stddef.h>

#include "abi/boot.h"
#include "abi/errno.h"
#include "abi/layout.h"
#include "abi/linux.h"
#include "kernel/arch/direct_map.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/search.h"
#include "kernel/lib/string.h"
#include "kernel/linux/process/linux_process.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/sys/sys.h"
#include "kernel/vfs/namei.h"

#define SAME UINT32_MAX /* an argument that asks for no change */
#define CAP_SETGID 6
#define CAP_SETUID 7

static struct credentials *own_credentials(void)
{
	return &process_self()->credentials;
}

static bool own_may(int capability)
{
	return credentials_may(own_credentials(), capability);
}

void credentials_begin(struct credentials *credentials)
{
	const struct boot_info *boot = phys_to_virt(LAYOUT_BOOT_INFO);
	const struct boot_user *user = &boot->user;
	const uint32_t count = user->group_count < BOOT_GROUPS_MAX ? user->group_count : BOOT_GROUPS_MAX;
	credentials->user = (struct credential){user->user, user->user, user->user, user->user};
	credentials->group = (struct credential){user->group, user->group, user->group, user->group};
	credentials->bounding = CREDENTIALS_ALL;
	if (!user->user)
		credentials->permitted = credentials->effective = CREDENTIALS_ALL;
	if (!count)
		return;
	credentials->groups = kmalloc(sizeof(*credentials->groups) + count * sizeof(user->groups[0]));
	assert(credentials->groups != NULL);
	*credentials->groups = (struct group_list){.users = 1, .count = count};
	memcpy(credentials->groups->numbers, user->groups, count * sizeof(user->groups[0]));
}

void credentials_copy(struct credentials *to, const struct credentials *from)
{
	*to = *from;
	if (to->groups)
		to->groups->users++;
}

void credentials_drop(struct credentials *credentials)
{
	if (credentials->groups && !--credentials->groups->users)
		kfree(credentials->groups);
	credentials->groups = NULL;
}

/* No file has capabilities or changes the user: "Transformation of capabilities during execve()". */
void credentials_execute(struct credentials *credentials)
{
	struct credential *user = &credentials->user, *group = &credentials->group;
	bool has_root = !(credentials->secure_bits & SECURE_NOROOT);
	user->saved = user->file_system = user->effective;
	group->saved = group->file_system = group->effective;
	if (user->real != user->effective || group->real != group->effective)
		credentials->ambient = 0;
	credentials->permitted = credentials->ambient;
	if (has_root && (!user->real || !user->effective))
		credentials->permitted |= credentials->inheritable | credentials->bounding;
	credentials->effective = has_root && !user->effective ? credentials->permitted : credentials->ambient;
	credentials->secure_bits &= ~SECURE_KEEP_CAPS;
}

struct inode *credentials_make_inode(struct inode *dir, uint32_t mode)
{
	struct inode *inode = namei_make(dir, mode);
	if (!inode)
		return NULL;
	inode->uid = own_credentials()->user.file_system;
	if (!(dir->mode & LINUX_S_ISGID))
		inode->gid = own_credentials()->group.file_system;
	return inode;
}

long sys_getuid(void)
{
	return own_credentials()->user.real;
}

long sys_geteuid(void)
{
	return own_credentials()->user.effective;
}

long sys_getgid(void)
{
	return own_credentials()->group.real;
}

long sys_getegid(void)
{
	return own_credentials()->group.effective;
}

/* A process that stops being root loses root's capabilities; capabilities(7), "Effect of user ID changes". */
static void user_changed(const struct credential *old)
{
	struct credentials *self = own_credentials();
	const struct credential *new = &self->user;
	bool was_root = !old->real || !old->effective || !old->saved;
	bool is_root = !new->real || !new->effective || !new->saved;
	if (self->secure_bits & SECURE_NO_SETUID_FIXUP)
		return;
	if (was_root && !is_root) {
		self->ambient = 0;
		if (!(self->secure_bits & SECURE_KEEP_CAPS))
			self->permitted = self->effective = 0;
	}
	if (!old->effective && new->effective)
		self->effective = 0;
	if (old->effective && !new->effective)
		self->effective = self->permitted;
}

static bool is_one_of(const struct credential *of, uint32_t number)
{
	return number == SAME || number == of->real || number == of->effective || number == of->saved;
}

static void change(struct credential *what, const struct credential *to)
{
	const struct credential old = *what;
	*what = (struct credential){
		.real = to->real == SAME ? old.real : to->real,
		.effective = to->effective == SAME ? old.effective : to->effective,
		.saved = to->saved == SAME ? old.saved : to->saved,
	};
	what->file_system = what->effective;
	if (what->effective != old.effective || what->file_system != old.file_system)
		process_self()->dumpable = false;
	if (what == &own_credentials()->user)
		user_changed(&old);
}

static long set_all(struct credential *what, int capability, uint32_t real, uint32_t effective, uint32_t saved)
{
	if (!own_may(capability) && (!is_one_of(what, real) || !is_one_of(what, effective) || !is_one_of(what, saved)))
		return -EPERM;
	change(what, &(struct credential){.real = real, .effective = effective, .saved = saved});
	return 0;
}

static long set_real(struct credential *what, int capability, uint32_t real, uint32_t effective)
{
	bool real_may = real == SAME || real == what->real || real == what->effective;
	if (!own_may(capability) && (!real_may || !is_one_of(what, effective)))
		return -EPERM;
	bool saves = real != SAME || (effective != SAME && effective != what->real);
	uint32_t saved = !saves ? SAME : effective == SAME ? what->effective : effective;
	change(what, &(struct credential){.real = real, .effective = effective, .saved = saved});
	return 0;
}

static long set_one(struct credential *what, int capability, uint32_t number)
{
	if (number == SAME)
		return -EINVAL;
	if (own_may(capability))
		return set_all(what, capability, number, number, number);
	if (number != what->real && number != what->saved)
		return -EPERM;
	return set_all(what, capability, SAME, number, SAME);
}

static long set_file_system(struct credential *what, int capability, uint32_t number)
{
	uint32_t old = what->file_system;
	if (number != SAME && (own_may(capability) || number == old || is_one_of(what, number)))
		what->file_system = number;
	if (what->file_system != old)
		process_self()->dumpable = false;
	return old;
}

static long get_all(const struct credential *what, uint32_t *real, uint32_t *effective, uint32_t *saved)
{
	bool failed = copy_to_user(real, &what->real, sizeof(*real)) ||
	              copy_to_user(effective, &what->effective, sizeof(*effective)) ||
	              copy_to_user(saved, &what->saved, sizeof(*saved));
	return failed ? -EFAULT : 0;
}

long sys_setuid(unsigned int user)
{
	return set_one(&own_credentials()->user, CAP_SETUID, user);
}

long sys_setgid(unsigned int group)
{
	return set_one(&own_credentials()->group, CAP_SETGID, group);
}

long sys_setreuid(unsigned int real, unsigned int effective)
{
	return set_real(&own_credentials()->user, CAP_SETUID, real, effective);
}

long sys_setregid(unsigned int real, unsigned int effective)
{
	return set_real(&own_credentials()->group, CAP_SETGID, real, effective);
}

long sys_setresuid(unsigned int real, unsigned int effective, unsigned int saved)
{
	return set_all(&own_credentials()->user, CAP_SETUID, real, effective, saved);
}

long sys_setresgid(unsigned int real, unsigned int effective, unsigned int saved)
{
	return set_all(&own_credentials()->group, CAP_SETGID, real, effective, saved);
}

long sys_getresuid(unsigned int *real, unsigned int *effective, unsigned int *saved)
{
	return get_all(&own_credentials()->user, real, effective, saved);
}

long sys_getresgid(unsigned int *real, unsigned int *effective, unsigned int *saved)
{
	return get_all(&own_credentials()->group, real, effective, saved);
}

long sys_setfsuid(unsigned int user)
{
	return set_file_system(&own_credentials()->user, CAP_SETUID, user);
}

long sys_setfsgid(unsigned int group)
{
	return set_file_system(&own_credentials()->group, CAP_SETGID, group);
}

bool credentials_in_group(const struct credentials *credentials, uint32_t group)
{
	const struct group_list *list = credentials->groups;
	if (group == credentials->group.file_system)
		return true;
	size_t at = list ? search_first(list->count, i, list->numbers[i] < group) : 0;
	return list && at < list->count && list->numbers[at] == group;
}

long sys_getgroups(int count, unsigned int *groups)
{
	const struct group_list *list = own_credentials()->groups;
	uint32_t have = list ? list->count : 0;
	if (count < 0 || (count && (uint32_t)count < have))
		return -EINVAL;
	if (count && have && copy_to_user(groups, list->numbers, have * sizeof(*groups)))
		return -EFAULT;
	return have;
}

/* Sifts a number down in a max-heap. */
static void sink(uint32_t *numbers, uint32_t at, uint32_t count)
{
	const uint32_t number = numbers[at];
	for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
		if (child + 1 < count && numbers[child + 1] > numbers[child])
			child++;
		if (numbers[child] <= number)
			break;
		numbers[at] = numbers[child];
	}
	numbers[at] = number;
}

/* Heapsort, because the program chooses the number and the order. */
static void sort(uint32_t *numbers, uint32_t count)
{
	for (uint32_t at = count / 2; at-- > 0;)
		sink(numbers, at, count);
	while (count-- > 1) {
		uint32_t greatest = numbers[0];
		numbers[0] = numbers[count];
		numbers[count] = greatest;
		sink(numbers, 0, count);
	}
}

long sys_setgroups(int count, const unsigned int *groups)
{
	struct group_list *list;
	if (!own_may(CAP_SETGID))
		return -EPERM;
	if (count < 0 || count > CREDENTIALS_GROUPS)
		return -EINVAL;
	list = kmalloc(sizeof(*list) + (uint32_t)count * sizeof(*groups));
	if (!list)
		return -ENOMEM;
	*list = (struct group_list){.users = 1, .count = (uint32_t)count};
	int error = copy_from_user(list->numbers, groups, list->count * sizeof(*groups));
	if (!error)
		sort(list->numbers, list->count);
	if (!error && count && list->numbers[count - 1] == SAME)
		error = -EINVAL; /* UINT32_MAX is not a group */
	if (error) {
		kfree(list);
		return error;
	}
	credentials_drop(own_credentials());
	own_credentials()->groups = list;
	return 0;
}
