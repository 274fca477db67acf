/* SPDX-License-Identifier: MIT */
/* The end of a run: what is still in the guest goes out, then the host is told how it ended. */
#ifndef KERNEL_END_H
#define KERNEL_END_H

#include <stdbool.h>

#include "abi/doorbell.h"
#include "kernel/arch/trap.h"

/** Ends the run with the program's exit status, 0 to 255. */
_Noreturn void end_exit(int status);

/** Ends the run at a fault of the program or kernel, reporting the frame's registers; `sig` as Linux has it. */
_Noreturn void end_at_fault(const struct trap_frame *frame, int sig, const char *what);

/** Ends the run in a function whose registers (DWARF order) these are, without leaving /out. */
_Noreturn void end_stopped(const uint64_t registers[17], const char *what);

/** Ends the run for another reason, reporting the place of the call. */
_Noreturn void end_with_report(enum end_reason reason, int sig, const char *what);

/** Whether the host is being told of the end. A fault then cannot be told of any more. */
bool end_is_being_told(void);

/** Where the monitor enters, on the policies' stack, when it has stopped the run: closes the accounts of threads. */
_Noreturn void end_close_accounts(void);

/** Ends the run where its schedule says that it was stopped. */
_Noreturn void end_replayed(void);

/** Ends the run because the schedule does not fit the program: the number of the record, from 0, and a line. */
_Noreturn void end_misfit(uint64_t record, const char *why);

#endif
