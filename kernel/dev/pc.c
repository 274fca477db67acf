/* SPDX-License-Identifier: MIT */
/* A PC's serial port (16550), interrupt controllers (8259) and the exits that QEMU adds. */
#include "kernel/dev/pc.h"

#include "kernel/arch/port.h"
#include "kernel/lib/format.h"
#include "kernel/lib/string.h"

#define SERIAL_PORT 0x3f8
#define SERIAL_INTERRUPT_ENABLE (SERIAL_PORT + 1)
#define SERIAL_FIFO_CONTROL (SERIAL_PORT + 2)
#define SERIAL_LINE_CONTROL (SERIAL_PORT + 3)
#define SERIAL_MODEM_CONTROL (SERIAL_PORT + 4)
#define SERIAL_LINE_STATUS (SERIAL_PORT + 5)
#define LINE_CONTROL_8N1 0x03
#define LINE_CONTROL_DIVISOR 0x80
#define LINE_STATUS_CAN_SEND 0x20
#define LINE_STATUS_ALL_SENT 0x40
#define MASTER_MASK 0x21
#define SLAVE_MASK 0xa1
#define DEBUG_EXIT 0xf4    /* isa-debug-exit,iobase=0xf4,iosize=0x04 */
#define DEBUG_CONSOLE 0xe9 /* -debugcon */

void pc_serial_init(void)
{
	port_out8(SERIAL_INTERRUPT_ENABLE, 0);
	port_out8(SERIAL_LINE_CONTROL, LINE_CONTROL_DIVISOR);
	port_out8(SERIAL_PORT, 1); /* 115200 / 1 */
	port_out8(SERIAL_PORT + 1, 0);
	port_out8(SERIAL_LINE_CONTROL, LINE_CONTROL_8N1);
	port_out8(SERIAL_FIFO_CONTROL, 0x07);  /* on, both cleared */
	port_out8(SERIAL_MODEM_CONTROL, 0x03); /* DTR, RTS */
}

static void serial_wait(uint8_t status)
{
	while (!(port_in8(SERIAL_LINE_STATUS) & status))
		;
}

void pc_serial_write(const void *from, size_t bytes)
{
	const uint8_t *f = from;
	for (size_t i = 0; i < bytes; i++) {
		serial_wait(LINE_STATUS_CAN_SEND);
		port_out8(SERIAL_PORT, f[i]);
	}
}

void pc_serial_print(const char *text)
{
	pc_serial_write(text, strlen(text));
}

void pc_mask_interrupts(void)
{
	port_out8(MASTER_MASK, 0xff);
	port_out8(SLAVE_MASK, 0xff);
}

_Noreturn void pc_exit(int status)
{
	char line[64];
	size_t length = format(line, sizeof(line), "%d\n", status & 0xff);
	serial_wait(LINE_STATUS_ALL_SENT);
	for (size_t i = 0; i < length; i++)
		port_out8(DEBUG_CONSOLE, (uint8_t)line[i]);
	port_out8(DEBUG_EXIT, (uint8_t)status);
	format(line, sizeof(line), "eremite: the run has ended with status %d\n", status & 0xff);
	pc_serial_print(line);
	for (;;)
		__builtin_ia32_pause();
}
