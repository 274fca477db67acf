/* SPDX-License-Identifier: MIT */
/* membarrier(2). One thread runs at a time, and a switch orders all that the old thread has done. So only the rules of
 * the call remain to be enforced. A thread interrupted in a restartable sequence restarts it anyway (rseq.c). Commands
 * are those of Linux 6.1. */
#include "abi/errno.h"
#include "kernel/linux/process/linux_process.h"
#include "kernel/sys/sys.h"

enum {
	GLOBAL = 1,
	GLOBAL_EXPEDITED = 2,
	REGISTER_GLOBAL_EXPEDITED = 4,
	PRIVATE_EXPEDITED = 8,
	REGISTER_PRIVATE_EXPEDITED = 16,
	PRIVATE_EXPEDITED_SYNC_CORE = 32,
	REGISTER_PRIVATE_EXPEDITED_SYNC_CORE = 64,
	PRIVATE_EXPEDITED_RSEQ = 128,
	REGISTER_PRIVATE_EXPEDITED_RSEQ = 256,
	ALL = 511,
	OF_PROCESSOR = 1, /* the only flag */
};

long sys_membarrier(int command, unsigned int flags, int processor)
{
	uint8_t *registered = &process_self()->membarriers;
	(void)processor;
	if (flags && (flags != OF_PROCESSOR || command != PRIVATE_EXPEDITED_RSEQ))
		return -EINVAL;
	switch (command) {
	case 0:
		return ALL;
	case GLOBAL:
	case GLOBAL_EXPEDITED:
	case REGISTER_GLOBAL_EXPEDITED:
		return 0;
	case REGISTER_PRIVATE_EXPEDITED:
	case REGISTER_PRIVATE_EXPEDITED_SYNC_CORE:
	case REGISTER_PRIVATE_EXPEDITED_RSEQ:
		*registered |= (uint8_t)(command >> 1);
		return 0;
	case PRIVATE_EXPEDITED:
	case PRIVATE_EXPEDITED_SYNC_CORE:
	case PRIVATE_EXPEDITED_RSEQ:
		return *registered & command ? 0 : -EPERM;
	default:
		return -EINVAL;
	}
}
