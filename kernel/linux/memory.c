/* SPDX-License-Identifier: MIT */
/* Where Linux programs have their memory: as Linux places it when it does not randomise addresses. */
#include "kernel/linux/memory.h"

#include "abi/errno.h"
#include "abi/linux.h"
#include "kernel/mm/image.h"
#include "kernel/mm/vm.h"
#include "kernel/sys/memory.h"
#include "kernel/vfs/data.h"
#include "kernel/vfs/file.h"

int memory_shared(uint64_t bytes, struct file **object)
{
	struct file *file;
	int error = file_open(LINUX_AT_FDCWD, "/dev", LINUX_O_RDWR | LINUX_O_TMPFILE, 0600, &file);
	if (!error)
		error = data_truncate(file->inode, bytes);
	*object = error ? NULL : file;
	return error;
}

uint64_t memory_gap(uint64_t bytes)
{
	return vm_find_gap_below(bytes, MEMORY_ADDRESS_MIN, LINUX_MMAP_TOP);
}

bool image_is_program(uint64_t address, uint64_t bytes)
{
	(void)address, (void)bytes;
	return false;
}

int image_protect(uint64_t address, uint64_t bytes, int prot)
{
	(void)address, (void)bytes, (void)prot;
	return -EACCES;
}
