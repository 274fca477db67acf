/* SPDX-License-Identifier: MIT */
/* ioctl(2) of terminals (ioctl_tty(2)): size, flow, flushing. Settings are in terminal_settings.c. Requests about
 * sessions and process groups are the personality's, in personality.terminal_rules. */
#include "abi/errno.h"
#include "abi/linux_signal.h"
#include "kernel/arch/uaccess.h"
#include "kernel/personality.h"
#include "kernel/sched/process.h"
#include "kernel/vfs/device.h"
#include "kernel/vfs/terminal.h"

#define CAP_SYS_ADMIN 21 /* capabilities(7) */

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

int terminal_admit_change(const struct terminal *terminal)
{
	return personality.terminal_rules ? personality.terminal_rules->admit(terminal, LINUX_SIGTTOU) : 0;
}

static void tell_controlled_side(struct terminal *terminal, unsigned int what)
{
	if (what && terminal->side->happened)
		terminal->side->happened(terminal, what);
}

static void tell_flushed(struct terminal *terminal)
{
	if (terminal->side->taken)
		terminal->side->taken(terminal);
}

void terminal_flush_input(struct terminal *terminal)
{
	if (terminal->side->drop)
		terminal->side->drop(terminal);
	line_flush(&terminal->line);
	tell_controlled_side(terminal, TERMINAL_FLUSHED_INPUT);
	tell_flushed(terminal);
}

static long set_window_size(struct terminal *terminal, const void *arg)
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

static long flush_queues(struct terminal *terminal, uint64_t which)
{
	int error = terminal_admit_change(terminal);
	if (error)
		return error;
	if (which > FLUSH_BOTH)
		return -EINVAL;
	if (which != FLUSH_OUTPUT)
		terminal_flush_input(terminal);
	if (which != FLUSH_INPUT)
		tell_controlled_side(terminal, TERMINAL_FLUSHED_OUTPUT);
	return 0;
}

/* The characters that a terminal sends for TCIOFF and TCION are shown by the other side, also while output is stopped
 * by a key. */
static void send_character(struct terminal *terminal, uint8_t character)
{
	if (!character || terminal->line.held)
		return;
	const bool stopped = terminal->line.stopped;
	if (stopped)
		terminal_set_flow(terminal, false, false);
	terminal->side->echo(terminal, &character, 1);
	if (stopped)
		terminal_set_flow(terminal, true, false);
	tell_flushed(terminal);
}

static long set_flow(struct terminal *terminal, uint64_t action)
{
	int error = terminal_admit_change(terminal);
	if (error)
		return error;
	switch (action) {
	case OUTPUT_OFF:
	case OUTPUT_ON:
		if (terminal->line.held != (action == OUTPUT_OFF))
			terminal_set_flow(terminal, action == OUTPUT_OFF, action == OUTPUT_OFF);
		return 0;
	case INPUT_OFF:
		send_character(terminal, terminal->line.termios.c_cc[LINE_VSTOP]);
		return 0;
	case INPUT_ON:
		send_character(terminal, terminal->line.termios.c_cc[LINE_VSTART]);
		return 0;
	default:
		return -EINVAL;
	}
}

static long insert_byte(struct terminal *terminal, const void *arg)
{
	uint8_t byte;
	const bool is_own = !personality.terminal_rules || personality.terminal_rules->own() == terminal;
	if (!is_own && !personality.may(CAP_SYS_ADMIN))
		return -EPERM;
	if (copy_from_user(&byte, arg, 1))
		return -EFAULT;
	terminal_type(terminal, &byte, 1);
	tell_flushed(terminal);
	return 0;
}

static long hang_up(struct terminal *terminal, bool from_master)
{
	if (from_master || !personality.may(CAP_SYS_ADMIN))
		return -EPERM;
	terminal_hang_up(terminal);
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

static long put_control_int(void *arg, int value)
{
	return copy_to_user(arg, &value, sizeof(value));
}

long terminal_control(struct terminal *terminal, const struct file *file, unsigned long request, void *arg,
                      bool from_master)
{
	switch (request) {
	case LINUX_TIOCGWINSZ:
		return copy_to_user(arg, &terminal->size, sizeof(terminal->size));
	case LINUX_TIOCSWINSZ:
		return set_window_size(terminal, arg);
	case LINUX_FIONREAD:
		return put_control_int(arg, (int)line_unread(&terminal->line));
	case LINUX_TIOCOUTQ:
		return put_control_int(arg, 0);
	case LINUX_TCFLSH:
		return flush_queues(terminal, (uint64_t)arg);
	case LINUX_TCXONC:
		return set_flow(terminal, (uint64_t)arg);
	case LINUX_TCSBRK: /* output is never queued on this side, and there is no line to break */
	case LINUX_TCSBRKP:
	case LINUX_TIOCSBRK:
	case LINUX_TIOCCBRK:
		return terminal_admit_change(terminal);
	case LINUX_TIOCSTI:
		return insert_byte(terminal, arg);
	case LINUX_TIOCGETD:
		return put_control_int(arg, 0);
	case LINUX_TIOCSETD:
		return set_discipline(arg);
	case LINUX_TIOCEXCL:
	case LINUX_TIOCNXCL:
		terminal->exclusive = request == LINUX_TIOCEXCL;
		return 0;
	case LINUX_TIOCGPTPEER: /* only a master has a peer to open */
		return -EIO;
	case LINUX_TIOCGDEV:
		return put_control_int(arg, (int)DEVICE_TERMINAL(terminal->number));
	case LINUX_TIOCCONS: /* there is no console whose output could be redirected */
		return from_master ? -EINVAL : -EPERM;
	case LINUX_TIOCVHANGUP:
		return hang_up(terminal, from_master);
	case LINUX_TIOCGEXCL:
		return put_control_int(arg, terminal->exclusive);
	default:
		break;
	}
	long result = terminal_settings(terminal, request, arg);
	if (result != -ENOTTY)
		return result;
	return personality.terminal_rules
	               ? personality.terminal_rules->control(terminal, file, request, arg, from_master)
	               : control_group(terminal, request, arg);
}
