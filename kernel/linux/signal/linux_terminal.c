/* SPDX-License-Identifier: MIT */
/* Job control (setpgid(2), tcsetpgrp(3), credentials(7)): a terminal's signals go to its foreground group, and a
 * process of its session in another group may not read from it.
 *
 * process->terminal and terminal->session agree: a process has a terminal only if the terminal's session is the
 * process's own. */
#include "kernel/linux/signal/linux_terminal.h"

#include "abi/errno.h"
#include "kernel/arch/uaccess.h"
#include "kernel/linux/process/linux_process.h"
#include "kernel/linux/signal/kill.h"
#include "kernel/linux/signal/stop.h"
#include "kernel/signal/signal.h"
#include "kernel/vfs/keyboard.h"
#include "kernel/vfs/terminal.h"

static void signal_group(uint32_t group, int sig)
{
	const struct signal_origin origin = {.code = LINUX_SI_KERNEL};
	const struct kill_target target = {KILL_GROUP, group};
	kill_send(&target, sig, &origin);
}

static bool is_leader(const struct linux_process *process)
{
	return process->session == process->base->id;
}

static int admit_process(const struct terminal *terminal, int sig)
{
	const struct linux_process *self = process_self();
	if (self->terminal != terminal || !terminal->foreground || self->group == terminal->foreground)
		return 0;
	if (signal_is_ignored(sig) || (thread_current->signals.blocked & signal_bit(sig)))
		return sig == LINUX_SIGTTIN ? -EIO : 0;
	if (stop_is_orphaned(self->group))
		return -EIO;
	signal_group(self->group, sig);
	thread_current->signals.restarts = true;
	return -EINTR;
}

static struct terminal *controlling_terminal(void)
{
	return process_self()->terminal;
}

static bool is_admin(void)
{
	return credentials_may(&process_self()->credentials, CAP_SYS_ADMIN);
}

/* Takes a terminal away from its session. */
static void leave_session(struct terminal *terminal)
{
	for (struct process *process = &process_first; process; process = process->next)
		if (process->more->terminal == terminal)
			process->more->terminal = NULL;
	terminal->session = terminal->foreground = 0;
}

static void acquire(struct terminal *terminal)
{
	struct linux_process *self = process_self();
	self->terminal = terminal;
	self->old_foreground = 0;
	terminal->session = self->session;
	terminal->foreground = self->group;
}

static void terminal_opened(struct terminal *terminal, const struct file *file)
{
	/* NULL when the kernel opens the standard streams, before there is a process. */
	const struct linux_process *self = process_self();
	if (self && is_leader(self) && !self->terminal && !terminal->session && file->readable)
		acquire(terminal);
}

/* The leader learns of the hang-up now, and the group in front when the leader ends. */
static void hung_up(struct terminal *terminal)
{
	const struct signal_origin origin = {.code = LINUX_SI_KERNEL};
	struct linux_process *leader = terminal->session ? process_find(terminal->session) : NULL;
	const struct kill_target target = {KILL_PROCESS, terminal->session};
	if (leader && !leader->ended) {
		leader->old_foreground = terminal->foreground;
		kill_send(&target, LINUX_SIGHUP, &origin);
		kill_send(&target, LINUX_SIGCONT, &origin);
	}
	leave_session(terminal);
}

void linux_terminal_process_ends(struct linux_process *process)
{
	if (!is_leader(process))
		return;
	if (process->terminal) {
		signal_group(process->terminal->foreground, LINUX_SIGHUP);
		leave_session(process->terminal);
	} else if (process->old_foreground) {
		signal_group(process->old_foreground, LINUX_SIGHUP);
		signal_group(process->old_foreground, LINUX_SIGCONT);
	}
}

/* --- ioctl(2) --- */

static long take_control(struct terminal *terminal, const struct file *file, bool steal)
{
	const struct linux_process *self = process_self();
	if (is_leader(self) && self->session == terminal->session)
		return 0;
	if (!is_leader(self) || self->terminal)
		return -EPERM;
	if (terminal->session && (!steal || !is_admin()))
		return -EPERM;
	if (!file->readable && !is_admin())
		return -EPERM;
	if (terminal->session)
		leave_session(terminal);
	acquire(terminal);
	return 0;
}

static long give_up(struct terminal *terminal)
{
	struct linux_process *self = process_self();
	if (self->terminal != terminal)
		return -ENOTTY;
	self->terminal = NULL;
	if (!is_leader(self))
		return 0;
	const uint32_t foreground = terminal->foreground;
	leave_session(terminal);
	signal_group(foreground, LINUX_SIGHUP);
	signal_group(foreground, LINUX_SIGCONT);
	return 0;
}

static const struct linux_process *member_of(uint32_t group)
{
	for (const struct process *process = &process_first; process; process = process->next)
		if (process->more->group == group)
			return process->more;
	return NULL;
}

static long set_foreground(struct terminal *terminal, const void *arg)
{
	const struct linux_process *self = process_self();
	int32_t group;
	int error = admit_process(terminal, LINUX_SIGTTOU);
	if (error)
		return error == -EIO ? -ENOTTY : error;
	if (copy_from_user(&group, arg, sizeof(group)))
		return -EFAULT;
	if (self->terminal != terminal || terminal->session != self->session)
		return -ENOTTY;
	if (group < 0)
		return -EINVAL;
	const struct linux_process *member = member_of((uint32_t)group);
	if (!member)
		return -ESRCH;
	if (member->session != self->session)
		return -EPERM;
	terminal->foreground = (uint32_t)group;
	return 0;
}

static long control_session(struct terminal *terminal, const struct file *file, unsigned long request, void *arg,
                            bool from_master)
{
	const bool is_own = process_self()->terminal == terminal;
	switch (request) {
	case LINUX_TIOCSCTTY:
		return take_control(terminal, file, arg == (void *)1);
	case LINUX_TIOCNOTTY:
		return from_master ? -ENOTTY : give_up(terminal);
	case LINUX_TIOCGPGRP:
		if (!is_own && !from_master)
			return -ENOTTY;
		return copy_to_user(arg, &terminal->foreground, sizeof(terminal->foreground));
	case LINUX_TIOCGSID:
		if ((!is_own && !from_master) || !terminal->session)
			return -ENOTTY;
		return copy_to_user(arg, &terminal->session, sizeof(terminal->session));
	case LINUX_TIOCSPGRP:
		return set_foreground(terminal, arg);
	default:
		return -ENOTTY;
	}
}

const struct terminal_rules linux_terminal_rules = {signal_group,    admit_process,   controlling_terminal,
                                                    terminal_opened, control_session, hung_up};

void linux_terminal_init(void)
{
	process_self()->terminal = keyboard_terminal();
}
