/* SPDX-License-Identifier: MIT */
/* Where the kernel begins, and where it hands over to the application that it is linked with. */
#ifndef KERNEL_MAIN_H
#define KERNEL_MAIN_H

#include <stdint.h>

/** What the application is started with. All of it stays valid until the run ends. */
struct application_args {
	int argc;
	char **argv; /**< argc pointers and a null pointer */
	char **envp; /**< pointers to K=V, and a null pointer */
};

struct boot_info;

/** Has memory for the stack on which the application starts; its end. */
uint64_t application_stack(const struct boot_info *boot);

/** First C code of a run, on the boot stack, in ring 3. */
_Noreturn void kmain(void);

/**
 * The application's entry: crt0 of the libc port, or the Linux personality. Runs on the main stack with the
 * FS base 0; must not return.
 */
_Noreturn void application_start(const struct application_args *args);

/** Sets the FS base of the running thread, an address that the application may have. */
__attribute__((visibility("default"))) void application_set_fs_base(uint64_t base);

#endif
