/* SPDX-License-Identifier: MIT */
/* Sends a request on the policies' stack: whether the answer is already there depends on earlier runs, and must leave no
 * trace on the thread's stack. */
#include "abi/layout.h"
#include "kernel/sched/policy_stack.inc"

	.text
	.globl host_request_send
	.hidden host_request_send
	.type host_request_send, @function
	.balign 16
host_request_send:
	.cfi_startproc
	ON_POLICY_STACK host_ahead_ask
	.cfi_endproc
	.size host_request_send, . - host_request_send

	.section .note.GNU-stack, "", @progbits
