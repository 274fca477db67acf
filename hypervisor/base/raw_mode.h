/* SPDX-License-Identifier: MIT */
/* The settings of the host's terminal while a guest has it (--tty): raw, so that the guest's own terminal does all that
 * a terminal does. They are restored however the process ends; after kill -9 the keeper does it. */
#ifndef HYPERVISOR_RAW_MODE_H
#define HYPERVISOR_RAW_MODE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/**
 * Reads the settings and the size of the terminal on standard input. Returns 0, or a negative errno with a line in
 * *error when standard input or output is not a terminal.
 */
int raw_mode_open(uint16_t *rows, uint16_t *columns, struct error *error);

/** Whether raw_mode_open has succeeded. */
bool raw_mode_is_open(void);

/** Sets raw mode; from then on a stop (SIGTSTP) restores the settings, and a continuation sets raw mode again. */
void raw_mode_enter(void);

/** Restores the settings. Does nothing when raw mode is not set. Safe in signal handlers. */
void raw_mode_leave(void);

/** Restores the settings for a process that has been killed, by another descriptor of the terminal. */
void raw_mode_restore(int fd);

#endif
