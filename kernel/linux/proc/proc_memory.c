/* SPDX-License-Identifier: MIT */
/* A position in /proc/PID/mem is an address of the process, which must be accessible to it. Bytes pass through a
 * buffer, because only one of the two address spaces is current at a time. */
#include "kernel/linux/proc/proc_memory.h"

#include "abi/errno.h"
#include "kernel/arch/uaccess.h"
#include "kernel/linux/memory/linux_space.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/mm/vm.h"
#include "kernel/vfs/file.h"

/* Copies between a buffer and an address of a space, up to the first inaccessible byte. Returns the bytes copied. */
static size_t access(struct linux_space *space, uint64_t at, uint8_t *buffer, size_t bytes, bool write)
{
	struct linux_space *own = linux_space_self();
	linux_space_use(space);
	bytes = vm_reach(at, bytes, write ? VM_WRITE : VM_READ);
	int error = write ? copy_to_user((void *)at, buffer, bytes) : copy_from_user(buffer, (const void *)at, bytes);
	linux_space_use(own);
	return error ? 0 : bytes;
}

/* Moves bytes, page by page. Returns their number, 0 for a process that has ended, or a negative errno. */
static long transfer(struct file *file, uint8_t *user, size_t bytes, int64_t *pos, bool write)
{
	const struct process *process = proc_process(proc_object_of(file->inode));
	long error = 0;
	size_t done = 0;
	if (!process || process->more->ended)
		return 0;
	uint8_t *buffer = kmalloc(PAGE_SIZE);
	if (!buffer)
		return -ENOMEM;
	while (!error && done < bytes) {
		uint64_t at = (uint64_t)*pos + done;
		size_t run = PAGE_SIZE - at % PAGE_SIZE, moved;
		run = run < bytes - done ? run : bytes - done;
		if (write && copy_from_user(buffer, user + done, run)) {
			error = -EFAULT;
			break;
		}
		moved = access(process->more->space, at, buffer, run, write);
		if (!write && copy_to_user(user + done, buffer, moved))
			error = -EFAULT;
		else if (moved < run)
			error = -EIO;
		done += error == -EFAULT ? 0 : moved;
	}
	kfree(buffer);
	*pos += (int64_t)done;
	return done ? (long)done : error;
}

static long memory_read(struct file *file, void *to, size_t bytes, int64_t *pos)
{
	return transfer(file, to, bytes, pos, false);
}

static long memory_write(struct file *file, const void *from, size_t bytes, int64_t *pos)
{
	return transfer(file, (void *)from, bytes, pos, true);
}

static int64_t memory_seek(struct file *file, int64_t offset, int whence)
{
	return whence == LINUX_SEEK_END ? -EINVAL : file_seek(file, offset, whence, 0);
}

static const struct file_ops memory_ops = {.read = memory_read, .write = memory_write, .seek = memory_seek};

int proc_memory_open(struct inode *inode, struct file *file)
{
	if (!proc_process(proc_object_of(inode)))
		return -ESRCH;
	file->ops = &memory_ops;
	return 0;
}
