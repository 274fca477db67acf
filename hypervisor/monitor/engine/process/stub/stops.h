/* SPDX-License-Identifier: MIT */
/* Stops the guest and gives the turn to the monitor. */
#ifndef ENGINE_PROCESS_STUB_STOPS_H
#define ENGINE_PROCESS_STUB_STOPS_H

#include <sys/ucontext.h>

#include "engine/process/channel.h"

/** Gives the turn to the monitor. Returns when the monitor lets the guest continue, possibly with other registers. */
void stops_at(greg_t *registers, enum channel_stop reason);

/** Loads the registers that the monitor has set. */
void stops_take_registers(greg_t *registers);

/**
 * Ends the run, because the guest did something forbidden, or the host cannot continue. `what` is a sentence for the
 * user.
 */
_Noreturn void stops_broken(greg_t *registers, const char *what);

#endif
