/* SPDX-License-Identifier: MIT */
/* The ways into the code that notes system calls. */
#include "abi/layout.h"
#include "abi/strace.h"

#define OBSERVER_SAVED STRACE_SAVED
#define OBSERVER_STACK_TOP STRACE_STACK_TOP
#include "kernel/linux/strace/observer.inc"

	.text
	AT_CALL strace_enter_begin, strace_begins
	AT_CALL strace_enter_end, strace_ends
	AT_NOTE strace_enter_note, strace_take_note /* from strace_note */

	.section .note.GNU-stack, "", @progbits
