/* SPDX-License-Identifier: MIT */
/* step_return: where a kernel call returns to whose caller steps. The stack has [padding][where the call really returns
 * to]. At the breakpoint, exception.c takes the padding away and sets TF: the next step is that of the call as a whole. */
	.text
	.globl step_return, step_return_trap
	.hidden step_return, step_return_trap
	.type step_return, @function
	.cfi_startproc
	.cfi_def_cfa_offset 16
	nop /* unwinders look at the byte before a return address */
step_return:
	int3
	.cfi_def_cfa_offset 8
step_return_trap:
	ret
	.cfi_endproc
	.size step_return, . - step_return

	.section .note.GNU-stack, "", @progbits
