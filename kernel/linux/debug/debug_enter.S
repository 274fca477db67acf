/* SPDX-License-Identifier: MIT */
/* The ways into the code that serves a debugger. */
#include "abi/debug.h"
#include "abi/layout.h"

#define OBSERVER_SAVED DEBUG_SAVED
#define OBSERVER_STACK_TOP DEBUG_STACK_TOP
#include "kernel/linux/strace/observer.inc"

	.text
	AT_CALL debug_enter_begin, debug_call_begins
	AT_CALL debug_enter_end, debug_call_ends
	AT_NOTE debug_enter_note, debug_stop_in_call /* from debug_note */

	.section .note.GNU-stack, "", @progbits
