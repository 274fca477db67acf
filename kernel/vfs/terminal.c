/* SPDX-License-Identifier: MIT */
/* Files of terminals. A file remembers how often its terminal had hung up when it was opened; it is hung up itself when
 * the terminal has done so since. */
#include "kernel/vfs/terminal.h"

#include "abi/errno.h"
#include "abi/linux_signal.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/list.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/sched/sched.h"
#include "kernel/signal/signal.h"
#include "kernel/time/vclock.h"
#include "kernel/vfs/keyboard.h"

#define VTIME_NS 100000000ULL
#define READING (LINUX_POLLIN | LINUX_POLLRDNORM)
#define WRITING (LINUX_POLLOUT | LINUX_POLLWRNORM)

/* An open file of a terminal. */
struct terminal_file {
	struct terminal *terminal;
	uint32_t hangups;
};

const struct terminal_rules *terminal_rules;

static struct inode *own_inode; /* /dev/tty, once opened: its files may be of any terminal */

static const struct linux_termios first_settings = {
	.c_iflag = LINE_ICRNL | LINE_IXON,
	.c_oflag = LINE_OPOST | LINE_ONLCR,
	.c_cflag = 0xbf, /* B38400 CS8 CREAD */
	.c_lflag = LINE_ISIG | LINE_ICANON | LINE_ECHO | LINE_ECHOE | LINE_ECHOK | LINE_ECHOCTL | LINE_ECHOKE |
                   LINE_IEXTEN,
	.c_cc = {3, 28, 127, 21, 4, 0, 1, 0, 17, 19, 26, 0, 18, 15, 23, 22},
};

void terminal_tell(struct terminal *terminal, unsigned int events)
{
	for (unsigned int i = 0; i < terminal->inode_count; i++)
		inode_tell(terminal->inodes[i], events);
	if (own_inode)
		inode_tell(own_inode, events);
	if (events & READING)
		(terminal->ended ? readiness_wake_all : readiness_wake_one)(&terminal->reading);
	if (events & WRITING)
		readiness_wake_all(&terminal->writing);
	readiness_wake_all(&readiness_polling);
}

static void tell_side(struct terminal *terminal, unsigned int what)
{
	if (terminal->side->happened)
		terminal->side->happened(terminal, what);
}

void terminal_signal(const struct terminal *terminal, int sig)
{
	if (terminal_rules)
		terminal_rules->signal(terminal->foreground, sig);
	else
		signal_send(sig, LINUX_SI_KERNEL);
}

/* Compares the flow with the one before, and reports the change. */
static void tell_flow(struct terminal *terminal, bool was_stopped)
{
	if (terminal->line.stopped == was_stopped)
		return;
	tell_side(terminal, was_stopped ? TERMINAL_STARTED : TERMINAL_STOPPED);
	if (was_stopped)
		terminal_tell(terminal, WRITING);
}

void terminal_set_flow(struct terminal *terminal, bool stopped, bool held)
{
	const bool before = terminal->line.stopped;
	terminal->line.stopped = stopped;
	terminal->line.held = held;
	tell_flow(terminal, before);
}

void terminal_type(struct terminal *terminal, const uint8_t *typed, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++) {
		const bool stopped = terminal->line.stopped;
		int sig = line_type(&terminal->line, typed[i]);
		if (sig && !(terminal->line.termios.c_lflag & LINE_NOFLSH))
			tell_side(terminal, TERMINAL_FLUSHED_INPUT | TERMINAL_FLUSHED_OUTPUT);
		if (sig)
			terminal_signal(terminal, sig);
		tell_flow(terminal, stopped);
	}
	terminal_tell(terminal, READING);
}

static void echo(struct line *line, const void *text, size_t bytes)
{
	struct terminal *terminal = list_entry(line, struct terminal, line);
	terminal->side->echo(terminal, text, bytes);
}

void terminal_init(struct terminal *terminal, const struct terminal_side *side, uint32_t number)
{
	terminal->line.termios = first_settings;
	terminal->line.echo = echo;
	terminal->side = side;
	terminal->number = number;
}

void terminal_add(struct terminal *terminal, struct inode *inode)
{
	assert(terminal->inode_count < TERMINAL_INODES);
	terminal->inodes[terminal->inode_count++] = inode;
}

void terminal_hang_up(struct terminal *terminal)
{
	terminal->hangups++;
	line_flush(&terminal->line);
	terminal->line.termios = first_settings;
	terminal->line.stopped = terminal->line.held = false;
	if (terminal_rules)
		terminal_rules->hung_up(terminal);
	readiness_wake_all(&terminal->reading);
	terminal_tell(terminal, READING | WRITING | LINUX_POLLHUP | LINUX_POLLERR);
}

/* --- files --- */

static struct terminal *of(const struct file *file)
{
	const struct terminal_file *open = file->object;
	return open->terminal;
}

static bool is_hung_up(const struct file *file)
{
	const struct terminal_file *open = file->object;
	return open->hangups != open->terminal->hangups;
}

static int admit(const struct terminal *terminal, int sig)
{
	return terminal_rules ? terminal_rules->admit(terminal, sig) : 0;
}

static void await(struct terminal *terminal)
{
	if (terminal->side->await)
		terminal->side->await(terminal);
}

static void tell_taken(struct terminal *terminal)
{
	if (terminal->side->taken)
		terminal->side->taken(terminal);
}

static bool is_canonical(const struct terminal *terminal)
{
	return terminal->line.termios.c_lflag & LINE_ICANON;
}

/* A read that waits for so many bytes. */
struct reader {
	const struct file *file;
	size_t least;
};

static bool can_read(const void *context)
{
	const struct reader *reader = context;
	const struct terminal *terminal = of(reader->file);
	return line_ready(&terminal->line) >= reader->least || terminal->ended || is_hung_up(reader->file);
}

/* Waits until a read of so many bytes can return (termios(3), MIN and TIME). Returns 0 or a negative errno. */
static int wait_to_read(const struct file *file, size_t bytes)
{
	struct terminal *terminal = of(file);
	const uint8_t *characters = terminal->line.termios.c_cc;
	const uint64_t time_ns = is_canonical(terminal) ? 0 : characters[LINE_VTIME] * VTIME_NS;
	size_t most = is_canonical(terminal) ? 1 : characters[LINE_VMIN];
	bool from_first = most; /* the timer (TIME) starts at the first byte and restarts at each byte */
	if (!most && time_ns)
		most = 1;
	most = most < bytes ? most : bytes;
	for (;;) {
		size_t have = line_ready(&terminal->line);
		const struct reader reader = {file, from_first && time_ns ? have + 1 : most};
		if (have >= most || terminal->ended || is_hung_up(file))
			return 0;
		await(terminal);
		if (file->flags & LINUX_O_NONBLOCK)
			return have ? 0 : -EAGAIN;
		uint64_t deadline = time_ns && (have || !from_first) ? vclock_now() + time_ns : SCHED_FOREVER;
		int error =
			readiness_wait(&terminal->reading, deadline, "a key (read of a terminal)", can_read, &reader);
		if (is_hung_up(file))
			return -EIO;
		if (error == -ETIMEDOUT)
			return 0;
		if (error)
			return error;
	}
}

static long terminal_read(struct file *file, void *to, size_t bytes, int64_t *pos)
{
	static uint8_t taken[LINE_QUEUE];
	struct terminal *terminal = of(file);
	(void)pos;
	if (!bytes || is_hung_up(file))
		return 0;
	int error = admit(terminal, LINUX_SIGTTIN);
	if (!error)
		error = wait_to_read(file, bytes);
	if (error)
		return error;
	if (is_hung_up(file))
		return 0;
	if (!line_ready(&terminal->line))
		await(terminal); /* no byte is left: a program that polls is about to look for the next key */
	size_t done = line_take(&terminal->line, taken, bytes < sizeof(taken) ? bytes : sizeof(taken));
	tell_taken(terminal);
	if (copy_to_user(to, taken, done))
		return -EFAULT;
	readiness_wake_one(&terminal->reading);
	return (long)done;
}

static size_t room_in(const struct terminal *terminal)
{
	return terminal->line.stopped ? 0 : terminal->side->room(terminal);
}

static bool can_write(const void *context)
{
	const struct file *file = context;
	return room_in(of(file)) || is_hung_up(file);
}

/* Processes and shows at most `bytes` bytes. No part crosses a page: if the buffer has a bad page, the number of bytes
 * written before it is known. Returns the number written or -EFAULT. */
static long write_part(struct terminal *terminal, const char *from, size_t bytes)
{
	static uint8_t out[TERMINAL_MORE];
	uint8_t part[TERMINAL_WRITE_BYTES];
	const size_t room = room_in(terminal);
	size_t run = PAGE_SIZE - (uint64_t)from % PAGE_SIZE;
	run = run < sizeof(part) ? run : sizeof(part);
	run = run < bytes ? run : bytes;
	run = run < room ? run : room;
	if (copy_from_user(part, from, run))
		return -EFAULT;
	terminal->side->put(terminal, out, line_output(&terminal->line, part, run, out));
	return (long)run;
}

static long terminal_write(struct file *file, const void *from, size_t bytes, int64_t *pos)
{
	struct terminal *terminal = of(file);
	size_t total = 0;
	(void)pos;
	if (is_hung_up(file))
		return -EIO;
	long step = terminal->line.termios.c_lflag & LINE_TOSTOP ? admit(terminal, LINUX_SIGTTOU) : 0;
	while (step >= 0 && total < bytes) {
		if (is_hung_up(file))
			step = -EIO;
		else if (room_in(terminal))
			step = write_part(terminal, (const char *)from + total, bytes - total);
		else if (file->flags & LINUX_O_NONBLOCK)
			step = -EAGAIN;
		else
			step = readiness_wait(&terminal->writing, SCHED_FOREVER, "room in a terminal (write)",
			                      can_write, file);
		total += step > 0 ? (size_t)step : 0;
	}
	return total || step >= 0 ? (long)total : step;
}

static unsigned int terminal_poll(struct file *file)
{
	struct terminal *terminal = of(file);
	if (is_hung_up(file))
		return READING | WRITING | LINUX_POLLERR | LINUX_POLLHUP;
	const uint8_t *characters = terminal->line.termios.c_cc;
	const bool one = is_canonical(terminal) || characters[LINE_VTIME] || !characters[LINE_VMIN];
	const struct reader reader = {file, one ? 1 : characters[LINE_VMIN]};
	unsigned int events = file->writable && room_in(terminal) ? WRITING : 0;
	if (can_read(&reader))
		return events | READING;
	await(terminal);
	return events;
}

static long terminal_ioctl(struct file *file, unsigned long request, void *arg)
{
	if (is_hung_up(file))
		return request == LINUX_TIOCSPGRP ? -ENOTTY : -EIO;
	return terminal_control(of(file), file, request, arg, false);
}

static void terminal_release(struct file *file)
{
	struct terminal *terminal = of(file);
	kfree(file->object);
	if (terminal->side->closed)
		terminal->side->closed(terminal);
}

static const struct file_ops terminal_ops = {
	.read = terminal_read,
	.write = terminal_write,
	.poll = terminal_poll,
	.ioctl = terminal_ioctl,
	.release = terminal_release,
};

struct terminal *terminal_of(const struct file *file)
{
	return file->ops == &terminal_ops ? of(file) : NULL;
}

int terminal_open(struct terminal *terminal, struct file *file)
{
	struct terminal_file *open = kmalloc(sizeof(*open));
	if (!open)
		return -ENOMEM;
	*open = (struct terminal_file){terminal, terminal->hangups};
	file->ops = &terminal_ops;
	file->object = open;
	if (terminal->side->opened)
		terminal->side->opened(terminal);
	if (terminal_rules && !(file->flags & LINUX_O_NOCTTY))
		terminal_rules->opened(terminal, file);
	return 0;
}

int terminal_open_own(struct inode *inode, struct file *file)
{
	struct terminal *terminal = terminal_rules ? terminal_rules->own() : keyboard_terminal();
	if (own_inode != inode) {
		inode_put(own_inode);
		own_inode = inode_get(inode);
	}
	return terminal ? terminal_open(terminal, file) : -ENXIO;
}
