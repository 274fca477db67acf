/* SPDX-License-Identifier: MIT */
/* Chooses the host that serves the kernel's requests. */
#include "kernel/dev/host.h"

/* Until the boot information is read, so that an error before it can still be reported. */
const struct host_ops *host = &host_monitor;

void host_init(const struct boot_info *boot)
{
	host = boot->door == BOOT_DOOR_MULTIBOOT ? &host_multiboot : &host_monitor;
}
