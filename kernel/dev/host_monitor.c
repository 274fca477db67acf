/* SPDX-License-Identifier: MIT */
/* The monitor as host: console output through the ring, the rest by doorbell.
 *
 * The guest writes head and the monitor tail; a record is complete before head moves past it. */
#include "abi/errno.h"
#include "abi/layout.h"
#include "abi/ring.h"
#include "kernel/arch/uaccess.h"
#include "kernel/dev/doorbell.h"
#include "kernel/dev/host.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/string.h"
#include "kernel/arch/direct_map.h"

#define RECORD_MAX 0x8000U

static struct console_ring *ring(void)
{
	return phys_to_virt(LAYOUT_CONSOLE_RING);
}

static uint8_t *ring_data(uint64_t count)
{
	return (uint8_t *)phys_to_virt(LAYOUT_CONSOLE_RING + PAGE_SIZE) + count % CONSOLE_RING_BYTES;
}

/* Waits until `bytes` fit. */
static void make_room(uint64_t head, uint64_t bytes)
{
	while (head + bytes - __atomic_load_n(&ring()->tail, __ATOMIC_ACQUIRE) > CONSOLE_RING_BYTES)
		doorbell_ring(DOORBELL_CONSOLE_FULL, 0, 0);
}

static int put_record(int stream, const uint8_t *from, uint32_t bytes)
{
	uint64_t head = ring()->head;
	make_room(head, 4 + ((bytes + 3UL) & ~3UL));
	uint64_t at = head + 4;
	uint32_t first = CONSOLE_RING_BYTES - (uint32_t)(at % CONSOLE_RING_BYTES);
	if (first > bytes)
		first = bytes;
	if (copy_from_user(ring_data(at), from, first) || copy_from_user(ring_data(0), from + first, bytes - first))
		return -EFAULT;
	*(uint32_t *)ring_data(head) = CONSOLE_RECORD(stream, bytes);
	__atomic_store_n(&ring()->head, at + ((bytes + 3UL) & ~3UL), __ATOMIC_RELEASE);
	return 0;
}

static int monitor_console_write(int stream, const void *from, size_t bytes)
{
	const uint8_t *at = from;
	while (bytes) {
		uint32_t part = bytes < RECORD_MAX ? (uint32_t)bytes : RECORD_MAX;
		int result = put_record(stream, at, part);
		if (result)
			return result;
		at += part;
		bytes -= part;
	}
	return 0;
}

static int64_t monitor_console_fill(void *to, size_t bytes)
{
	return doorbell_ring(DOORBELL_STDIN_READ, virt_to_phys(to), bytes);
}

static int64_t monitor_typed(void *to, uint64_t wait_ns)
{
	return doorbell_ring(DOORBELL_TYPED, virt_to_phys(to), wait_ns);
}

static int monitor_out_entry(const struct out_entry *entry)
{
	return (int)doorbell_ring(DOORBELL_OUT_ENTRY, doorbell_address(entry), 0);
}

static int monitor_out_data(const struct out_piece *pieces, size_t count)
{
	return (int)doorbell_ring(DOORBELL_OUT_DATA, doorbell_address(pieces), count);
}

static void monitor_schedule(void)
{
	doorbell_ring(DOORBELL_SCHEDULE, 0, 0);
}

static void monitor_thread(const struct thread_report *report)
{
	doorbell_ring(DOORBELL_THREAD, doorbell_address(report), 0);
}

static int monitor_change(const struct change *change)
{
	return (int)doorbell_ring(DOORBELL_CHANGE, doorbell_address(change), 0);
}

static int monitor_change_data(const struct out_piece *pieces, size_t count)
{
	return (int)doorbell_ring(DOORBELL_CHANGE_DATA, doorbell_address(pieces), count);
}

static int monitor_core(const struct out_piece *pieces, size_t count, uint64_t total, uint64_t missing)
{
	struct doorbell *doorbell = phys_to_virt(LAYOUT_DOORBELL);
	doorbell->args[2] = total;
	doorbell->args[3] = missing;
	return (int)doorbell_ring(DOORBELL_CORE, doorbell_address(pieces), count);
}

static void monitor_end(enum end_reason reason, int status, const struct fault_report *report)
{
	if (report) {
		struct fault_report *page = phys_to_virt(LAYOUT_FAULT_REPORT);
		*page = *report;
		doorbell_ring(DOORBELL_FAULT, LAYOUT_FAULT_REPORT, 0);
	}
	doorbell_ring(DOORBELL_EXIT, reason, (uint64_t)status);
}

const struct host_ops host_monitor = {
	.console_write = monitor_console_write,
	.console_fill = monitor_console_fill,
	.typed = monitor_typed,
	.out_entry = monitor_out_entry,
	.out_data = monitor_out_data,
	.schedule = monitor_schedule,
	.thread = monitor_thread,
	.end = monitor_end,
	.change = monitor_change,
	.change_data = monitor_change_data,
	.core = monitor_core,
};
