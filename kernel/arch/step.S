/* SPDX-License-Identifier: MIT */
/* step_return: the return address of a kernel call whose caller is being stepped. The stack has [padding][real return
 * address]. At the breakpoint, exception.c removes the padding and sets TF, so that the whole call is one step. */
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
