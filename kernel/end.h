/* SPDX-License-Identifier: MIT */
/* The end of a run: exports what the guest still holds, then tells the host how the run ended. */
#ifndef KERNEL_END_H
#define KERNEL_END_H

#include <stdbool.h>

#include "abi/doorbell.h"
#include "kernel/arch/trap.h"

/** Ends the run with the program's exit status, 0 to 255. */
_Noreturn void end_exit(int status);

/** Ends the run at a fault of the program or kernel and reports the frame's registers. `sig` is a Linux signal
 * number. */
_Noreturn void end_at_fault(const struct trap_frame *frame, int sig, const char *what);

/** Ends the run in a function with these registers (DWARF order), without exporting /out. */
_Noreturn void end_stopped(const uint64_t registers[17], const char *what);

/** Ends the run for another reason and reports the place of the call. */
_Noreturn void end_with_report(enum end_reason reason, int sig, const char *what);

/** Whether the end is being reported to the host. A fault then can no longer be reported. */
bool end_is_being_told(void);

/** Entered by the monitor, on the policies' stack, when it has stopped the run: closes the accounts of threads. */
_Noreturn void end_close_accounts(void);

/** Ends the run where its schedule says that the recorded run was stopped. */
_Noreturn void end_replayed(void);

/** Ends the run because the schedule does not fit the program. Takes the record's number, from 0, and a line that says
 * why. */
_Noreturn void end_misfit(uint64_t record, const char *why);

#endif
