/* SPDX-License-Identifier: MIT */
/* The guest stops, and the monitor has the turn. */
#ifndef ENGINE_PROCESS_STUB_STOPS_H
#define ENGINE_PROCESS_STUB_STOPS_H

#include <sys/ucontext.h>

#include "engine/process/channel.h"

/** Gives the turn to the monitor, and returns when it lets the guest go on, perhaps with other registers. */
void stops_at(greg_t *registers, enum channel_stop reason);

/** Loads the registers that the monitor has set. */
void stops_take_registers(greg_t *registers);

/** The guest did what it must not, or the host cannot go on; `what` is a sentence for the user. */
_Noreturn void stops_broken(greg_t *registers, const char *what);

#endif
