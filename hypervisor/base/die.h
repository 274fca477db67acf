/* SPDX-License-Identifier: MIT */
/* Messages to the user: one line on stderr, "eremite: ...". */
#ifndef HYPERVISOR_DIE_H
#define HYPERVISOR_DIE_H

#include "base/exit_status.h"

/** Says what is wrong and ends eremite with EXIT_EREMITE. Only command files call it. */
_Noreturn void die(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/** Says something in one line and goes on. */
void say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/** Puts one line for the user into error[], to be handed up. Returns -reason, an errno. */
int refuse(char error[256], int reason, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

#endif
