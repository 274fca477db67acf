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
#include "kernel/personality.h"
#include "kernel/sched/sched.h"
#include "kernel/signal/signal.h"
#include "kernel/time/vclock.h"
#include "kernel/vfs/keyboard.h"
#include "kernel/vfs/line_echo.h"

#define VTIME_NS 100000000ULL
#define READ_AT_ONCE 64U
#define READING (LINUX_POLLIN | LINUX_POLLRDNORM)
#define WRITING (LINUX_POLLOUT | LINUX_POLLWRNORM)

/* An open file of a terminal. */
struct terminal_file {
	struct terminal *terminal;
	uint32_t hangups;
};

static struct inode *own_inode; /* /dev/tty, once opened: its files may be of any terminal */

#define FIRST_SPEED 38400U

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

static void tell_terminal_side(struct terminal *terminal, unsigned int what)
{
	if (terminal->side->happened)
		terminal->side->happened(terminal, what);
}

void terminal_signal(const struct terminal *terminal, int sig)
{
	if (personality.terminal_rules)
		personality.terminal_rules->signal(terminal->foreground, sig);
	else
		signal_send(sig, LINUX_SI_KERNEL);
}

/* Compares the flow with the one before, and reports the change. */
static void tell_flow(struct terminal *terminal, bool was_stopped)
{
	if (terminal->line.stopped == was_stopped)
		return;
	tell_terminal_side(terminal, was_stopped ? TERMINAL_STARTED : TERMINAL_STOPPED);
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
			tell_terminal_side(terminal, TERMINAL_FLUSHED_INPUT | TERMINAL_FLUSHED_OUTPUT);
		if (sig)
			terminal_signal(terminal, sig);
		tell_flow(terminal, stopped);
	}
	line_typed(&terminal->line);
	terminal_tell(terminal, READING);
}

static struct terminal *of_line(const struct line *line)
{
	return list_entry(line, struct terminal, line);
}

static size_t output_room(const struct terminal *terminal)
{
	return terminal->line.stopped ? 0 : terminal->side->room(terminal);
}

static size_t room_for_echo(struct line *line)
{
	return output_room(of_line(line));
}

static void show_terminal_echo(struct line *line, const void *text, size_t bytes)
{
	struct terminal *terminal = of_line(line);
	terminal->side->echo(terminal, text, bytes);
}

void terminal_init(struct terminal *terminal, const struct terminal_side *side, uint32_t number)
{
	terminal->line.termios = first_settings;
	terminal->line.room = room_for_echo;
	terminal->line.show = show_terminal_echo;
	terminal->input_speed = terminal->output_speed = FIRST_SPEED;
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
	if (personality.terminal_rules)
		personality.terminal_rules->hung_up(terminal);
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

static int admit_user(const struct terminal *terminal, int sig)
{
	return personality.terminal_rules ? personality.terminal_rules->admit(terminal, sig) : 0;
}

static void await_typing(struct terminal *terminal)
{
	if (terminal->side->await)
		terminal->side->await(terminal);
}

static void tell_line_taken(struct terminal *terminal)
{
	if (terminal->side->taken)
		terminal->side->taken(terminal);
}

/* --- reading --- */

static bool has_no_reader(const void *context)
{
	const struct terminal *terminal = context;
	return !terminal->has_reader;
}

/* One read at a time takes bytes. Returns 0 or a negative errno. */
static int begin_read(struct terminal *terminal, const struct file *file)
{
	int error = 0;
	while (!error && terminal->has_reader)
		error = file->flags & LINUX_O_NONBLOCK
		                ? -EAGAIN
		                : readiness_wait(&terminal->turns, SCHED_FOREVER, "another read of a terminal",
		                                 has_no_reader, terminal);
	terminal->has_reader = terminal->has_reader || !error;
	return error;
}

static void end_read(struct terminal *terminal)
{
	terminal->has_reader = false;
	readiness_wake_one(&terminal->turns);
	readiness_wake_one(&terminal->reading);
}

static bool can_read_terminal(const void *context)
{
	const struct file *file = context;
	return line_is_ready(&of(file)->line, 1) || of(file)->ended || is_hung_up(file);
}

/* Waits for a byte or a line. Returns 1; 0 for an end of file, or at the deadline; or a negative errno. */
static int wait_for_line(const struct file *file, uint64_t deadline)
{
	struct terminal *terminal = of(file);
	if (line_is_ready(&terminal->line, 1))
		return 1;
	if (terminal->ended || is_hung_up(file))
		return 0;
	tell_line_taken(terminal);
	await_typing(terminal);
	if (!deadline)
		return 0;
	if (file->flags & LINUX_O_NONBLOCK)
		return -EAGAIN;
	int error = readiness_wait(&terminal->reading, deadline, "a key (read of a terminal)", can_read_terminal, file);
	if (is_hung_up(file))
		return -EIO;
	return error == -ETIMEDOUT ? 0 : error ? error : line_is_ready(&terminal->line, 1);
}

/* Moves bytes to the program. Returns their number or -EFAULT. */
static long move_bytes(struct terminal *terminal, char *to, size_t bytes)
{
	uint8_t taken[READ_AT_ONCE];
	bytes = line_take(&terminal->line, taken, bytes < sizeof(taken) ? bytes : sizeof(taken));
	return copy_to_user(to, taken, bytes) ? -EFAULT : (long)bytes;
}

/* Reads a line, in parts, or what is there of it. */
static long read_line(const struct file *file, char *to, size_t bytes)
{
	static uint8_t taken[LINE_QUEUE];
	struct terminal *terminal = of(file);
	int ready = wait_for_line(file, SCHED_FOREVER);
	if (ready <= 0)
		return ready;
	const size_t done = line_take(&terminal->line, taken, bytes < sizeof(taken) ? bytes : sizeof(taken));
	return copy_to_user(to, taken, done) ? -EFAULT : (long)done;
}

/* Reads without lines (termios(3), MIN and TIME). As on Linux, bytes are taken when they come; a read that waits for
 * more than READ_AT_ONCE bytes returns so many. */
static long read_bytes(const struct file *file, char *to, size_t bytes)
{
	struct terminal *terminal = of(file);
	const uint8_t least = terminal->line.termios.c_cc[LINE_VMIN];
	const uint64_t time_ns = terminal->line.termios.c_cc[LINE_VTIME] * VTIME_NS;
	uint64_t deadline = least ? SCHED_FOREVER : time_ns ? vclock_now() + time_ns : 0;
	const size_t wanted = least ? least : 1;
	const size_t most = wanted > READ_AT_ONCE && bytes > READ_AT_ONCE ? READ_AT_ONCE : bytes;
	size_t total = 0;
	long step = 0;
	while (total < most && (total < wanted || line_is_ready(&terminal->line, 1))) {
		step = wait_for_line(file, deadline);
		if (step > 0)
			step = move_bytes(terminal, to + total, most - total);
		if (step <= 0)
			break;
		total += (size_t)step;
		if (least && time_ns)
			deadline = vclock_now() + time_ns;
	}
	return total && step != -EFAULT ? (long)total : step;
}

static long terminal_read(struct file *file, void *to, size_t bytes, int64_t *)
{
	struct terminal *terminal = of(file);
	if (!bytes || is_hung_up(file))
		return 0;
	int error = admit_user(terminal, LINUX_SIGTTIN);
	if (!error)
		error = begin_read(terminal, file);
	if (error)
		return error;
	const long done = (line_is_canonical(&terminal->line) ? read_line : read_bytes)(file, to, bytes);
	if (!line_is_ready(&terminal->line, 1))
		await_typing(terminal); /* no byte is left: a program that polls is about to look for the next key */
	tell_line_taken(terminal);
	end_read(terminal);
	return done;
}

/* --- writing --- */

static bool can_write_terminal(const void *context)
{
	const struct file *file = context;
	return output_room(of(file)) || is_hung_up(file);
}

/* Processes and shows at most `bytes` bytes. No part crosses a page: if the buffer has a bad page, the number of bytes
 * written before it is known. Returns the number written or -EFAULT. */
static long write_part(struct terminal *terminal, const char *from, size_t bytes)
{
	static uint8_t out[TERMINAL_MORE];
	uint8_t part[TERMINAL_WRITE_BYTES];
	const size_t room = output_room(terminal);
	size_t run = PAGE_SIZE - (uint64_t)from % PAGE_SIZE;
	run = run < sizeof(part) ? run : sizeof(part);
	run = run < bytes ? run : bytes;
	run = run < room ? run : room;
	if (copy_from_user(part, from, run))
		return -EFAULT;
	terminal->side->put(terminal, out, line_output(&terminal->line, part, run, out));
	return (long)run;
}

static long terminal_write(struct file *file, const void *from, size_t bytes, int64_t *)
{
	struct terminal *terminal = of(file);
	size_t total = 0;
	if (is_hung_up(file))
		return -EIO;
	long step = terminal->line.termios.c_lflag & LINE_TOSTOP ? admit_user(terminal, LINUX_SIGTTOU) : 0;
	if (!step)
		line_echo_show(&terminal->line);
	while (step >= 0 && total < bytes) {
		if (is_hung_up(file))
			step = -EIO;
		else if (output_room(terminal))
			step = write_part(terminal, (const char *)from + total, bytes - total);
		else if (file->flags & LINUX_O_NONBLOCK)
			step = -EAGAIN;
		else
			step = readiness_wait(&terminal->writing, SCHED_FOREVER, "room in a terminal (write)",
			                      can_write_terminal, file);
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
	const size_t least = characters[LINE_VTIME] || !characters[LINE_VMIN] ? 1 : characters[LINE_VMIN];
	unsigned int events = file->writable && output_room(terminal) ? WRITING : 0;
	if (line_is_ready(&terminal->line, least) || terminal->ended)
		return events | READING;
	await_typing(terminal);
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
	if (personality.terminal_rules && !(file->flags & LINUX_O_NOCTTY))
		personality.terminal_rules->opened(terminal, file);
	return 0;
}

int terminal_open_own(struct inode *inode, struct file *file)
{
	struct terminal *terminal =
		personality.terminal_rules ? personality.terminal_rules->own() : keyboard_terminal();
	if (own_inode != inode) {
		inode_put(own_inode);
		own_inode = inode_get(inode);
	}
	return terminal ? terminal_open(terminal, file) : -ENXIO;
}
