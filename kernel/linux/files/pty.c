/* SPDX-License-Identifier: MIT */
/* A pair lives until its master and all files of its terminal are closed. What the terminal prints waits in `output`
 * for the master, which it then blocks. What the master writes waits in `input` until the line has room for it.
 *
 * Invariant: when no function of this file runs, `input` is empty or the line is full. */
#include "kernel/linux/files/pty.h"

#include "abi/errno.h"
#include "abi/linux_signal.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/format.h"
#include "kernel/lib/list.h"
#include "kernel/lib/string.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/personality.h"
#include "kernel/sched/sched.h"
#include "kernel/vfs/anon.h"
#include "kernel/vfs/dentry.h"
#include "kernel/vfs/device.h"
#include "kernel/vfs/keyboard.h"
#include "kernel/vfs/namei.h"

#define READING (LINUX_POLLIN | LINUX_POLLRDNORM)
#define WRITING (LINUX_POLLOUT | LINUX_POLLWRNORM)

#define CAP_SYS_ADMIN 21    /* capabilities(7) */
#define PTY_LIMIT 4096U     /* terminals at once, as kernel.pty.max of Linux */
#define GROUP_TTY 5         /* Debian's group of terminals */
#define QUEUE_BYTES 16384U  /* power of two */
#define INPUT_BYTES 8192U   /* written by the master and not yet typed */
#define OUTPUT_BYTES 12288U /* the terminal's writers wait when the master has this much to read */
#define FLUSH_LEAVES 4095U  /* bytes that the master's own line discipline has already on Linux */
#define PACKET_DATA 0       /* first byte of a read in packet mode: data follow */
#define CHUNK_BYTES 256U    /* copied at once */

_Static_assert(OUTPUT_BYTES + TERMINAL_MORE < QUEUE_BYTES, "a write that has found room is never cut");

struct queue {
	uint32_t head, count;
	uint8_t bytes[QUEUE_BYTES];
};

struct pty {
	struct terminal terminal;
	struct pty *next; /* with the next higher number */
	struct inode *inode, *master;
	uint32_t users; /* open files of the terminal */
	bool has_master;
	bool locked;    /* TIOCSPTLCK */
	bool packet;    /* TIOCPKT */
	bool closed;    /* the last file of the terminal was closed, and none opened since */
	bool stopped;   /* the master has stopped what it writes (tcflow(3)) */
	bool echoed;    /* `output` has an echo, and the master must be woken for it */
	uint8_t status; /* TERMINAL_*, for the next read in packet mode */
	struct queue input, output;
	struct readiness_queue reading, writing; /* at the master */
};

static struct inode *names;
static struct pty *ptys;

/* --- queues --- */

static void push_output(struct queue *queue, const uint8_t *from, size_t bytes)
{
	assert(bytes <= QUEUE_BYTES - queue->count);
	for (size_t i = 0; i < bytes; i++)
		queue->bytes[(queue->head + queue->count++) % QUEUE_BYTES] = from[i];
}

static size_t pull(struct queue *queue, uint8_t *to, size_t bytes)
{
	bytes = bytes < queue->count ? bytes : queue->count;
	for (size_t i = 0; i < bytes; i++)
		to[i] = queue->bytes[(queue->head + i) % QUEUE_BYTES];
	queue->head = (queue->head + (uint32_t)bytes) % QUEUE_BYTES;
	queue->count -= (uint32_t)bytes;
	return bytes;
}

/* --- between master and terminal --- */

static struct pty *of_terminal(const struct terminal *terminal)
{
	return list_entry(terminal, struct pty, terminal);
}

static void tell_master(struct pty *pty, unsigned int events)
{
	if (!pty->has_master)
		return;
	inode_tell(pty->master, events);
	readiness_wake_all(&pty->reading);
	readiness_wake_all(&pty->writing);
	readiness_wake_all(&readiness_polling);
}

/* Types what the master has written, as far as the line has room. Wakes the master once for all echoes. */
static void feed(struct pty *pty)
{
	uint8_t chunk[CHUNK_BYTES];
	const bool had_room = pty->input.count < INPUT_BYTES;
	for (size_t room; pty->input.count && (room = line_room(&pty->terminal.line));)
		terminal_type(&pty->terminal, chunk, pull(&pty->input, chunk, room < CHUNK_BYTES ? room : CHUNK_BYTES));
	if (!had_room && pty->input.count < INPUT_BYTES)
		tell_master(pty, WRITING);
	if (pty->echoed)
		tell_master(pty, READING);
	pty->echoed = false;
}

static size_t terminal_room(const struct terminal *terminal)
{
	const struct pty *pty = of_terminal(terminal);
	return pty->output.count < OUTPUT_BYTES ? OUTPUT_BYTES - pty->output.count : 0;
}

static void show_output(struct terminal *terminal, const void *text, size_t bytes)
{
	struct pty *pty = of_terminal(terminal);
	push_output(&pty->output, text, bytes);
	tell_master(pty, READING);
}

/* As on Linux, an echo for which there is no room is lost. The room for a write that has begun stays free. */
static void show_pty_echo(struct terminal *terminal, const void *text, size_t bytes)
{
	struct pty *pty = of_terminal(terminal);
	if (pty->output.count + bytes > QUEUE_BYTES - TERMINAL_MORE)
		return;
	push_output(&pty->output, text, bytes);
	pty->echoed = true;
}

static void typed_taken(struct terminal *terminal)
{
	feed(of_terminal(terminal));
}

static void drop_typed(struct terminal *terminal)
{
	struct pty *pty = of_terminal(terminal);
	pty->input.count = 0;
	tell_master(pty, WRITING);
}

/* Later events of flow replace earlier ones. */
static void add_status(struct pty *pty, unsigned int what)
{
	const unsigned int pairs[] = {TERMINAL_STOPPED | TERMINAL_STARTED, TERMINAL_WITH_FLOW | TERMINAL_WITHOUT_FLOW};
	if (!pty->packet)
		return;
	for (unsigned int i = 0; i < 2; i++)
		if (what & pairs[i])
			pty->status &= (uint8_t)~pairs[i];
	pty->status |= (uint8_t)what;
	tell_master(pty, READING | LINUX_POLLPRI);
}

static void happened(struct terminal *terminal, unsigned int what)
{
	struct pty *pty = of_terminal(terminal);
	if ((what & TERMINAL_FLUSHED_OUTPUT) && pty->output.count > FLUSH_LEAVES) {
		pty->output.count = FLUSH_LEAVES;
		terminal_tell(terminal, WRITING);
	}
	add_status(pty, what);
}

/* --- birth and death --- */

static void free_unused(struct pty *pty)
{
	struct pty **link = &ptys;
	if (pty->has_master || pty->users)
		return;
	while (*link != pty)
		link = &(*link)->next;
	*link = pty->next;
	inode_put(pty->inode);
	kfree(pty);
}

static void user_came(struct terminal *terminal)
{
	struct pty *pty = of_terminal(terminal);
	pty->users++;
	pty->closed = false;
}

static void user_left(struct terminal *terminal)
{
	struct pty *pty = of_terminal(terminal);
	if (--pty->users == 0) {
		pty->closed = true;
		pty->packet = pty->packet && pty->has_master;
		tell_master(pty, READING | LINUX_POLLHUP);
	}
	free_unused(pty);
}

static const struct terminal_side side = {
	.room = terminal_room,
	.put = show_output,
	.echo = show_pty_echo,
	.taken = typed_taken,
	.drop = drop_typed,
	.happened = happened,
	.opened = user_came,
	.closed = user_left,
};

static int open_terminal(struct inode *inode, struct file *file)
{
	struct pty *pty = inode->backing;
	if (!pty || pty->locked)
		return -EIO;
	return terminal_open(&pty->terminal, file);
}

static const struct inode_ops terminal_inode_ops = {.open = open_terminal};

/* Makes the terminal's name and its inode. */
static int name_pty(struct pty *pty)
{
	char name[12];
	const uint32_t number = pty->terminal.number;
	struct inode *inode = personality.namei_make(names, LINUX_S_IFCHR | 0620);
	if (!inode)
		return -ENOMEM;
	inode->ino = PTY_FIRST_INO + number;
	inode->rdev = DEVICE_TERMINAL(number);
	inode->gid = GROUP_TTY;
	inode->ops = &terminal_inode_ops;
	int error = namei_attach(names, name, format(name, sizeof(name), "%u", number), inode);
	if (error) {
		inode_put(inode);
		return error;
	}
	inode->backing = pty;
	pty->inode = inode;
	terminal_add(&pty->terminal, inode);
	return 0;
}

/* Makes a pair with the lowest free number. Returns 0 or a negative errno. */
static int make_pair(struct pty **out)
{
	struct pty **link = &ptys;
	uint32_t number = keyboard_terminal() ? 1 : 0;
	for (; *link && (*link)->terminal.number == number; number++)
		link = &(*link)->next;
	if (number >= PTY_LIMIT)
		return -ENOSPC;
	struct pty *pty = kzalloc(sizeof(*pty));
	if (!pty)
		return -ENOMEM;
	terminal_init(&pty->terminal, &side, number);
	int error = name_pty(pty);
	if (error) {
		kfree(pty);
		return error;
	}
	pty->locked = true;
	pty->next = *link;
	*link = pty;
	*out = pty;
	return 0;
}

/* --- the master --- */

static bool has_news(const struct pty *pty)
{
	return pty->output.count || (pty->packet && pty->status);
}

static bool master_can_read(const void *context)
{
	const struct pty *pty = context;
	return has_news(pty) || pty->closed;
}

static bool master_can_write(const void *context)
{
	const struct pty *pty = context;
	return pty->input.count < INPUT_BYTES && !pty->stopped;
}

static int wait_at_master(const struct file *file, struct readiness_queue *queue, const char *what, readiness_test test)
{
	return file->flags & LINUX_O_NONBLOCK ? -EAGAIN
	                                      : readiness_wait(queue, SCHED_FOREVER, what, test, file->object);
}

/* Copies queued bytes to the program. Returns their number or -EFAULT. */
static long take_output(struct pty *pty, uint8_t *to, size_t bytes)
{
	uint8_t chunk[CHUNK_BYTES];
	size_t done = 0, run;
	while (done < bytes &&
	       (run = pull(&pty->output, chunk, bytes - done < CHUNK_BYTES ? bytes - done : CHUNK_BYTES))) {
		if (copy_to_user(to + done, chunk, run))
			return -EFAULT;
		done += run;
	}
	return (long)done;
}

static long master_read(struct file *file, void *to, size_t bytes, int64_t *pos)
{
	struct pty *pty = file->object;
	uint8_t first = PACKET_DATA;
	(void)pos;
	if (!bytes)
		return 0;
	while (!has_news(pty)) {
		int error = pty->closed ? -EIO
		                        : wait_at_master(file, &pty->reading, "output of a pseudo-terminal (read)",
		                                         master_can_read);
		if (error)
			return error;
	}
	const size_t mark = pty->packet;
	if (mark && pty->status) {
		first = pty->status;
		pty->status = 0;
		return copy_to_user(to, &first, 1) ? -EFAULT : 1;
	}
	if (mark && copy_to_user(to, &first, 1))
		return -EFAULT;
	const bool had_room = terminal_room(&pty->terminal);
	long done = take_output(pty, (uint8_t *)to + mark, bytes - mark);
	if (!had_room && terminal_room(&pty->terminal))
		terminal_tell(&pty->terminal, WRITING);
	return done < 0 ? done : done + (long)mark;
}

static long master_write(struct file *file, const void *from, size_t bytes, int64_t *pos)
{
	struct pty *pty = file->object;
	uint8_t chunk[CHUNK_BYTES];
	size_t total = 0;
	int error = 0;
	(void)pos;
	while (!error && total < bytes) {
		if (!master_can_write(pty)) {
			error = wait_at_master(file, &pty->writing, "room in a pseudo-terminal (write)",
			                       master_can_write);
			continue;
		}
		size_t run = INPUT_BYTES - pty->input.count;
		run = run < CHUNK_BYTES ? run : CHUNK_BYTES;
		run = run < bytes - total ? run : bytes - total;
		error = copy_from_user(chunk, (const char *)from + total, run);
		if (error)
			break;
		push_output(&pty->input, chunk, run);
		feed(pty);
		total += run;
	}
	return total ? (long)total : error;
}

static unsigned int master_poll(struct file *file)
{
	const struct pty *pty = file->object;
	unsigned int events = has_news(pty) ? READING : 0;
	if (pty->packet && pty->status)
		events |= LINUX_POLLPRI;
	if (pty->closed)
		events |= LINUX_POLLHUP;
	return master_can_write(pty) ? events | WRITING : events;
}

static void master_release(struct file *file)
{
	struct pty *pty = file->object;
	pty->has_master = false;
	pty->inode->backing = NULL;
	if (pty->inode->dentry)
		namei_detach(pty->inode->dentry);
	pty->users++; /* kept until the end of this function */
	terminal_hang_up(&pty->terminal);
	pty->users--;
	free_unused(pty);
}

/* Opens the terminal without its name. */
static long open_peer(struct pty *pty, unsigned int flags)
{
	struct file *file;
	if (flags & ~(unsigned int)(LINUX_O_ACCMODE | LINUX_O_NOCTTY | LINUX_O_NONBLOCK | LINUX_O_CLOEXEC))
		return -EINVAL;
	int error = file_create(pty->inode, (int)(flags & ~(unsigned int)LINUX_O_CLOEXEC) | LINUX_O_LARGEFILE, &file);
	return error ? error : anon_install(file, flags & LINUX_O_CLOEXEC);
}

static long set_packet(struct pty *pty, bool on)
{
	if (on && !pty->packet)
		pty->status = 0;
	pty->packet = on;
	return 0;
}

static long send_signal(const struct pty *pty, int sig)
{
	if (sig != LINUX_SIGINT && sig != LINUX_SIGQUIT && sig != LINUX_SIGTSTP)
		return -EINVAL;
	terminal_signal(&pty->terminal, sig);
	return 0;
}

static long flush_master(struct pty *pty, uint64_t which)
{
	if (which > 2)
		return -EINVAL;
	if (which != 1) {
		pty->output.count = 0;
		terminal_tell(&pty->terminal, WRITING);
	}
	if (which != 0)
		drop_typed(&pty->terminal);
	return 0;
}

static long control_master_flow(struct pty *pty, uint64_t action)
{
	static const uint8_t characters[] = {19, 17};
	if (action > 3)
		return -EINVAL;
	if (action < 2) {
		pty->stopped = action == 0;
		tell_master(pty, WRITING);
	} else if (pty->input.count < INPUT_BYTES) {
		push_output(&pty->input, &characters[action - 2], 1);
		feed(pty);
	}
	return 0;
}

/* TIOCSTI: a byte that the master then reads. No process has a master as its terminal, so only administrators may. */
static long insert_output(struct pty *pty, const void *arg)
{
	uint8_t byte;
	if (!personality.may(CAP_SYS_ADMIN))
		return -EPERM;
	if (copy_from_user(&byte, arg, 1))
		return -EFAULT;
	show_pty_echo(&pty->terminal, &byte, 1);
	feed(pty);
	return 0;
}

static long put_pty_int(void *arg, int value)
{
	return copy_to_user(arg, &value, sizeof(value));
}

/* Requests that take a number from memory. */
static long set_flag(struct pty *pty, unsigned long request, const void *arg)
{
	int32_t value;
	if (copy_from_user(&value, arg, sizeof(value)))
		return -EFAULT;
	if (request == LINUX_TIOCPKT)
		return set_packet(pty, value);
	pty->locked = value;
	return 0;
}

static long master_ioctl(struct file *file, unsigned long request, void *arg)
{
	struct pty *pty = file->object;
	switch (request) {
	case LINUX_TIOCGPTN:
		return put_pty_int(arg, (int)pty->terminal.number);
	case LINUX_TIOCSPTLCK:
	case LINUX_TIOCPKT:
		return set_flag(pty, request, arg);
	case LINUX_TIOCGPTLCK:
		return put_pty_int(arg, pty->locked);
	case LINUX_TIOCGPKT:
		return put_pty_int(arg, pty->packet);
	case LINUX_TIOCSIG:
		return send_signal(pty, (int)(uint64_t)arg);
	case LINUX_TIOCGPTPEER:
		return open_peer(pty, (unsigned int)(uint64_t)arg);
	case LINUX_FIONREAD:
		return put_pty_int(arg, (int)pty->output.count);
	case LINUX_TCFLSH:
		return flush_master(pty, (uint64_t)arg);
	case LINUX_TCXONC:
		return control_master_flow(pty, (uint64_t)arg);
	case LINUX_TCSBRK:
	case LINUX_TCSBRKP:
		return 0;
	case LINUX_TIOCSTI:
		return insert_output(pty, arg);
	default:
		return terminal_control(&pty->terminal, file, request, arg, true);
	}
}

static const struct file_ops master_ops = {
	.read = master_read,
	.write = master_write,
	.poll = master_poll,
	.ioctl = master_ioctl,
	.release = master_release,
};

/* Each master has an inode of its own, which looks like that of /dev/ptmx, so that its observers hear only of it. */
static int open_ptmx(struct inode *inode, struct file *file)
{
	struct pty *pty;
	struct inode *own = inode_alloc(inode->mount, inode->mode, inode->ino);
	if (!own)
		return -ENOMEM;
	int error = make_pair(&pty);
	if (error) {
		inode_put(own);
		return error;
	}
	own->ops = &pty_ptmx_ops;
	own->nlink = 1;
	own->uid = inode->uid;
	own->gid = inode->gid;
	own->rdev = inode->rdev;
	own->atime_ns = own->mtime_ns = own->ctime_ns = own->btime_ns = inode->btime_ns;
	pty->has_master = true;
	pty->master = own;
	file->inode = own;
	inode_put(inode); /* the file's reference; the caller has one more */
	file->ops = &master_ops;
	file->object = pty;
	return 0;
}

const struct inode_ops pty_ptmx_ops = {.open = open_ptmx};

bool pty_is_master(const struct inode *inode)
{
	return inode->ops == &pty_ptmx_ops;
}

bool pty_is_terminal(const struct inode *inode)
{
	return inode->ops == &terminal_inode_ops;
}

void pty_init(struct inode *directory)
{
	names = directory;
}
