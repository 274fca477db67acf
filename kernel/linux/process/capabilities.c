/* SPDX-License-Identifier: MIT */
/* Calls about capabilities (capabilities(7)). */
#include <stdbool.h>
#include <stddef.h>

#include "abi/errno.h"
#include "abi/linux.h"
#include "kernel/arch/uaccess.h"
#include "kernel/linux/process/credentials.h"
#include "kernel/linux/process/linux_process.h"
#include "kernel/sys/sys.h"

#define CAP_SETPCAP 8
#define CAP_VERSION_1 0x19980330
#define CAP_VERSION_2 0x20071026
#define CAP_VERSION_3 0x20080522

#define PR_GET_KEEPCAPS 7
#define PR_SET_KEEPCAPS 8
#define PR_CAPBSET_READ 23
#define PR_CAPBSET_DROP 24
#define PR_GET_SECUREBITS 27
#define PR_SET_SECUREBITS 28
#define PR_CAP_AMBIENT 47
#define PR_CAP_AMBIENT_IS_SET 1
#define PR_CAP_AMBIENT_RAISE 2
#define PR_CAP_AMBIENT_LOWER 3
#define PR_CAP_AMBIENT_CLEAR_ALL 4

bool credentials_may(const struct credentials *credentials, int capability)
{
	return credentials->effective >> capability & 1;
}

/* Reads the header, and returns the number of parts of the sets. An unknown version is answered with the newest. */
static long header_parts(struct linux_cap_header *user, struct linux_cap_header *header)
{
	static const uint32_t newest = CAP_VERSION_3;
	if (copy_from_user(header, user, sizeof(*header)))
		return -EFAULT;
	switch (header->version) {
	case CAP_VERSION_1:
		return 1;
	case CAP_VERSION_2:
	case CAP_VERSION_3:
		return 2;
	}
	return copy_to_user(&user->version, &newest, sizeof(newest)) ? -EFAULT : -EINVAL;
}

long sys_capget(struct linux_cap_header *user_header, struct linux_cap_data *user_data)
{
	struct linux_cap_header header;
	long parts = header_parts(user_header, &header);
	if (parts < 0)
		return parts == -EINVAL && !user_data ? 0 : parts;
	if (header.pid < 0)
		return -EINVAL;
	const struct linux_process *process = header.pid ? process_of_thread((uint32_t)header.pid) : process_self();
	if (!process)
		return -ESRCH;
	const struct credentials *of = &process->credentials;
	struct linux_cap_data data[2];
	for (unsigned i = 0; i < 2; i++)
		data[i] = (struct linux_cap_data){(uint32_t)(of->effective >> 32 * i),
		                                  (uint32_t)(of->permitted >> 32 * i),
		                                  (uint32_t)(of->inheritable >> 32 * i)};
	return user_data ? copy_to_user(user_data, data, (size_t)parts * sizeof(*data)) : 0;
}

long sys_capset(struct linux_cap_header *user_header, const struct linux_cap_data *user_data)
{
	struct credentials *self = &process_self()->credentials;
	struct linux_cap_header header;
	struct linux_cap_data data[2] = {0};
	long parts = header_parts(user_header, &header);
	if (parts < 0)
		return parts;
	if (header.pid && (uint32_t)header.pid != thread_current->tid)
		return -EPERM;
	if (copy_from_user(data, user_data, (size_t)parts * sizeof(*data)))
		return -EFAULT;
	uint64_t effective = data[0].effective | (uint64_t)data[1].effective << 32;
	uint64_t permitted = data[0].permitted | (uint64_t)data[1].permitted << 32;
	uint64_t inheritable = data[0].inheritable | (uint64_t)data[1].inheritable << 32;
	/* As on Linux, unknown bits are dropped. */
	effective &= CREDENTIALS_ALL;
	permitted &= CREDENTIALS_ALL;
	inheritable &= CREDENTIALS_ALL;
	if (permitted & ~self->permitted || effective & ~permitted ||
	    inheritable & ~(self->inheritable | self->bounding) ||
	    (inheritable & ~(self->inheritable | self->permitted) && !credentials_may(self, CAP_SETPCAP)))
		return -EPERM;
	self->ambient &= permitted & inheritable;
	self->effective = effective;
	self->permitted = permitted;
	self->inheritable = inheritable;
	return 0;
}

/* --- prctl(2) --- */

static long drop_bounding(struct credentials *self, unsigned long capability)
{
	if (!credentials_may(self, CAP_SETPCAP))
		return -EPERM;
	if (capability > CREDENTIALS_LAST)
		return -EINVAL;
	self->bounding &= ~(1UL << capability);
	return 0;
}

static long set_keeps(struct credentials *self, unsigned long keeps)
{
	if (keeps > 1)
		return -EINVAL;
	if (self->secure_bits & SECURE_LOCK(SECURE_KEEP_CAPS))
		return -EPERM;
	self->secure_bits = (self->secure_bits & ~SECURE_KEEP_CAPS) | (keeps ? SECURE_KEEP_CAPS : 0);
	return 0;
}

static long set_secure_bits(struct credentials *self, unsigned long bits)
{
	uint32_t locks = self->secure_bits & SECURE_LOCK(SECURE_BITS);
	if ((locks >> 1 & (self->secure_bits ^ bits)) || locks & ~bits ||
	    bits & ~(unsigned long)(SECURE_BITS | SECURE_LOCK(SECURE_BITS)) || !credentials_may(self, CAP_SETPCAP))
		return -EPERM;
	self->secure_bits = (uint32_t)bits;
	return 0;
}

static long change_ambient(struct credentials *self, unsigned long what, unsigned long capability, bool has_more)
{
	if (what == PR_CAP_AMBIENT_CLEAR_ALL) {
		if (capability || has_more)
			return -EINVAL;
		self->ambient = 0;
		return 0;
	}
	if (capability > CREDENTIALS_LAST || has_more)
		return -EINVAL;
	const uint64_t bit = 1UL << capability;
	switch (what) {
	case PR_CAP_AMBIENT_IS_SET:
		return (self->ambient & bit) != 0;
	case PR_CAP_AMBIENT_RAISE:
		if (!(self->permitted & self->inheritable & bit) || self->secure_bits & SECURE_NO_CAP_AMBIENT_RAISE)
			return -EPERM;
		self->ambient |= bit;
		return 0;
	case PR_CAP_AMBIENT_LOWER:
		self->ambient &= ~bit;
		return 0;
	default:
		return -EINVAL;
	}
}

long credentials_prctl(int option, unsigned long arg2, unsigned long arg3, unsigned long arg4, unsigned long arg5)
{
	struct credentials *self = &process_self()->credentials;
	switch (option) {
	case PR_GET_KEEPCAPS:
		return (self->secure_bits & SECURE_KEEP_CAPS) != 0;
	case PR_SET_KEEPCAPS:
		return set_keeps(self, arg2);
	case PR_CAPBSET_READ:
		return arg2 > CREDENTIALS_LAST ? -EINVAL : (long)(self->bounding >> arg2 & 1);
	case PR_CAPBSET_DROP:
		return drop_bounding(self, arg2);
	case PR_GET_SECUREBITS:
		return self->secure_bits;
	case PR_SET_SECUREBITS:
		return set_secure_bits(self, arg2);
	case PR_CAP_AMBIENT:
		return change_ambient(self, arg2, arg3, arg4 || arg5);
	default:
		return -EINVAL;
	}
}
