/* SPDX-License-Identifier: MIT */
#include "kernel/linux/signal/owner.h"

#include "abi/errno.h"
#include "abi/linux.h"
#include "kernel/arch/uaccess.h"
#include "kernel/linux/files/pty.h"
#include "kernel/linux/signal/kill.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/signal/signal.h"
#include "kernel/sys/file_descriptor.h"
#include "kernel/sys/sys.h"
#include "kernel/vfs/anon.h"
#include "kernel/vfs/pipe.h"
#include "kernel/vfs/terminal.h"
#include "kernel/vfs/watches.h"

#define SIGURG 23
#define SIGIO 29
#define SI_SIGIO (-5)

/* The owner of an open file, from the first setting of one of its properties until the file is closed. */
struct owner {
	struct list of_inode;
	struct file *file; /* without a reference */
	int fd;            /* the descriptor through which O_ASYNC was set */
	bool is_async;
	int sig; /* F_SETSIG; 0: SIGIO, without the reason in siginfo */
	struct kill_target to;
};

/* struct f_owner_ex */
struct f_owner_ex {
	int32_t type, pid;
};

static struct owner *find_owner(const struct file *file)
{
	struct watches *watches = watches_at(file->inode);
	if (!watches)
		return NULL;
	list_each (link, &watches->owners) {
		struct owner *owner = list_entry(link, struct owner, of_inode);
		if (owner->file == file)
			return owner;
	}
	return NULL;
}

static bool has_own_codes(int sig)
{
	return signal_bit(sig) & (signal_bit(LINUX_SIGILL) | signal_bit(LINUX_SIGFPE) | signal_bit(LINUX_SIGSEGV) |
	                          signal_bit(LINUX_SIGBUS) | signal_bit(LINUX_SIGTRAP) | signal_bit(LINUX_SIGCHLD) |
	                          signal_bit(LINUX_SIGSYS));
}

/* send_sigio in fs/fcntl.c. Where siginfo_t has si_pid and si_uid there is si_band, and then si_fd. */
static void send_to_owner(const struct owner *owner, enum async_reason reason)
{
	const unsigned int bands[] = {[ASYNC_IN] = LINUX_POLLIN | LINUX_POLLRDNORM,
	                              [ASYNC_OUT] = LINUX_POLLOUT | LINUX_POLLWRNORM | LINUX_POLLWRBAND,
	                              [ASYNC_PRI] = LINUX_POLLPRI | LINUX_POLLRDBAND,
	                              [ASYNC_HUP] = LINUX_POLLHUP | LINUX_POLLERR};
	const struct signal_origin why = {.code = owner->sig && has_own_codes(owner->sig) ? SI_SIGIO : (int)reason,
	                                  .pid = (int32_t)bands[reason],
	                                  .value = (uint32_t)owner->fd};
	const struct signal_origin kernel = {.code = LINUX_SI_KERNEL};
	if (!owner->is_async)
		return;
	if (!owner->sig || kill_send(&owner->to, owner->sig, &why) == -EAGAIN)
		kill_send(&owner->to, SIGIO, &kernel);
}

static void owners_signal(struct watches *watches, enum async_reason reason)
{
	list_each (link, &watches->owners)
		send_to_owner(list_entry(link, struct owner, of_inode), reason);
}

static void owners_signal_urgent(struct watches *watches)
{
	const struct signal_origin kernel = {.code = LINUX_SI_KERNEL};
	list_each (link, &watches->owners)
		kill_send(&list_entry(link, struct owner, of_inode)->to, SIGURG, &kernel);
	owners_signal(watches, ASYNC_PRI);
}

static bool is_terminal(const struct file *file)
{
	return terminal_of(file) || pty_is_master(file->inode);
}

/* A terminal signals that input has come, not its end nor the state of packet mode. Observers of /dev/tty hear of all
 * terminals, so the file is asked. */
static void terminal_changed(const struct owner *owner, unsigned int events)
{
	if (events & LINUX_POLLIN && !(events & (LINUX_POLLHUP | LINUX_POLLPRI)) &&
	    owner->file->ops->poll(owner->file) & LINUX_POLLIN)
		send_to_owner(owner, ASYNC_IN);
}

/* For pipes, FIFOs and terminals. Sockets report more exactly, and other objects send no signals on Linux. */
static void owners_changed(struct watches *watches, unsigned int events)
{
	list_each (link, &watches->owners) {
		const struct owner *owner = list_entry(link, struct owner, of_inode);
		if (is_terminal(owner->file))
			terminal_changed(owner, events);
		if (!pipe_of(owner->file))
			continue;
		if (owner->file->readable && events & LINUX_POLLIN)
			send_to_owner(owner, ASYNC_IN);
		if (owner->file->writable && events & (LINUX_POLLOUT | LINUX_POLLERR))
			send_to_owner(owner, ASYNC_OUT);
	}
}

static void owners_closed(struct watches *watches, const struct file *file)
{
	struct owner *owner = find_owner(file);
	(void)watches;
	if (!owner)
		return;
	list_remove(&owner->of_inode);
	kfree(owner);
}

static const struct watches_owner_ops ops = {
	.changed = owners_changed,
	.closed = owners_closed,
	.signal = owners_signal,
	.signal_urgent = owners_signal_urgent,
};

/* --- fcntl(2) --- */

static struct owner *find_or_make(struct file *file)
{
	struct owner *owner = find_owner(file);
	struct watches *watches = owner ? NULL : watches_of(file->inode);
	if (!watches)
		return owner;
	owner = kzalloc(sizeof(*owner));
	if (!owner) {
		watches_drop(file->inode);
		return NULL;
	}
	owner->file = file;
	list_add_last(&watches->owners, &owner->of_inode);
	watches->owner_ops = &ops;
	return owner;
}

static bool can_signal(const struct file *file)
{
	return pipe_of(file) || is_terminal(file) || (file->inode->mode & LINUX_S_IFMT) == LINUX_S_IFSOCK;
}

/* Without an owner, a terminal signals the process group in front, or else the process that asks for signals
 * (__tty_fasync in Linux's drivers/tty/tty_io.c). */
static void own_terminal(struct owner *owner)
{
	const struct terminal *terminal = terminal_of(owner->file);
	if (owner->to.id || !is_terminal(owner->file))
		return;
	if (terminal && terminal->foreground)
		owner->to = (struct kill_target){KILL_GROUP, terminal->foreground};
	else
		owner->to = (struct kill_target){KILL_PROCESS, process_current->id};
}

int owner_set_async(int fd, struct file *file, bool on)
{
	struct owner *owner = on && can_signal(file) ? find_or_make(file) : find_owner(file);
	if (!owner)
		return on && can_signal(file) ? -ENOMEM : 0;
	if (on)
		own_terminal(owner);
	owner->is_async = on;
	owner->fd = fd;
	return 0;
}

long sys_ioctl(int fd, unsigned long request, void *arg)
{
	long result = file_descriptor_ioctl(fd, request, arg);
	struct file *file = anon_get(fd);
	if (!result && (uint32_t)request == LINUX_FIOASYNC && file)
		result = owner_set_async(fd, file, file->flags & LINUX_O_ASYNC);
	return result;
}

static long set_file_receiver(struct file *file, int type, int pid)
{
	const struct kill_target to = {type, (uint32_t)pid};
	if (pid && !kill_knows(to.id))
		return -ESRCH;
	struct owner *owner = find_or_make(file);
	if (!owner)
		return -ENOMEM;
	owner->to = to;
	return 0;
}

static long set_owner_ex(struct file *file, const void *user)
{
	struct f_owner_ex given;
	if (copy_from_user(&given, user, sizeof(given)))
		return -EFAULT;
	if (given.type < KILL_THREAD || given.type > KILL_GROUP)
		return -EINVAL;
	return set_file_receiver(file, given.type, given.pid);
}

static long set_signal(struct file *file, unsigned long sig)
{
	if (sig > LINUX_NSIG)
		return -EINVAL;
	struct owner *owner = find_or_make(file);
	if (!owner)
		return -ENOMEM;
	owner->sig = (int)sig;
	return 0;
}

long owner_control(struct file *file, int command, unsigned long arg)
{
	const struct owner *owner = find_owner(file);
	struct f_owner_ex own = {.type = owner ? owner->to.type : KILL_THREAD};
	int pid = (int)arg;
	if (owner && owner->to.id && kill_exists(&owner->to))
		own.pid = (int)owner->to.id;
	switch (command) {
	case LINUX_F_SETOWN:
		if (pid == INT32_MIN)
			return -EINVAL;
		return set_file_receiver(file, pid < 0 ? KILL_GROUP : KILL_PROCESS, pid < 0 ? -pid : pid);
	case LINUX_F_GETOWN:
		return own.type == KILL_GROUP ? -own.pid : own.pid;
	case LINUX_F_SETOWN_EX:
		return set_owner_ex(file, (const void *)arg);
	case LINUX_F_GETOWN_EX:
		return copy_to_user((void *)arg, &own, sizeof(own));
	case LINUX_F_SETSIG:
		return set_signal(file, arg);
	case LINUX_F_GETSIG:
		return owner ? owner->sig : 0;
	default:
		return -EINVAL;
	}
}
