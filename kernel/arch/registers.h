/* SPDX-License-Identifier: MIT */
/* The registers of a running function, for reports. */
#ifndef KERNEL_ARCH_REGISTERS_H
#define KERNEL_ARCH_REGISTERS_H

#include <stdint.h>

/** Stores the caller's rax rdx rcx rbx rsi rdi rbp rsp r8..r15 rip (DWARF order). */
void registers_capture(uint64_t registers[17]);

#endif
