/* SPDX-License-Identifier: MIT */
/* arch_prctl(2): the bases of FS and GS, and features of the processor. */
#include "abi/errno.h"
#include "kernel/arch/uaccess.h"
#include "kernel/linux/cpu/cpu.h"
#include "kernel/sched/thread_segments.h"
#include "kernel/sys/sys.h"

#define ARCH_SET_GS 0x1001
#define ARCH_SET_FS 0x1002
#define ARCH_GET_FS 0x1003
#define ARCH_GET_GS 0x1004
#define ARCH_GET_CPUID 0x1011
#define ARCH_SET_CPUID 0x1012
#define ARCH_GET_XCOMP_SUPP 0x1021
#define ARCH_GET_XCOMP_PERM 0x1022
#define ARCH_GET_XCOMP_GUEST_PERM 0x1024
#define X87_AND_SSE 3UL /* the states that a processor without XSAVE has */
#define ADDRESS_END 0x7ffffffff000UL

long sys_arch_prctl(int code, unsigned long address)
{
	uint64_t states;
	if ((code == ARCH_SET_FS || code == ARCH_SET_GS) && address >= ADDRESS_END)
		return -EPERM;
	thread_segments_note();
	switch (code) {
	case ARCH_SET_FS:
		thread_segments_set_fs(address);
		return 0;
	case ARCH_SET_GS:
		thread_segments_set_gs(address);
		return 0;
	case ARCH_GET_FS:
		return copy_to_user((void *)address, &thread_current->fs_base, sizeof(uint64_t));
	case ARCH_GET_GS:
		return copy_to_user((void *)address, &thread_current->gs_base, sizeof(uint64_t));
	case ARCH_GET_CPUID:
		return 1;
	case ARCH_SET_CPUID:
		return -ENODEV; /* the model cannot make cpuid fault */
	case ARCH_GET_XCOMP_SUPP:
	case ARCH_GET_XCOMP_PERM:
	case ARCH_GET_XCOMP_GUEST_PERM:
		states = cpu_xsave_bytes() ? cpu_xcr0() : X87_AND_SSE;
		return copy_to_user((void *)address, &states, sizeof(states));
	default:
		return -EINVAL;
	}
}
