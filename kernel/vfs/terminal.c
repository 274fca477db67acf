/* SPDX-License-Identifier: MIT */
/* There is one terminal, with one session. `wanted` is true from the moment a program finds no key until it gets one.
 * Meanwhile, when no thread is ready, virtual time passes no faster than wall time.
 *
 * Keys come in one of two ways. The kernel asks for the next one when no thread is ready; or, with an input_source,
 * they arrive as events. */
#include "kernel/vfs/terminal.h"

#include "abi/errno.h"
#include "abi/linux_signal.h"
#include "kernel/arch/uaccess.h"
#include "kernel/dev/console.h"
#include "kernel/lib/bug.h"
#include "kernel/sched/process.h"
#include "kernel/sched/sched.h"
#include "kernel/signal/signal.h"
#include "kernel/time/vclock.h"
#include "kernel/vfs/input.h"
#include "kernel/vfs/line.h"
#include "kernel/vfs/readiness.h"

#define WRITE_BYTES 256 /* processed at once */

/* With an input_source: how many bytes may be typed before they are read. The terminal drops what its line does not
 * hold, so it asks for fewer. ASK_LEAST may always come: among them may be a key that makes a signal. */
#define ASK_MOST (LINE_QUEUE / 2)
#define ASK_LEAST 64U
#define VTIME_NS 100000000ULL

const struct terminal_rules *terminal_rules;

static struct {
	struct line line;
	struct linux_winsize size;
	uint32_t foreground; /* process group */
	bool wanted;
	bool ended;   /* the host's terminal is gone */
	size_t asked; /* with an input_source: bytes that it was asked for and that have not come */
	struct readiness_queue reading;
	struct inode *inodes[3];
	unsigned inode_count;
} terminal;

static const struct linux_termios first_settings = {
	.c_iflag = LINE_ICRNL | LINE_IXON | LINE_IUTF8,
	.c_oflag = LINE_OPOST | LINE_ONLCR,
	.c_cflag = 0xbf, /* B38400 CS8 CREAD */
	.c_lflag = LINE_ISIG | LINE_ICANON | LINE_ECHO | LINE_ECHOE | LINE_ECHOK | LINE_ECHOCTL | LINE_ECHOKE |
                   LINE_IEXTEN,
	.c_cc = {3, 28, 127, 21, 4, 0, 1, 0, 17, 19, 26, 0, 18, 15, 23, 22},
};

/* --- keys --- */

static void tell_readers(void)
{
	for (unsigned i = 0; i < terminal.inode_count; i++)
		inode_tell(terminal.inodes[i], LINUX_POLLIN | LINUX_POLLRDNORM);
	(terminal.ended ? readiness_wake_all : readiness_wake_one)(&terminal.reading);
	readiness_wake_all(&readiness_polling);
}

static void send(int sig)
{
	if (terminal_rules)
		terminal_rules->signal(terminal.foreground, sig);
	else
		signal_send(sig, LINUX_SI_KERNEL);
}

/* Takes bytes that were typed; none: the terminal has gone. */
static void type(const uint8_t *typed, size_t bytes)
{
	terminal.wanted = false;
	terminal.ended = !bytes;
	for (size_t i = 0; i < bytes; i++) {
		int sig = line_type(&terminal.line, typed[i]);
		if (sig)
			send(sig);
	}
	tell_readers();
}

/* Waits for a key. Returns whether a key came or the terminal ended. */
static bool take_key(uint64_t wait_ns)
{
	const uint8_t *key;
	long bytes = console_typed(&key, wait_ns);
	if (bytes == -EAGAIN)
		return false;
	type(key, bytes < 0 ? 0 : (size_t)bytes);
	return true;
}

/* Asks the input_source for bytes, when few are on their way. */
static void ask(void)
{
	size_t queued = terminal.line.end - terminal.line.start;
	size_t most = queued < ASK_MOST - ASK_LEAST ? ASK_MOST - queued : ASK_LEAST;
	if (!input_source || terminal.ended || terminal.asked > most / 2)
		return;
	input_source->ask(most - terminal.asked);
	terminal.asked = most;
}

void terminal_arrived(size_t bytes)
{
	const uint8_t *typed;
	size_t kept = console_kept(&typed);
	terminal.asked -= bytes < terminal.asked ? bytes : terminal.asked;
	type(typed, kept);
	console_drop(kept);
	ask();
}

bool terminal_is_awaited(bool is_last)
{
	return !terminal.ended && (is_last || terminal.wanted || terminal.reading.first);
}

/* sched_outside, called when no thread is ready. */
static bool wait_for_key(uint64_t until_ns)
{
	const bool forever = until_ns > vclock_end();
	uint64_t now = vclock_now();
	if (!terminal_is_awaited(forever))
		return false;
	return take_key(forever ? UINT64_MAX : until_ns > now ? until_ns - now : 0);
}

void terminal_take_interrupt(void)
{
	if (input_source) {
		console_forget_interrupt(); /* before the look, so that a later key is not forgotten */
		input_source->look();
		return;
	}
	while (!terminal.ended && console_has_interrupt() && take_key(0))
		;
}

static void echo(const void *text, size_t bytes)
{
	console_write(1, text, bytes);
}

void terminal_add(struct inode *inode)
{
	assert(terminal.inode_count < 3);
	terminal.inodes[terminal.inode_count++] = inode;
	if (terminal.inode_count > 1)
		return;
	terminal.line.termios = first_settings;
	terminal.line.echo = echo;
	console_tty_size(&terminal.size.ws_row, &terminal.size.ws_col);
	terminal.foreground = PROCESS_ID;
	if (!input_source)
		sched_outside = wait_for_key;
	ask();
}

/* --- files --- */

static int admit(int sig)
{
	return terminal_rules ? terminal_rules->admit(terminal.foreground, sig) : 0;
}

static uint8_t character(enum line_character which)
{
	return terminal.line.termios.c_cc[which];
}

static bool is_canonical(void)
{
	return terminal.line.termios.c_lflag & LINE_ICANON;
}

static bool can_read(const void *context)
{
	const size_t *least = context;
	return line_ready(&terminal.line) >= *least || terminal.ended;
}

/* Waits until a read of so many bytes can return (termios(3), MIN and TIME). Returns 0 or a negative errno. */
static int wait_to_read(const struct file *file, size_t bytes)
{
	const uint64_t time_ns = is_canonical() ? 0 : character(LINE_VTIME) * VTIME_NS;
	size_t most = is_canonical() ? 1 : character(LINE_VMIN);
	bool from_first = most; /* the timer (TIME) starts at the first byte and restarts at each byte */
	if (!most && time_ns)
		most = 1;
	most = most < bytes ? most : bytes;
	for (;;) {
		size_t have = line_ready(&terminal.line), least = from_first && time_ns ? have + 1 : most;
		if (have >= most || terminal.ended)
			return 0;
		terminal.wanted = true;
		if (file->flags & LINUX_O_NONBLOCK)
			return have ? 0 : -EAGAIN;
		uint64_t deadline = time_ns && (have || !from_first) ? vclock_now() + time_ns : SCHED_FOREVER;
		int error = readiness_wait(&terminal.reading, deadline, "a key (read of a terminal)", can_read, &least);
		if (error == -ETIMEDOUT)
			return 0;
		if (error)
			return error;
	}
}

static long terminal_read(struct file *file, void *to, size_t bytes, int64_t *pos)
{
	static uint8_t taken[LINE_QUEUE];
	(void)pos;
	if (!bytes)
		return 0;
	int error = admit(LINUX_SIGTTIN);
	if (!error)
		error = wait_to_read(file, bytes);
	if (error)
		return error;
	if (!line_ready(&terminal.line))
		terminal.wanted = true; /* no byte is left: a program that polls is about to look for the next key */
	size_t done = line_take(&terminal.line, taken, bytes < sizeof(taken) ? bytes : sizeof(taken));
	ask();
	if (copy_to_user(to, taken, done))
		return -EFAULT;
	readiness_wake_one(&terminal.reading);
	return (long)done;
}

static long terminal_write(struct file *file, const void *from, size_t bytes, int64_t *pos)
{
	static uint8_t out[WRITE_BYTES * LINE_OUTPUT_FACTOR];
	uint8_t part[WRITE_BYTES];
	size_t total = 0;
	(void)file, (void)pos;
	int error = terminal.line.termios.c_lflag & LINE_TOSTOP ? admit(LINUX_SIGTTOU) : 0;
	if (error)
		return error;
	while (total < bytes) { /* no part crosses a page: if the buffer has a bad page, the number of bytes written
		                   before it is known */
		const char *at = (const char *)from + total;
		size_t run = PAGE_SIZE - (uint64_t)at % PAGE_SIZE;
		run = run < WRITE_BYTES ? run : WRITE_BYTES;
		run = run < bytes - total ? run : bytes - total;
		if (copy_from_user(part, at, run))
			return total ? (long)total : -EFAULT;
		console_write(1, out, line_output(&terminal.line, part, run, out));
		total += run;
	}
	return (long)total;
}

static unsigned int terminal_poll(struct file *file)
{
	unsigned int events = file->writable ? LINUX_POLLOUT | LINUX_POLLWRNORM : 0;
	size_t least = is_canonical() || character(LINE_VTIME) || !character(LINE_VMIN) ? 1 : character(LINE_VMIN);
	if (can_read(&least))
		return events | LINUX_POLLIN | LINUX_POLLRDNORM;
	terminal.wanted = true;
	return events;
}

static long set_settings(unsigned long request, const void *arg)
{
	struct linux_termios settings;
	if (copy_from_user(&settings, arg, sizeof(settings)))
		return -EFAULT;
	int error = admit(LINUX_SIGTTOU);
	if (error)
		return error;
	if (request == LINUX_TCSETSF)
		line_flush(&terminal.line);
	line_set(&terminal.line, &settings);
	tell_readers();
	return 0;
}

static long set_size(const void *arg)
{
	struct linux_winsize size;
	if (copy_from_user(&size, arg, sizeof(size)))
		return -EFAULT;
	bool other = size.ws_row != terminal.size.ws_row || size.ws_col != terminal.size.ws_col;
	terminal.size = size;
	if (other)
		send(LINUX_SIGWINCH);
	return 0;
}

static long set_foreground(const void *arg)
{
	int32_t group;
	if (copy_from_user(&group, arg, sizeof(group)))
		return -EFAULT;
	int error = admit(LINUX_SIGTTOU);
	if (!error && group <= 0)
		error = -EINVAL;
	if (!error)
		terminal.foreground = (uint32_t)group;
	return error;
}

static long flush(uint64_t which)
{
	if (which > 2)
		return -EINVAL;
	if (which != 1) /* TCOFLUSH: output is never queued */
		line_flush(&terminal.line);
	return 0;
}

static long terminal_ioctl(struct file *file, unsigned long request, void *arg)
{
	const int none = 0, queued = (int)line_ready(&terminal.line), session = PROCESS_ID;
	(void)file;
	switch (request) {
	case LINUX_TCGETS:
		return copy_to_user(arg, &terminal.line.termios, sizeof(terminal.line.termios));
	case LINUX_TCSETS:
	case LINUX_TCSETSW:
	case LINUX_TCSETSF:
		return set_settings(request, arg);
	case LINUX_TIOCGWINSZ:
		return copy_to_user(arg, &terminal.size, sizeof(terminal.size));
	case LINUX_TIOCSWINSZ:
		return set_size(arg);
	case LINUX_TIOCGPGRP:
		return copy_to_user(arg, &terminal.foreground, sizeof(terminal.foreground));
	case LINUX_TIOCGSID:
		return copy_to_user(arg, &session, sizeof(session));
	case LINUX_TIOCSPGRP:
		return set_foreground(arg);
	case LINUX_FIONREAD:
		return copy_to_user(arg, &queued, sizeof(queued));
	case LINUX_TIOCOUTQ:
		return copy_to_user(arg, &none, sizeof(none));
	case LINUX_TCFLSH:
		return flush((uint64_t)arg);
	case LINUX_TCSBRK:
	case LINUX_TCXONC:
	case LINUX_TIOCSCTTY:
		return 0;
	default:
		return -ENOTTY;
	}
}

const struct file_ops terminal_ops = {
	.read = terminal_read,
	.write = terminal_write,
	.poll = terminal_poll,
	.ioctl = terminal_ioctl,
};
