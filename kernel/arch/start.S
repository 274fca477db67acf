/* SPDX-License-Identifier: MIT */
/* The first instruction in ring 3, and the note by which a boot door finds the kernel's entries. */
#include "abi/image.h"

	.section .note.eremite, "a", @note
	.balign 4
	.long 8, 168, IMAGE_NOTE_TYPE
	.asciz IMAGE_NOTE_NAME
	.globl image_header
	.hidden image_header
image_header:
	.long IMAGE_ABI_NEEDED, 0
	.quad _start
	.quad boot_stack_top
	.quad trap_stubs
	.quad gate_page_fault
	.quad gate_breakpoint
	.quad gate_syscall
	.quad page_fault_landing_top
	.quad trap_landing_top
	.quad breakpoint_landing_top
	.quad __eh_frame_start
	.quad __eh_frame_end
	.quad __kernel_text_start
	.quad __kernel_text_end
	.quad account_close_stopped
	.quad __eremite_ticks_left
	.quad gate_load_cr3_return
	.quad gate_invlpg_return
	.quad page_fault_frame
	.quad breakpoint_frame
	.quad end_tell_core

	.section .text.gate, "ax"
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined rip
	lea boot_stack_top(%rip), %rsp
	xor %ebp, %ebp
	call kmain
	ud2
	.cfi_endproc
	.size _start, . - _start

	.section .bss.boot_stack, "aw", @nobits
	.balign 64
	.skip 16384
boot_stack_top:

	.section .note.GNU-stack, "", @progbits
