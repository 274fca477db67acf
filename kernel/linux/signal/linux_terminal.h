/* SPDX-License-Identifier: MIT */
/* The terminal of Linux programs, with process groups. */
#ifndef KERNEL_LINUX_SIGNAL_LINUX_TERMINAL_H
#define KERNEL_LINUX_SIGNAL_LINUX_TERMINAL_H

/** Gives the terminal its rules. */
void linux_terminal_init(void);

#endif
