/* SPDX-License-Identifier: MIT */
/* The bases of fs and gs: arch_prctl(2). */
#include "abi/errno.h"
#include "kernel/arch/uaccess.h"
#include "kernel/sys/sys.h"

#define ARCH_SET_GS 0x1001
#define ARCH_SET_FS 0x1002
#define ARCH_GET_FS 0x1003
#define ARCH_GET_GS 0x1004
#define ADDRESS_END 0x7ffffffff000UL

long sys_arch_prctl(int code, unsigned long address)
{
	uint64_t base;
	if ((code == ARCH_SET_FS || code == ARCH_SET_GS) && address >= ADDRESS_END)
		return -EPERM;
	switch (code) {
	case ARCH_SET_FS:
		__asm__ volatile("wrfsbase %0" : : "r"(address) : "memory");
		return 0;
	case ARCH_SET_GS:
		__asm__ volatile("wrgsbase %0" : : "r"(address) : "memory");
		return 0;
	case ARCH_GET_FS:
		__asm__ volatile("rdfsbase %0" : "=r"(base));
		return copy_to_user((void *)address, &base, sizeof(base));
	case ARCH_GET_GS:
		__asm__ volatile("rdgsbase %0" : "=r"(base));
		return copy_to_user((void *)address, &base, sizeof(base));
	default:
		return -EINVAL;
	}
}
