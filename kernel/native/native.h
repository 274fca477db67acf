/* SPDX-License-Identifier: MIT */
/* Functions of native images that kernel/native/native_personality.c gives to the common kernel. */
#ifndef KERNEL_NATIVE_NATIVE_H
#define KERNEL_NATIVE_NATIVE_H

#include <stdbool.h>
#include <stdint.h>

struct boot_info;
struct trap_site;

/** personality.image_is_program and image_protect (image_rights.c). */
bool image_rights_is_program(uint64_t address, uint64_t bytes);
int image_rights_protect(uint64_t address, uint64_t bytes, int prot);

/** Sets the table of patched instructions (trap_sites.c); the one that starts at an address, or NULL
 * (personality.emulate_site). */
void trap_sites_init(const struct boot_info *boot);
const struct trap_site *trap_sites_find(uint64_t address);

/** Maps the main stack, and with its last 2 MiB page the beginning of the heap. Returns its end (main_stack.c). */
uint64_t main_stack_map(const struct boot_info *boot);

/** personality.signal_deliver: calls the handlers as functions (native_deliver.c). */
void native_deliver(void);

/** personality.signal_caller_stack: the kernel's own stack pointer. */
uint64_t native_deliver_caller_stack(void);

/** personality.syscall_entry (syscall.S). */
void native_syscall_entry(void);

#endif
