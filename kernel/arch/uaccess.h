/* SPDX-License-Identifier: MIT */
/* Access to memory by a program's pointers: a bad pointer is -EFAULT, not a fault of the kernel. */
#ifndef KERNEL_ARCH_UACCESS_H
#define KERNEL_ARCH_UACCESS_H

#include <stddef.h>
#include <stdint.h>

/** Copies to or from the program's memory. Returns 0, or -EFAULT after copying some of the bytes or none. */
int copy_to_user(void *to, const void *from, size_t bytes);
int copy_from_user(void *to, const void *from, size_t bytes);

/** Fast copies of one word. Return 0 or -EFAULT. */
int uaccess_load(uint32_t *to, const uint32_t *from);
int uaccess_store(uint32_t *to, uint32_t value);

/** Clears program memory. Returns 0 or -EFAULT. */
int clear_user(void *to, size_t bytes);

/**
 * Copies a string with its NUL into `to`. Returns its length without the NUL, -EFAULT, or -ENAMETOOLONG when
 * it does not fit into size bytes.
 */
long strncpy_from_user(char *to, const char *from, size_t size);

#endif
