/* SPDX-License-Identifier: MIT */
/* Port input and output. The I/O bitmap of the TSS permits it to ring 3. */
#ifndef KERNEL_ARCH_PORT_H
#define KERNEL_ARCH_PORT_H

#include <stdint.h>

static inline void port_out32(uint16_t port, uint32_t value)
{
	__asm__ volatile("outl %0, %1" : : "a"(value), "d"(port) : "memory");
}

static inline void port_out8(uint16_t port, uint8_t value)
{
	__asm__ volatile("outb %0, %1" : : "a"(value), "Nd"(port) : "memory");
}

static inline uint8_t port_in8(uint16_t port)
{
	uint8_t value;
	__asm__ volatile("inb %1, %0" : "=a"(value) : "Nd"(port) : "memory");
	return value;
}

#endif
