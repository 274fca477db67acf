/* SPDX-License-Identifier: MIT */
/* `wanted` is true from the moment a program finds no input until some comes. Nothing is asked for before a program
 * looks for input: what it does not want stays on the host. */
#include "kernel/vfs/input.h"

#include "abi/errno.h"
#include "kernel/arch/uaccess.h"
#include "kernel/dev/console.h"
#include "kernel/lib/string.h"
#include "kernel/sched/sched.h"
#include "kernel/vfs/readiness.h"
#include "kernel/vfs/keyboard.h"

#define READING (LINUX_POLLIN | LINUX_POLLRDNORM)
#define ASK_LEAST (CONSOLE_KEPT_MAX / 4) /* asked for at once, so that there are few requests */

const struct input_source *input_source;

static struct {
	bool wanted, ended;
	size_t asked; /* bytes that the source was asked for and that have not come */
	struct readiness_queue reading;
	struct inode *inode;
} input;

static size_t kept(void)
{
	const uint8_t *from;
	return console_kept(&from);
}

/* Asks for as much as there is room for, if that is much. */
static void ask_source(void)
{
	size_t room = CONSOLE_KEPT_MAX - kept() - input.asked;
	if (input.ended || room < ASK_LEAST)
		return;
	input.asked += room;
	input_source->ask(room);
}

void input_arrived(size_t bytes)
{
	if (console_is_tty(0)) {
		keyboard_arrived(bytes);
		return;
	}
	input.asked -= bytes < input.asked ? bytes : input.asked;
	input.wanted = false;
	input.ended = !bytes;
	if (input.inode)
		inode_tell(input.inode, READING | (input.ended ? LINUX_POLLHUP : 0));
	(input.ended ? readiness_wake_all : readiness_wake_one)(&input.reading);
	readiness_wake_all(&readiness_polling);
}

bool input_is_awaited(bool is_last)
{
	return console_is_tty(0) ? keyboard_is_awaited(is_last) : !input.ended && (input.wanted || input.reading.first);
}

void input_forget(void)
{
	memset(&input, 0, sizeof(input));
	input_source = NULL;
}

void input_add(struct inode *inode)
{
	if (input_source)
		input.inode = inode;
}

static bool can_read_input(const void *)
{
	return input.ended || kept();
}

/* Waits until something can be read. Returns 0 or a negative errno. */
static int wait_for_input(const struct file *file)
{
	ask_source();
	if (!can_read_input(NULL) && (file->flags & LINUX_O_NONBLOCK))
		input_source->look();
	while (!can_read_input(NULL)) {
		input.wanted = true;
		if (file->flags & LINUX_O_NONBLOCK)
			return -EAGAIN;
		int error =
			readiness_wait(&input.reading, SCHED_FOREVER, "standard input (read)", can_read_input, NULL);
		if (error < 0)
			return error;
	}
	return 0;
}

long input_read(struct file *file, void *to, size_t bytes, int64_t *)
{
	const uint8_t *from;
	if (bytes == 0)
		return 0;
	int error = wait_for_input(file);
	if (error < 0)
		return error;
	size_t have = console_kept(&from), take = have < bytes ? have : bytes;
	if (copy_to_user(to, from, take) < 0)
		return -EFAULT;
	console_drop(take);
	ask_source();
	readiness_wake_one(&input.reading);
	return (long)take;
}

unsigned int input_poll(struct file *file)
{
	unsigned int events = file->writable ? LINUX_POLLOUT | LINUX_POLLWRNORM : 0;
	if (!file->readable)
		return events;
	if (!readiness_thread) /* not in a test, which changes nothing that the monitor sees */
		ask_source();
	if (can_read_input(NULL))
		return events | READING | (kept() ? 0 : LINUX_POLLHUP);
	input.wanted = true;
	return events;
}

long input_ioctl(struct file *file, unsigned long request, void *arg)
{
	if (request != LINUX_FIONREAD)
		return -ENOTTY;
	if (file->readable)
		ask_source();
	if (file->readable && !can_read_input(NULL))
		input_source->look();
	int count = file->readable ? (int)kept() : 0;
	return copy_to_user(arg, &count, sizeof(count));
}
