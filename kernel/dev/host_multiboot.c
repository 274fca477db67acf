/* SPDX-License-Identifier: MIT */
/* A PC as host: console on the first serial port, exit through QEMU's devices, no input. The contents of /out are lost
 * here. */
#include "abi/errno.h"
#include "abi/stats.h"
#include "kernel/arch/uaccess.h"
#include "kernel/dev/host.h"
#include "kernel/dev/pc.h"
#include "kernel/lib/format.h"
#include "kernel/arch/direct_map.h"

static int multiboot_console_write(int stream, const void *from, size_t bytes)
{
	uint8_t part[128];
	const uint8_t *at = from;
	(void)stream;
	while (bytes) {
		size_t take = bytes < sizeof(part) ? bytes : sizeof(part);
		if (copy_from_user(part, at, take))
			return -EFAULT;
		pc_serial_write(part, take);
		at += take;
		bytes -= take;
	}
	return 0;
}

static int64_t multiboot_console_fill(void *to, size_t bytes)
{
	(void)to, (void)bytes;
	return 0;
}

/* Prints the numbers by which this run is compared with one under the monitor. */
static void print_summary(void)
{
	const struct run_stats *stats = phys_to_virt(LAYOUT_STATS);
	char line[120];
	format(line, sizeof(line), "events %lu chain %016lx%016lx virtual %lu\n", stats->events, stats->chain[0],
	       stats->chain[1], stats->virtual_ns);
	pc_serial_print(line);
}

static int exit_status(enum end_reason reason, int status)
{
	switch (reason) {
	case END_EXIT:
		return status;
	case END_SIGNAL:
		return PC_EXIT_SIGNAL_BASE + status;
	case END_DEADLOCK:
		return PC_EXIT_DEADLOCK;
	default:
		return PC_EXIT_EREMITE;
	}
}

static void multiboot_end(enum end_reason reason, int status, const struct fault_report *report)
{
	const struct boot_info *boot = phys_to_virt(LAYOUT_BOOT_INFO);
	char line[240];
	if (report) {
		format(line, sizeof(line), "eremite: %s (rip 0x%lx)\n", report->message, report->registers[16]);
		pc_serial_print(line);
	}
	if (boot->flags & BOOT_FLAG_SUMMARY)
		print_summary();
	pc_exit(exit_status(reason, status));
}

const struct host_ops host_multiboot = {
	.console_write = multiboot_console_write,
	.console_fill = multiboot_console_fill,
	.end = multiboot_end,
};
