/* SPDX-License-Identifier: MIT */
/* Where the kernel starts, and where it hands over to the application that it is linked with. */
#ifndef KERNEL_MAIN_H
#define KERNEL_MAIN_H

#include <stdint.h>

/** The application's arguments. All of it stays valid until the run ends. */
struct application_args {
	int argc;
	char **argv; /**< argc pointers and a null pointer */
	char **envp; /**< pointers to K=V, and a null pointer */
};

/** First C code of a run, on the boot stack, in ring 3. */
_Noreturn void kmain(void);

/** The entry of a native image's application, which it defines itself: crt0 of the libc port. Runs on the main stack
 * with FS base 0; must not return. */
_Noreturn void application_start(const struct application_args *args);

/** Sets the FS base of the running thread. The address must be one that the application may use. */
__attribute__((visibility("default"))) void application_set_fs_base(uint64_t base);

/** The application is at eremite_marker(marker), whose argument may be a bad pointer, or right before main if it is
 * NULL: a point at which a policy may start (--from). */
__attribute__((visibility("default"))) void application_reached(const char *marker);

#endif
