/* SPDX-License-Identifier: MIT */
/* ioctl(2) of terminals (ioctl_tty(2)): settings, size, flow, flushing. Requests about sessions and process groups are
 * the personality's, in terminal_rules. */
#include "abi/errno.h"
#include "abi/linux_signal.h"
#include "kernel/arch/uaccess.h"
#include "kernel/sched/process.h"
#include "kernel/vfs/terminal.h"

/* Bits of c_cflag: terminals without a serial line have eight data bits and receive. */
#define CS8 0x30U
#define CREAD 0x80U
#define PARENB 0x100U

/* Flow control as packet mode reports it: only with the usual characters. */
#define CONTROL_Q 17
#define CONTROL_S 19

enum queue_selector {
	FLUSH_INPUT,
	FLUSH_OUTPUT,
	FLUSH_BOTH,
};

enum flow_action {
	OUTPUT_OFF,
	OUTPUT_ON,
	INPUT_OFF,
	INPUT_ON,
};

static int admit_change(const struct terminal *terminal)
{
	return terminal_rules ? terminal_rules->admit(terminal, LINUX_SIGTTOU) : 0;
}

static void tell_side(struct terminal *terminal, unsigned int what)
{
	if (what && terminal->side->happened)
		terminal->side->happened(terminal, what);
}

static void tell_taken(struct terminal *terminal)
{
	if (terminal->side->taken)
		terminal->side->taken(terminal);
}

static void flush_input(struct terminal *terminal)
{
	if (terminal->side->drop)
		terminal->side->drop(terminal);
	line_flush(&terminal->line);
	tell_side(terminal, TERMINAL_FLUSHED_INPUT);
	tell_taken(terminal);
}

static bool has_usual_flow(const struct linux_termios *settings)
{
	return (settings->c_iflag & LINE_IXON) && settings->c_cc[LINE_VSTOP] == CONTROL_S &&
	       settings->c_cc[LINE_VSTART] == CONTROL_Q;
}

static long set_settings(struct terminal *terminal, unsigned long request, const void *arg)
{
	struct linux_termios settings;
	int error = admit_change(terminal);
	if (error)
		return error;
	if (copy_from_user(&settings, arg, sizeof(settings)))
		return -EFAULT;
	if (request == LINUX_TCSETSF)
		flush_input(terminal);
	const bool had_flow = has_usual_flow(&terminal->line.termios), has_flow = has_usual_flow(&settings);
	const bool stopped = terminal->line.stopped;
	settings.c_cflag = (settings.c_cflag & ~(CS8 | PARENB)) | CS8 | CREAD;
	line_set(&terminal->line, &settings);
	if (had_flow != has_flow)
		tell_side(terminal, has_flow ? TERMINAL_WITH_FLOW : TERMINAL_WITHOUT_FLOW);
	if (stopped && !terminal->line.stopped) {
		terminal->line.stopped = true;
		terminal_set_flow(terminal, false, false);
	}
	tell_taken(terminal);
	terminal_tell(terminal, LINUX_POLLIN | LINUX_POLLRDNORM);
	return 0;
}

static long set_size(struct terminal *terminal, const void *arg)
{
	struct linux_winsize size;
	if (copy_from_user(&size, arg, sizeof(size)))
		return -EFAULT;
	const struct linux_winsize *old = &terminal->size;
	bool other = size.ws_row != old->ws_row || size.ws_col != old->ws_col || size.ws_xpixel != old->ws_xpixel ||
	             size.ws_ypixel != old->ws_ypixel;
	terminal->size = size;
	if (other)
		terminal_signal(terminal, LINUX_SIGWINCH);
	return 0;
}

static long flush(struct terminal *terminal, uint64_t which)
{
	int error = admit_change(terminal);
	if (error)
		return error;
	if (which > FLUSH_BOTH)
		return -EINVAL;
	if (which != FLUSH_OUTPUT)
		flush_input(terminal);
	if (which != FLUSH_INPUT)
		tell_side(terminal, TERMINAL_FLUSHED_OUTPUT);
	return 0;
}

/* The characters that a terminal sends for TCIOFF and TCION are shown by the other side. */
static long control_flow(struct terminal *terminal, uint64_t action)
{
	int error = admit_change(terminal);
	if (error)
		return error;
	if (action > INPUT_ON)
		return -EINVAL;
	if (action == OUTPUT_OFF || action == OUTPUT_ON) {
		if (terminal->line.held != (action == OUTPUT_OFF))
			terminal_set_flow(terminal, action == OUTPUT_OFF, action == OUTPUT_OFF);
		return 0;
	}
	const uint8_t *sent = &terminal->line.termios.c_cc[action == INPUT_OFF ? LINE_VSTOP : LINE_VSTART];
	if (*sent)
		terminal->side->echo(terminal, sent, 1);
	tell_taken(terminal);
	return 0;
}

static long insert(struct terminal *terminal, const void *arg)
{
	uint8_t byte;
	if (copy_from_user(&byte, arg, 1))
		return -EFAULT;
	terminal_type(terminal, &byte, 1);
	tell_taken(terminal);
	return 0;
}

static long set_discipline(const void *arg)
{
	int32_t number;
	if (copy_from_user(&number, arg, sizeof(number)))
		return -EFAULT;
	return number ? -EINVAL : 0;
}

/* The only process of a native image is always in front. */
static long control_group(struct terminal *terminal, unsigned long request, void *arg)
{
	int32_t group;
	switch (request) {
	case LINUX_TIOCGPGRP:
		return copy_to_user(arg, &terminal->foreground, sizeof(terminal->foreground));
	case LINUX_TIOCGSID:
		return copy_to_user(arg, &terminal->session, sizeof(terminal->session));
	case LINUX_TIOCSCTTY:
		return 0;
	case LINUX_TIOCSPGRP:
		if (copy_from_user(&group, arg, sizeof(group)))
			return -EFAULT;
		return group == PROCESS_ID ? 0 : group < 0 ? -EINVAL : -ESRCH;
	default:
		return -ENOTTY;
	}
}

static long put_int(void *arg, int value)
{
	return copy_to_user(arg, &value, sizeof(value));
}

long terminal_control(struct terminal *terminal, const struct file *file, unsigned long request, void *arg,
                      bool from_master)
{
	switch (request) {
	case LINUX_TCGETS:
		return copy_to_user(arg, &terminal->line.termios, sizeof(terminal->line.termios));
	case LINUX_TCSETS:
	case LINUX_TCSETSW:
	case LINUX_TCSETSF:
		return set_settings(terminal, request, arg);
	case LINUX_TIOCGWINSZ:
		return copy_to_user(arg, &terminal->size, sizeof(terminal->size));
	case LINUX_TIOCSWINSZ:
		return set_size(terminal, arg);
	case LINUX_FIONREAD:
		return put_int(arg, (int)line_unread(&terminal->line));
	case LINUX_TIOCOUTQ:
		return put_int(arg, 0);
	case LINUX_TCFLSH:
		return flush(terminal, (uint64_t)arg);
	case LINUX_TCXONC:
		return control_flow(terminal, (uint64_t)arg);
	case LINUX_TCSBRK: /* output is never queued on this side, and there is no line to break */
	case LINUX_TCSBRKP:
		return admit_change(terminal);
	case LINUX_TIOCSTI:
		return insert(terminal, arg);
	case LINUX_TIOCGETD:
		return put_int(arg, 0);
	case LINUX_TIOCSETD:
		return set_discipline(arg);
	case LINUX_TIOCEXCL:
	case LINUX_TIOCNXCL:
		terminal->exclusive = request == LINUX_TIOCEXCL;
		return 0;
	case LINUX_TIOCGPTPEER: /* only a master has a peer to open */
		return -EIO;
	case LINUX_TIOCGEXCL:
		return put_int(arg, terminal->exclusive);
	default:
		return terminal_rules ? terminal_rules->control(terminal, file, request, arg, from_master)
		                      : control_group(terminal, request, arg);
	}
}
