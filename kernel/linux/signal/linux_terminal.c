/* SPDX-License-Identifier: MIT */
/* Job control (setpgid(2), tcsetpgrp(3)): the terminal's signals go to its foreground group, and a process of another
 * group may not read from it. */
#include "kernel/linux/signal/linux_terminal.h"

#include "abi/errno.h"
#include "kernel/linux/process/linux_process.h"
#include "kernel/linux/signal/kill.h"
#include "kernel/signal/signal.h"
#include "kernel/vfs/terminal.h"

static void send(uint32_t group, int sig)
{
	const struct signal_origin origin = {.code = LINUX_SI_KERNEL};
	const struct kill_target target = {KILL_GROUP, group};
	kill_send(&target, sig, &origin);
}

static int admit(uint32_t foreground, int sig)
{
	const struct linux_process *self = process_self();
	if (self->group == foreground || self->session != process_first.more->session)
		return 0;
	if (signal_is_ignored(sig) || (thread_current->signals.blocked & signal_bit(sig)))
		return sig == LINUX_SIGTTIN ? -EIO : 0;
	send(self->group, sig);
	thread_current->signals.restarts = true;
	return -EINTR;
}

void linux_terminal_init(void)
{
	static const struct terminal_rules rules = {send, admit};
	terminal_rules = &rules;
}
