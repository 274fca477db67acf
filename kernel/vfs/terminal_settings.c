/* SPDX-License-Identifier: MIT */
/* Settings of terminals by ioctl(2): the structures termios, termios2 and termio, and locked settings
 * (ioctl_tty(2)). As on Linux, all bits are stored, those without effect too; a pseudo-terminal has eight data bits and
 * receives. */
#include "abi/errno.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/string.h"
#include "kernel/personality.h"
#include "kernel/vfs/terminal.h"

#define CAP_SYS_ADMIN 21 /* capabilities(7) */

/* Bits of c_cflag. */
#define SPEED 0x100fU
#define EXTENDED_SPEED 0x1000U
#define OTHER_SPEED 0x1000U /* c_ispeed or c_ospeed has it */
#define INPUT_SHIFT 16
#define CSIZE 0x30U
#define CS8 0x30U
#define CREAD 0x80U
#define PARENB 0x100U
#define CLOCAL 0x800U
#define ADDRB 0x20000000U /* changes of it are ignored */

/* Flow control as packet mode reports it: only with the usual characters. */
#define CONTROL_Q 17
#define CONTROL_S 19

static void tell_settings_side(struct terminal *terminal, unsigned int what)
{
	if (what && terminal->side->happened)
		terminal->side->happened(terminal, what);
}

/* The speed that a field of c_cflag means, in bits a second. */
static uint32_t speed_of(uint32_t field, uint32_t other)
{
	static const uint32_t speeds[] = {0,       50,      75,      110,     134,     150,     200,    300,
	                                  600,     1200,    1800,    2400,    4800,    9600,    19200,  38400,
	                                  57600,   115200,  230400,  460800,  500000,  576000,  921600, 1000000,
	                                  1152000, 1500000, 2000000, 2500000, 3000000, 3500000, 4000000};
	if (field == OTHER_SPEED)
		return other;
	return speeds[field & EXTENDED_SPEED ? 15 + (field & 15) : field];
}

static bool has_usual_flow(const struct linux_termios *settings)
{
	return (settings->c_iflag & LINE_IXON) && settings->c_cc[LINE_VSTOP] == CONTROL_S &&
	       settings->c_cc[LINE_VSTART] == CONTROL_Q;
}

static uint32_t keep_locked_bits(uint32_t now, uint32_t before, uint32_t locked)
{
	return (now & ~locked) | (before & locked);
}

static void keep_locked(struct linux_termios *now, const struct linux_termios *before,
                        const struct linux_termios *locked)
{
	now->c_iflag = keep_locked_bits(now->c_iflag, before->c_iflag, locked->c_iflag);
	now->c_oflag = keep_locked_bits(now->c_oflag, before->c_oflag, locked->c_oflag);
	now->c_cflag = keep_locked_bits(now->c_cflag, before->c_cflag, locked->c_cflag);
	now->c_lflag = keep_locked_bits(now->c_lflag, before->c_lflag, locked->c_lflag);
	now->c_line = locked->c_line ? before->c_line : now->c_line;
	for (unsigned int i = 0; i < sizeof(now->c_cc); i++)
		now->c_cc[i] = locked->c_cc[i] ? before->c_cc[i] : now->c_cc[i];
}

static void change_settings(struct terminal *terminal, struct linux_termios2 *settings)
{
	struct linux_termios *now = &settings->common;
	const struct linux_termios before = terminal->line.termios;
	const uint32_t input = (now->c_cflag >> INPUT_SHIFT) & SPEED, output = now->c_cflag & SPEED;
	terminal->output_speed = speed_of(output, settings->c_ospeed);
	terminal->input_speed = input ? speed_of(input, settings->c_ispeed) : terminal->output_speed;
	keep_locked(now, &before, &terminal->locked);
	now->c_cflag = keep_locked_bits(now->c_cflag, before.c_cflag, ADDRB);
	now->c_cflag = (now->c_cflag & ~(CSIZE | PARENB)) | CS8 | CREAD;
	const bool stopped = terminal->line.stopped;
	line_set(&terminal->line, now);
	if (has_usual_flow(&before) != has_usual_flow(now))
		tell_settings_side(terminal, has_usual_flow(now) ? TERMINAL_WITH_FLOW : TERMINAL_WITHOUT_FLOW);
	if ((before.c_lflag | now->c_lflag) & LINE_EXTPROC)
		tell_settings_side(terminal, TERMINAL_SET);
	if (stopped && !terminal->line.stopped) {
		terminal->line.stopped = true;
		terminal_set_flow(terminal, false, false);
	}
	if (terminal->side->taken)
		terminal->side->taken(terminal);
	terminal_tell(terminal, LINUX_POLLIN | LINUX_POLLRDNORM);
}

static void join_halves(struct linux_termios *settings, const struct linux_termio *halves)
{
	const uint32_t upper = 0xffff0000;
	settings->c_iflag = (settings->c_iflag & upper) | halves->c_iflag;
	settings->c_oflag = (settings->c_oflag & upper) | halves->c_oflag;
	settings->c_cflag = (settings->c_cflag & upper) | halves->c_cflag;
	settings->c_lflag = (settings->c_lflag & upper) | halves->c_lflag;
	settings->c_line = halves->c_line;
	memcpy(settings->c_cc, halves->c_cc, sizeof(halves->c_cc));
}

/* Reads the structure that a request has into `settings`, which are those of now. */
static int get_settings(struct linux_termios2 *settings, unsigned long request, const void *arg)
{
	struct linux_termio halves;
	switch (request) {
	case LINUX_TCSETA:
	case LINUX_TCSETAW:
	case LINUX_TCSETAF:
		if (copy_from_user(&halves, arg, sizeof(halves)))
			return -EFAULT;
		join_halves(&settings->common, &halves);
		return 0;
	case LINUX_TCSETS2:
	case LINUX_TCSETSW2:
	case LINUX_TCSETSF2:
		return copy_from_user(settings, arg, sizeof(*settings)) ? -EFAULT : 0;
	default:
		return copy_from_user(&settings->common, arg, sizeof(settings->common)) ? -EFAULT : 0;
	}
}

static struct linux_termios2 settings_of(const struct terminal *terminal)
{
	return (struct linux_termios2){terminal->line.termios, terminal->input_speed, terminal->output_speed};
}

static long set_settings(struct terminal *terminal, unsigned long request, const void *arg)
{
	struct linux_termios2 settings = settings_of(terminal);
	int error = terminal_admit_change(terminal);
	if (!error)
		error = get_settings(&settings, request, arg);
	if (error)
		return error;
	if (request == LINUX_TCSETSF || request == LINUX_TCSETSF2 || request == LINUX_TCSETAF)
		terminal_flush_input(terminal);
	change_settings(terminal, &settings);
	return 0;
}

static long show_halves(const struct terminal *terminal, void *arg)
{
	const struct linux_termios *settings = &terminal->line.termios;
	struct linux_termio halves = {(uint16_t)settings->c_iflag,
	                              (uint16_t)settings->c_oflag,
	                              (uint16_t)settings->c_cflag,
	                              (uint16_t)settings->c_lflag,
	                              settings->c_line,
	                              {0},
	                              0};
	memcpy(halves.c_cc, settings->c_cc, sizeof(halves.c_cc));
	return copy_to_user(arg, &halves, sizeof(halves));
}

static long lock_settings(struct terminal *terminal, const void *arg)
{
	struct linux_termios locked;
	if (!personality.may(CAP_SYS_ADMIN))
		return -EPERM;
	if (copy_from_user(&locked, arg, sizeof(locked)))
		return -EFAULT;
	terminal->locked = locked;
	return 0;
}

static long set_carrier(struct terminal *terminal, const void *arg)
{
	int32_t on;
	if (copy_from_user(&on, arg, sizeof(on)))
		return -EFAULT;
	terminal->line.termios.c_cflag = keep_locked_bits(on ? CLOCAL : 0, terminal->line.termios.c_cflag, ~CLOCAL);
	return 0;
}

long terminal_settings(struct terminal *terminal, unsigned long request, void *arg)
{
	const struct linux_termios2 settings = settings_of(terminal);
	const int32_t is_local = (settings.common.c_cflag & CLOCAL) != 0;
	switch (request) {
	case LINUX_TCGETS:
		return copy_to_user(arg, &settings.common, sizeof(settings.common));
	case LINUX_TCGETS2:
		return copy_to_user(arg, &settings, sizeof(settings));
	case LINUX_TCGETA:
		return show_halves(terminal, arg);
	case LINUX_TCSETS:
	case LINUX_TCSETSW:
	case LINUX_TCSETSF:
	case LINUX_TCSETS2:
	case LINUX_TCSETSW2:
	case LINUX_TCSETSF2:
	case LINUX_TCSETA:
	case LINUX_TCSETAW:
	case LINUX_TCSETAF:
		return set_settings(terminal, request, arg);
	case LINUX_TIOCGLCKTRMIOS:
		return copy_to_user(arg, &terminal->locked, sizeof(terminal->locked));
	case LINUX_TIOCSLCKTRMIOS:
		return lock_settings(terminal, arg);
	case LINUX_TIOCGSOFTCAR:
		return copy_to_user(arg, &is_local, sizeof(is_local));
	case LINUX_TIOCSSOFTCAR:
		return set_carrier(terminal, arg);
	default:
		return -ENOTTY;
	}
}
