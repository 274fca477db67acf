/* SPDX-License-Identifier: MIT */
/* Of each processor: the countdown of ticks and, TICKS_OWED_AT bytes after it, what a loop owes (vclock.h). The monitor looks for it
 * there. */
#include "abi/ticks.h"

	.section .data.processor, "aw"
	.balign 16
	.globl __eremite_ticks_left
	.type __eremite_ticks_left, @object
__eremite_ticks_left:
	.space TICKS_OWED_AT
	.size __eremite_ticks_left, . - __eremite_ticks_left
	.globl __eremite_ticks_owed
	.type __eremite_ticks_owed, @object
__eremite_ticks_owed:
	.space 8
	.size __eremite_ticks_owed, . - __eremite_ticks_owed

	.section .note.GNU-stack, "", @progbits
