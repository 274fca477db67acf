/* SPDX-License-Identifier: MIT */
/* --tty: the terminal of the program. */
#ifndef HYPERVISOR_TERMINAL_OPTION_H
#define HYPERVISOR_TERMINAL_OPTION_H

#include "session/session.h"

/** Reads the value of --tty; NULL: the option has no value. Ends eremite if the value is no size. */
void terminal_option_set(struct run_config *run, const char *text);

/** Opens the terminal, and notes its size and TERM as inputs. Ends eremite if it cannot. */
void terminal_option_open(struct session *options);

#endif
