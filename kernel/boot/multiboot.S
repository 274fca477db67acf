/* SPDX-License-Identifier: MIT */
/* The multiboot door: the header that a loader looks for, its 32-bit entry, and the transition to ring 3. Only the
 * image is written before multiboot_main() has read what the loader left in memory. The 32-bit part is in read-only
 * data, where the guest cannot execute it and the monitor does not look for CPUID. */
#include "abi/layout.h"
#include "kernel/boot/multiboot.h"
#include "kernel/dev/pc.h"

	.section .multiboot, "a", @progbits
	.balign 4
header:
	.long MULTIBOOT_HEADER_MAGIC
	.long MULTIBOOT_HEADER_FLAGS
	.long -(MULTIBOOT_HEADER_MAGIC + MULTIBOOT_HEADER_FLAGS)
	.long header
	.long __image_start
	.long _edata
	.long _end
	.long multiboot_start

/* Temporary tables: the first 4 GiB, identity-mapped by 2 MiB pages. */
	.section .bss.boot_tables, "aw", @nobits
	.balign 4096
root:
	.skip 4096
pointers:
	.skip 4096
directories:
	.skip 4 * 4096
	.skip 8192
stack_top:

	.bss
	.balign 4
	.globl processor_features
	.hidden processor_features
processor_features:
	.skip 12

	.section .rodata
	.balign 16
clear_vector: /* an FXSAVE area: x87 and SSE as after reset, except for the mask in MXCSR that the psABI requires */
	.short 0x37f
	.skip 22
	.long 0x1f80
	.skip 512 - 28
	.balign 8
descriptors:
	.quad 0, 0x00af9b000000ffff, 0x00cf93000000ffff /* null, 64-bit code, data */
descriptors_pointer:
	.short descriptors_pointer - descriptors - 1
	.long descriptors
no_loader:
	.asciz "eremite: started by something that is no multiboot loader\n"
no_long_mode:
	.asciz "eremite: the processor has no 64-bit mode\n"

	.section .rodata.boot, "a", @progbits
	.code32
	.globl multiboot_start
	.hidden multiboot_start
	.type multiboot_start, @function
multiboot_start:
	cli
	cld
	mov $stack_top, %esp
	mov $no_loader, %esi
	cmp $MULTIBOOT_LOADER_MAGIC, %eax
	jne fail
	mov %ebx, %ebp
	mov $no_long_mode, %esi
	mov $0x80000000, %eax
	cpuid
	cmp $0x80000001, %eax
	jb fail
	mov $0x80000001, %eax
	cpuid
	bt $29, %edx
	jnc fail
	mov %edx, processor_features + 8
	xor %eax, %eax
	cpuid
	cmp $7, %eax
	jb 1f
	mov $7, %eax
	xor %ecx, %ecx
	cpuid
	mov %ebx, processor_features + 4
1:	mov $1, %eax
	cpuid
	mov %edx, processor_features

	movl $pointers + 3, root
	mov $directories + 3, %eax
	mov $pointers, %edi
	mov $4, %ecx
1:	mov %eax, (%edi)
	add $0x1000, %eax
	add $8, %edi
	loop 1b
	mov $0x83, %eax /* present, writable, 2 MiB */
	mov $directories, %edi
	mov $4 * 512, %ecx
2:	mov %eax, (%edi)
	add $0x200000, %eax
	add $8, %edi
	loop 2b

	mov $root, %eax
	mov %eax, %cr3
	mov $0x20, %eax /* PAE */
	mov %eax, %cr4
	mov $0xc0000080, %ecx /* EFER: LME */
	rdmsr
	or $0x100, %eax
	wrmsr
	mov $0x80000011, %eax /* PG ET PE */
	mov %eax, %cr0
	lgdt descriptors_pointer
	ljmp $0x8, $long_mode
	.size multiboot_start, . - multiboot_start

/* Prints the line at esi on the first serial port and stops. */
	.type fail, @function
fail:
	mov $0x3fd, %edx
1:	in %dx, %al
	test $0x20, %al
	jz 1b
	lodsb
	test %al, %al
	jz 2f
	mov $0x3f8, %edx
	out %al, %dx
	jmp fail
2:	mov $PC_EXIT_EREMITE, %al
	out %al, $0xf4
3:	hlt
	jmp 3b
	.size fail, . - fail

	.section .text.boot, "ax"
	.code64
	.type long_mode, @function
long_mode:
	.cfi_startproc
	.cfi_undefined rip
	mov $0x10, %eax
	mov %eax, %ss
	mov %eax, %ds
	mov %eax, %es
	mov %ebp, %edi
	xor %ebp, %ebp
	call multiboot_main
	ud2
	.cfi_endproc
	.size long_mode, . - long_mode

/* _Noreturn void multiboot_enter(uint64_t rip, uint64_t rsp) */
	.globl multiboot_enter
	.hidden multiboot_enter
	.type multiboot_enter, @function
multiboot_enter:
	xor %eax, %eax /* no segments, as under Linux */
	mov %eax, %ds
	mov %eax, %es
	mov %eax, %fs
	mov %eax, %gs
	push $SELECTOR_RING3_DATA
	push %rsi
	push $0x202 /* TABLES_RFLAGS */
	push $SELECTOR_RING3_CODE
	push %rdi
	fxrstor64 clear_vector
	.irp name, ax, bx, cx, dx, si, di, bp
	xor %e\name, %e\name
	.endr
	.irp number, 8, 9, 10, 11, 12, 13, 14, 15
	xor %r\number, %r\number
	.endr
	iretq
	.size multiboot_enter, . - multiboot_enter

	.section .note.GNU-stack, "", @progbits
