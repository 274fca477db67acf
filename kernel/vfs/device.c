/* SPDX-License-Identifier: MIT */
/* Devices: memory devices as in mem(4) and random(4), and the standard streams. Without --tty a stream looks like a
 * pipe to the program. */
#include "kernel/vfs/device.h"

#include "abi/errno.h"
#include "abi/layout.h"
#include "kernel/arch/uaccess.h"
#include "kernel/dev/console.h"
#include "kernel/lib/string.h"
#include "kernel/mm/vm.h"
#include "kernel/personality.h"
#include "kernel/rand/entropy.h"
#include "kernel/vfs/input.h"
#include "kernel/vfs/keyboard.h"
#include "kernel/vfs/namei.h"
#include "kernel/vfs/vfs.h"

/* Buffer between console or entropy and the program: neither accepts the program's pointers. */
static uint8_t bounce[PAGE_SIZE];

#define DRAW_BYTES 256 /* bytes drawn at once, even if the program's buffer becomes inaccessible before their end */
_Static_assert(DRAW_BYTES <= sizeof(bounce), "device_draw");

static size_t least_count(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* --- null, zero, full, random --- */

static long null_read(struct file *, void *, size_t, int64_t *)
{
	return 0;
}

static long null_write(struct file *, const void *, size_t bytes, int64_t *)
{
	return (long)bytes;
}

static int64_t null_seek(struct file *file, int64_t, int)
{
	return file->pos = 0;
}

static long zero_read(struct file *, void *to, size_t bytes, int64_t *)
{
	return clear_user(to, bytes) < 0 ? -EFAULT : (long)bytes;
}

static long full_write(struct file *, const void *, size_t bytes, int64_t *)
{
	return bytes ? -ENOSPC : 0;
}

long device_draw(void *to, size_t bytes)
{
	for (size_t done = 0, run; done < bytes; done += run) {
		char *at = (char *)to + done;
		run = least_count(bytes - done, DRAW_BYTES);
		entropy_draw(&process_current->entropy, ENTROPY_PROGRAM, bounce, run);
		if (copy_to_user(at, bounce, run) < 0) {
			run = vm_reach((uint64_t)at, run, VM_WRITE);
			copy_to_user(at, bounce, run);
			bytes = done + run;
			if (!bytes)
				return -EFAULT;
		}
	}
	return (long)bytes;
}

static long random_read(struct file *, void *to, size_t bytes, int64_t *)
{
	return device_draw(to, bytes);
}

static const struct file_ops null_ops = {.read = null_read, .write = null_write, .seek = null_seek};
static const struct file_ops zero_ops = {.read = zero_read, .write = null_write, .seek = null_seek};
static const struct file_ops full_ops = {.read = zero_read, .write = full_write, .seek = null_seek};
static const struct file_ops random_ops = {.read = random_read, .write = null_write, .seek = null_seek};

/* --- standard streams that are no terminal --- */

static long console_file_read(struct file *, void *to, size_t bytes, int64_t *)
{
	size_t total = 0;
	while (total < bytes) {
		size_t asked = least_count(bytes - total, sizeof(bounce));
		long done = console_read(bounce, asked);
		if (done < 0)
			return total ? (long)total : done;
		if (copy_to_user((uint8_t *)to + total, bounce, (size_t)done) < 0)
			return -EFAULT;
		total += (size_t)done;
		/* The read goes on only if the bounce buffer was full before the end of the line or of the input. */
		if ((size_t)done < asked || bounce[done - 1] == '\n')
			break;
	}
	return (long)total;
}

static long console_file_write(struct file *file, const void *from, size_t bytes, int64_t *)
{
	size_t total = 0;
	while (total <
	       bytes) { /* page by page: if the buffer has a bad page, the number of bytes written before it is known */
		const char *at = (const char *)from + total;
		size_t run = least_count(bytes - total, PAGE_SIZE - (uint64_t)at % PAGE_SIZE);
		int error = console_write(file->stream == 2 ? 2 : 1, at, run);
		if (error < 0)
			return total ? (long)total : error;
		total += run;
	}
	return (long)total;
}

/* device_choose_stream sets the operations that depend on the run and on the personality. */
static struct file_ops stream_ops = {
	.write = console_file_write,
};

static struct mount console_mount = {.dev = 25, .next_ino = 3, .magic = LINUX_PIPEFS_MAGIC};
static struct inode *console_inodes[3];

static int console_open(struct inode *inode, struct file *file)
{
	if (LINUX_S_ISCHR(inode->mode))
		return terminal_open(keyboard_terminal(), file);
	file->ops = &stream_ops;
	for (int i = 0; i < 3; i++) {
		if (console_inodes[i] == inode)
			file->stream = i;
	}
	return 0;
}

static const struct inode_ops console_inode_ops = {.open = console_open};

void device_choose_stream(void)
{
	stream_ops.read = input_source ? input_read : console_file_read;
	stream_ops.poll = input_source ? input_poll : personality.device_stream_poll;
	stream_ops.ioctl = input_source ? input_ioctl : personality.device_stream_ioctl;
}

int device_open_console(int fd, struct file **out)
{
	bool terminal = console_is_tty(fd);
	struct inode *inode = inode_create(&console_mount, terminal ? LINUX_S_IFCHR | 0620 : LINUX_S_IFIFO | 0600);
	if (!inode)
		return -ENOMEM;
	if (terminal) {
		inode->ino = 3; /* all three are /dev/pts/0 */
		inode->rdev = DEVICE_TERMINAL(0);
	}
	inode->nlink = 1;
	inode->ops = &console_inode_ops;
	console_inodes[fd] = inode;
	device_choose_stream();
	if (terminal)
		keyboard_add(inode);
	else if (fd == 0)
		input_add(inode);
	return file_create(inode, terminal ? LINUX_O_RDWR : fd ? LINUX_O_WRONLY : LINUX_O_RDONLY, out);
}

/* --- the directory --- */

static int device_open(struct inode *inode, struct file *file)
{
	switch (LINUX_S_ISCHR(inode->mode) ? inode->rdev : 0) {
	case DEVICE(1, 3):
		file->ops = &null_ops;
		return 0;
	case DEVICE_ZERO:
		file->ops = &zero_ops;
		return 0;
	case DEVICE(1, 7):
		file->ops = &full_ops;
		return 0;
	case DEVICE(1, 8):
	case DEVICE(1, 9):
		file->ops = &random_ops;
		return 0;
	case DEVICE(5, 0):
		return terminal_open_own(inode, file);
	default:
		return -ENXIO;
	}
}

const struct inode_ops device_inode_ops = {.open = device_open};

/* Follows /dev/stdin and its like to the object on which the descriptor is open, as Linux does through
 * /proc/self/fd. */
static int follow_fd(struct inode *link, struct inode **to)
{
	struct file *file = fdtable_get(&process_current->files->fds, (int)link->rdev);
	*to = file ? file->inode : NULL;
	return file ? 0 : -ENOENT;
}

static const struct inode_ops fd_link_ops = {.follow = follow_fd};

/* name, mode, number: the device's, or the descriptor that a link leads to; and the link's text. */
#define NODE_LIST(X) \
	X("null", LINUX_S_IFCHR | 0666, DEVICE(1, 3), NULL) \
	X("zero", LINUX_S_IFCHR | 0666, DEVICE_ZERO, NULL) \
	X("full", LINUX_S_IFCHR | 0666, DEVICE(1, 7), NULL) \
	X("random", LINUX_S_IFCHR | 0666, DEVICE(1, 8), NULL) \
	X("urandom", LINUX_S_IFCHR | 0666, DEVICE(1, 9), NULL) \
	X("tty", LINUX_S_IFCHR | 0666, DEVICE(5, 0), NULL) \
	X("stdin", LINUX_S_IFLNK | 0777, 0, "/proc/self/fd/0") \
	X("stdout", LINUX_S_IFLNK | 0777, 1, "/proc/self/fd/1") \
	X("stderr", LINUX_S_IFLNK | 0777, 2, "/proc/self/fd/2")

static const struct node {
	const char *name;
	uint32_t mode;
	uint32_t number;
	const char *target;
} nodes[] = {
#define NODE(name, mode, number, target) {name, mode, number, target},
	NODE_LIST(NODE)
#undef NODE
};

static int add_node(struct inode *dir, const struct node *node)
{
	struct inode *inode = inode_create(dir->mount, node->mode);
	if (!inode)
		return -ENOMEM;
	inode->rdev = node->number;
	inode->ops = &device_inode_ops;
	if (node->target) {
		inode->ops = &fd_link_ops;
		inode->target = node->target;
		inode->backing =
			(void *)node->target; /* the target is constant: a backing keeps the inode from freeing it */
		inode->size = strlen(node->target);
	}
	int error = namei_attach(dir, node->name, strlen(node->name), inode);
	inode_put(inode);
	return error;
}

int device_populate(struct inode *dir)
{
	int error = 0;
	for (size_t i = 0; error == 0 && i < sizeof(nodes) / sizeof(nodes[0]); i++)
		error = add_node(dir, &nodes[i]);
	return error;
}
