/* SPDX-License-Identifier: MIT */
/* Functions of native images that kernel/native/native_personality.c gives to the common kernel. */
#ifndef KERNEL_NATIVE_NATIVE_H
#define KERNEL_NATIVE_NATIVE_H

#include <stdbool.h>
#include <stdint.h>

/** personality.image_is_program and image_protect (image_rights.c). */
bool image_rights_is_program(uint64_t address, uint64_t bytes);
int image_rights_protect(uint64_t address, uint64_t bytes, int prot);

#endif
