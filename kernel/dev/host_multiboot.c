/* SPDX-License-Identifier: MIT */
/* A PC as host: console on the first serial port, exit through isa-debug-exit, no input.
 *
 * What the program leaves in /out has nowhere to go here. */
#include "kernel/arch/port.h"
#include "kernel/arch/uaccess.h"
#include "kernel/dev/host.h"
#include "kernel/lib/format.h"
#include "kernel/lib/string.h"

#include "abi/errno.h"

#define SERIAL_PORT 0x3f8
#define SERIAL_STATUS (SERIAL_PORT + 5)
#define SERIAL_CAN_SEND 0x20
#define DEBUG_EXIT_PORT 0xf4

static void serial_put(uint8_t byte)
{
	while (!(port_in8(SERIAL_STATUS) & SERIAL_CAN_SEND))
		;
	port_out8(SERIAL_PORT, byte);
}

static int multiboot_console_write(int stream, const void *from, size_t bytes)
{
	uint8_t part[128];
	const uint8_t *at = from;
	(void)stream;
	while (bytes) {
		size_t take = bytes < sizeof(part) ? bytes : sizeof(part);
		if (copy_from_user(part, at, take))
			return -EFAULT;
		for (size_t i = 0; i < take; i++)
			serial_put(part[i]);
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

static int multiboot_out_entry(const struct out_entry *entry)
{
	(void)entry;
	return 0;
}

static int multiboot_out_data(const void *from, size_t bytes)
{
	(void)from, (void)bytes;
	return 0;
}

static void print(const char *text)
{
	multiboot_console_write(2, text, strlen(text));
}

/* isa-debug-exit makes QEMU end with 2 * value + 1: the status in the low bits, so that 0 is told apart from a
 * QEMU that failed. */
static _Noreturn void multiboot_end(enum end_reason reason, int status, const struct fault_report *report)
{
	char line[240];
	if (report) {
		format(line, sizeof(line), "eremite: %s (rip 0x%lx)\n", report->message, report->registers[16]);
		print(line);
	}
	if (reason != END_EXIT)
		status = reason == END_SIGNAL ? 128 + status : reason == END_DEADLOCK ? 120 : 125;
	for (;;)
		port_out8(DEBUG_EXIT_PORT, (uint8_t)status);
}

const struct host_ops host_multiboot = {
	.console_write = multiboot_console_write,
	.console_fill = multiboot_console_fill,
	.out_entry = multiboot_out_entry,
	.out_data = multiboot_out_data,
	.end = multiboot_end,
};
