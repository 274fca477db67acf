/* SPDX-License-Identifier: MIT */
/* The program's own constants and variables, which lie in the image beside code and the kernel's. The linker script
 * (libc-port/image.ld) keeps them in pages of their own; they are always mapped, each onto its own address. */
#ifndef KERNEL_MM_IMAGE_H
#define KERNEL_MM_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

/** Whether all of [address, address + bytes) is constants of the program and its C library, or all of it variables. */
bool image_is_program(uint64_t address, uint64_t bytes);

/** Changes the rights of such pages, mprotect(2). 0, or -EACCES: never executable, for nobody has looked at it. */
int image_protect(uint64_t address, uint64_t bytes, int prot);

#endif
