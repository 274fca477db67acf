/* SPDX-License-Identifier: MIT */
/* The program's own constants and variables in the image, beside code and the kernel's data. The linker script
 * (libc-port/image.ld) keeps them in pages of their own, which are always mapped at their own address. */
#ifndef KERNEL_MM_IMAGE_H
#define KERNEL_MM_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

/** Whether [address, address + bytes) consists only of constants, or only of variables, of the program and its C
 * library. */
bool image_is_program(uint64_t address, uint64_t bytes);

/** Changes the rights of such pages as mprotect(2) does. Returns 0, or -EACCES for PROT_EXEC, because these bytes were
 * never scanned. */
int image_protect(uint64_t address, uint64_t bytes, int prot);

#endif
