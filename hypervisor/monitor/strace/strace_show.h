/* SPDX-License-Identifier: MIT */
/* Arguments and results as strace(1) shows them. */
#ifndef HYPERVISOR_STRACE_SHOW_H
#define HYPERVISOR_STRACE_SHOW_H

#include <stdbool.h>

#include "strace/strace_call.h"
#include "strace/strace_out.h"

/**
 * Shows arguments from the one with index *from on, and the commas between them; sets *from to the first that is not
 * shown yet. Before the call has ended it stops at an argument that is known only then.
 */
void strace_show_arguments(struct strace_out *out, const struct strace_call *call, unsigned *from);

/** Shows the result of a call that has ended, from "= " on. */
void strace_show_result(struct strace_out *out, const struct strace_call *call);

/** Shows a struct siginfo, or only the signal's number if its memory is missing. */
void strace_show_signal(struct strace_out *out, const struct strace_call *memory, uint64_t signal);

/** Whether the call never returns, so that its line ends when it begins. */
bool strace_show_is_last(unsigned number);

#endif
