/* SPDX-License-Identifier: MIT */
/* Messages to the user: one line on stderr, "eremite: ...". */
#ifndef HYPERVISOR_DIE_H
#define HYPERVISOR_DIE_H

#include <signal.h>

#include "base/exit_status.h"

/** Prints the message and ends eremite with EXIT_EREMITE. Only command files call it. */
_Noreturn void die(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/** Whether die has been called, or standard output was reported: what is left to say at the exit follows from that. */
extern volatile sig_atomic_t die_was_called;

/** Prints the message as one line. */
void say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/** Whether lines need a carriage return, because standard error is a terminal in raw mode. */
extern volatile sig_atomic_t say_needs_return;

#endif
