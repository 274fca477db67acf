/* SPDX-License-Identifier: MIT */
/* Terminals of Linux programs: sessions, controlling terminals and process groups. */
#ifndef KERNEL_LINUX_SIGNAL_LINUX_TERMINAL_H
#define KERNEL_LINUX_SIGNAL_LINUX_TERMINAL_H

struct linux_process;

/** personality.terminal_rules. */
extern const struct terminal_rules linux_terminal_rules;

/** Gives the first process the terminal of --tty. */
void linux_terminal_init(void);

/** A process is ending. A session leader's foreground group gets SIGHUP, and its session loses the terminal. */
void linux_terminal_process_ends(struct linux_process *process);

#endif
