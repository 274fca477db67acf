/* SPDX-License-Identifier: MIT */
/* The end of a run: exports what the guest still holds, then tells the host how the run ended. */
#ifndef KERNEL_END_H
#define KERNEL_END_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/doorbell.h"
#include "kernel/arch/trap.h"

/** What the parts of the kernel that are above this file do at the end of a run. kernel/main.c and sched_init set the
 * members; NULL ones are left out, before those parts have started. */
struct end_hooks {
	void (*forget_input)(void); /**< clears what only --record leaves in memory */
	void (*arrive)(void);       /**< gives the monitor what is under way to the outside; net_delay.c sets it when
	                             * something is; not called after an error of the kernel */
	void (*export)(void);       /**< shows /out to the host: export_out; not called after an error of the kernel */
	uint32_t (*close)(
		enum end_reason reason); /**< stops the clock, closes accounts and schedule where the program
	                                  * itself has ended the run: end() of sched.c; returns the thread's number */
	void (*tell_changes)(void);      /**< tells the host of changed files, after the end: changes_tell */
	void (*tell_core)(void);         /**< sends the core file of a Linux program (abi/core.h): core_tell */
};
extern struct end_hooks end_hooks;

/** Makes failed assertions end the run. The first thing at the start. */
void end_init(void);

/** Ends the run with the program's exit status, 0 to 255. */
_Noreturn void end_exit(int status);

/** Ends the run before its program has begun, because that cannot be started: END_NOT_STARTED. */
_Noreturn void end_not_started(int status);

/** Ends the run at a fault of the program or kernel and reports the frame's registers. `sig` is a Linux signal
 * number. */
_Noreturn void end_at_fault(const struct trap_frame *frame, int sig, const char *what);

/** Ends the run in a function with these registers (DWARF order), without exporting /out. */
_Noreturn void end_stopped(const uint64_t registers[17], const char *what);

/** Ends the run for another reason and reports the place of the call. */
_Noreturn void end_with_report(enum end_reason reason, int sig, const char *what);

/** image_header.tell_core: entered on the policies' stack after the end. */
_Noreturn void end_tell_core(void);

/** Whether the end is being reported to the host. A fault then can no longer be reported. */
bool end_is_being_told(void);

/** Ends the run where its schedule says that the recorded run was stopped. */
_Noreturn void end_replayed(void);

/** Ends the run because the schedule does not fit the program. Takes the record's number, from 0, and a line that says
 * why. */
_Noreturn void end_misfit(uint64_t record, const char *why);

#endif
