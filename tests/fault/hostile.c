/* SPDX-License-Identifier: MIT */
/* A guest that attacks its monitor: hostile WAY [SEED]. It goes past the kernel, straight to the console ring, the
 * doorbell, ports and addresses that are not there. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi/boot.h"
#include "abi/doorbell.h"
#include "abi/events.h"
#include "abi/layout.h"
#include "abi/ring.h"
#include "abi/stats.h"
#include "abi/tables.h"

static uint64_t state;
static volatile int zero;

static uint64_t any(void)
{
	state = state * 6364136223846793005UL + 1442695040888963407UL;
	uint64_t x = state;
	x = (x ^ x >> 33) * 0xff51afd7ed558ccdUL;
	return x ^ x >> 33;
}

/* An address or size that is likely to be at an edge. */
static uint64_t wild(void)
{
	static const uint64_t edges[] = {0,
	                                 1,
	                                 LAYOUT_RAM_MIN,
	                                 512UL << 20,
	                                 LAYOUT_ROOT,
	                                 LAYOUT_RAM_MAX,
	                                 LAYOUT_DIRECT_MAP,
	                                 UINT64_MAX,
	                                 INT64_MAX,
	                                 1UL << 63,
	                                 LAYOUT_CONSOLE_RING,
	                                 LAYOUT_DOORBELL};
	switch (any() % 4) {
	case 0:
		return any();
	case 1:
		return any() >> any() % 64;
	default:
		return edges[any() % (sizeof(edges) / sizeof(edges[0]))] + any() % 64 - 32;
	}
}

static void *at(uint64_t physical)
{
	return (void *)(LAYOUT_DIRECT_MAP + physical);
}

static void ring_doorbell(uint32_t op)
{
	__asm__ volatile("outl %0, %w1" : : "a"(op), "Nd"((uint16_t)DOORBELL_PORT) : "memory");
}

static int64_t ask(uint32_t op, uint64_t a, uint64_t b)
{
	volatile struct doorbell *page = at(LAYOUT_DOORBELL);
	page->args[0] = a;
	page->args[1] = b;
	ring_doorbell(op);
	return page->result;
}

static void fill_any(void *to, size_t bytes)
{
	for (size_t i = 0; i + 8 <= bytes; i += 8)
		*(uint64_t *)((uint8_t *)to + i) = any();
}

static struct console_ring *ring(void)
{
	return at(LAYOUT_CONSOLE_RING);
}

static void ring_counters(void)
{
	ring()->head = wild();
	ring()->tail = wild();
	ask(DOORBELL_CONSOLE_FULL, 0, 0);
	_exit(90);
}

static void ring_records(void)
{
	fill_any(at(LAYOUT_CONSOLE_RING + PAGE_SIZE), CONSOLE_RING_BYTES);
	ring()->head += any() % CONSOLE_RING_BYTES;
	ask(DOORBELL_CONSOLE_FULL, 0, 0);
	_exit(90);
}

/* Records that are nearly right, while the monitor's thread reads them. */
static void ring_race(void)
{
	volatile uint32_t *data = at(LAYOUT_CONSOLE_RING + PAGE_SIZE);
	for (unsigned i = 0; i < CONSOLE_RING_BYTES / 4; i++)
		data[i] = CONSOLE_RECORD(1, 60);
	for (unsigned i = 0; i < 3000000; i++) {
		data[any() % (CONSOLE_RING_BYTES / 4)] =
			any() % 50 ? CONSOLE_RECORD(1 + any() % 2, any() % 0x8000) : (uint32_t)any();
		if (i % 16 == 0)
			*(volatile uint64_t *)&ring()->head = *(volatile uint64_t *)&ring()->tail + any() % 4096 * 4;
	}
	_exit(0);
}

static void doorbell_wild(void)
{
	for (int i = 0; i < 400; i++) {
		uint32_t op = 1 + (uint32_t)(any() % (DOORBELL_OPS - 1));
		fill_any(at(LAYOUT_DOORBELL), sizeof(struct doorbell));
		if (op != DOORBELL_EXIT)
			ask(op, wild(), wild());
	}
	ask(DOORBELL_EXIT, wild(), wild());
	_exit(91);
}

static void doorbell_stdin(void)
{
	int refused = 0;
	for (int i = 0; i < 200; i++)
		refused += ask(DOORBELL_STDIN_READ, wild(), UINT64_MAX - any() % 4096) < 0;
	printf("%d refused\n", refused);
	exit(refused == 200 ? 0 : 92);
}

static void doorbell_op(void)
{
	ask(1000 + (uint32_t)(any() % 1000000), wild(), wild());
	_exit(91);
}

static void end_reason(void)
{
	ask(DOORBELL_EXIT, 1000 + any(), any());
	_exit(91);
}

static void end_signal(void)
{
	ask(DOORBELL_EXIT, END_SIGNAL, any());
	_exit(91);
}

static void end_stopped(void)
{
	ask(DOORBELL_EXIT, END_STOPPED, 0);
	_exit(91);
}

/* What the kernel keeps of the log of --verify. */
static void event_state(void)
{
	fill_any(at(LAYOUT_EVENTS), sizeof(struct event_state));
	ask(DOORBELL_EXIT, END_EXIT, 0);
	_exit(91);
}

static void fault_report(void)
{
	struct fault_report *report = at(LAYOUT_FAULT_REPORT);
	fill_any(report, sizeof(*report));
	memset(report->message, 27, sizeof(report->message));
	ask(DOORBELL_FAULT, LAYOUT_FAULT_REPORT, 0);
	ask(DOORBELL_EXIT, END_SIGNAL, 11);
	_exit(91);
}

/* A report before an end that has none, and an end without its report. */
static void fault_then_exit(void)
{
	ask(DOORBELL_FAULT, LAYOUT_FAULT_REPORT, 0);
	ask(DOORBELL_EXIT, END_EXIT, 0);
	_exit(91);
}

static void signal_without_report(void)
{
	ask(DOORBELL_EXIT, END_SIGNAL, 11);
	_exit(91);
}

static void fault_report_outside(void)
{
	ask(DOORBELL_FAULT, 1UL << 50, 0);
	_exit(91);
}

/* Requests for memory that it has are answered, whatever else they say. */
static void memory_beyond(void)
{
	for (int i = 0; i < 100; i++)
		if (ask(DOORBELL_MEMORY, any() % (64UL << 20), any()) <= 0)
			_exit(92);
	ask(DOORBELL_MEMORY, wild() | 1UL << 40, any());
	_exit(91);
}

/* What was not asked for is not there. */
static void memory_unasked(void)
{
	*(volatile uint64_t *)at(400UL << 20) = any();
	_exit(91);
}

static void port(void)
{
	memset(at(LAYOUT_TSS + TABLES_TSS_BITMAP), 0, TABLES_TSS_BITMAP_BYTES); /* so that the monitor meets it */
	__asm__ volatile("outb %b0, %w1" : : "a"(0x5a), "Nd"((uint16_t)(0x60 + any() % 0x400)) : "memory");
	_exit(93);
}

static void port_read(void)
{
	uint32_t value;
	__asm__ volatile("inl %w1, %0" : "=a"(value) : "Nd"((uint16_t)DOORBELL_PORT));
	_exit(93);
}

static void port_width(void)
{
	__asm__ volatile("outw %w0, %w1" : : "a"(1), "Nd"((uint16_t)DOORBELL_PORT) : "memory");
	_exit(93);
}

static void port_string(void)
{
	static uint32_t words[1024];
	const uint32_t *from = words;
	uint64_t count = 1024;
	__asm__ volatile("rep outsl" : "+S"(from), "+c"(count) : "d"(DOORBELL_PORT) : "memory");
	_exit(93);
}

/* Shows a physical block that is not there, by an entry of its own in the boot door's page tables. */
static void physical(void)
{
	uint64_t *root = at(LAYOUT_PAGE_TABLES);
	uint64_t *upper = at(root[LAYOUT_DIRECT_MAP >> 39 & 511] & 0xffffffffff000UL);
	uint64_t *table = at(upper[0] & 0xffffffffff000UL);
	table[500] = ((any() % 512 << 21) + 0x3f00000000UL) | 0xe7; /* present, writable, ring 3, large */
	volatile uint64_t *there = (volatile uint64_t *)(LAYOUT_DIRECT_MAP + 500 * BLOCK_SIZE);
	*there = any();
	_exit((int)(*there & 1) + 94);
}

static void descriptor_tables(void)
{
	memset(at(LAYOUT_IDT), 0xff, PAGE_SIZE);
	*(volatile char *)(uintptr_t)zero = 1;
	_exit(94);
}

/* The doorbell faults: the TSS allows no port. */
static void take_ports(void)
{
	memset((char *)at(LAYOUT_TSS) + 0x68, 0xff, 0x2000);
}

static void no_ports_crash(void)
{
	take_ports();
	*(volatile char *)(uintptr_t)zero = 1;
	_exit(94);
}

static void no_ports_exit(void)
{
	take_ports();
	_exit(0);
}

static void no_ports_out(void)
{
	FILE *file = fopen("/out/file", "w");
	fprintf(file, "text\n");
	fclose(file);
	no_ports_exit();
}

static void page_tables(void)
{
	fill_any(at(LAYOUT_PAGE_TABLES), LAYOUT_PAGE_TABLES_END - LAYOUT_PAGE_TABLES);
	*(volatile char *)(LAYOUT_MMAP + 0x1000000) = 1;
	_exit(94);
}

static void statistics(void)
{
	fill_any(at(LAYOUT_STATS), sizeof(struct run_stats));
	ask(DOORBELL_EXIT, END_EXIT, 0);
}

static void boot_info(void)
{
	fill_any(at(LAYOUT_BOOT_INFO), sizeof(struct boot_info));
	printf("still here\n");
	exit(0);
}

static void out_entry(const char *path, uint32_t kind, uint32_t mode, uint64_t bytes)
{
	static struct out_entry entry;
	memset(&entry, 0, sizeof(entry));
	entry.kind = kind;
	entry.mode = mode;
	entry.bytes = bytes;
	memcpy(entry.path, path, strnlen(path, sizeof(entry.path)));
	ask(DOORBELL_OUT_ENTRY, (uint64_t)(uintptr_t)&entry, 0);
}

/* Image addresses are physical addresses. */
static void out_piece(uint64_t address, uint64_t bytes)
{
	static struct out_piece piece;
	piece = (struct out_piece){address, bytes};
	ask(DOORBELL_OUT_DATA, (uint64_t)(uintptr_t)&piece, 1);
}

static void out_text(const char *text)
{
	static char data[256];
	memcpy(data, text, strlen(text));
	out_piece((uint64_t)(uintptr_t)data, strlen(text));
}

static void out_path(const char *path)
{
	out_entry(path, S_IFREG, 0644, 5);
	out_text("evil\n");
	ask(DOORBELL_EXIT, END_EXIT, 0);
}

static void out_parent(void)
{
	out_path("../escaped");
}

static void out_inner_parent(void)
{
	out_path("dir/../../escaped");
}

static void out_absolute(void)
{
	out_path("/tmp/escaped");
}

static void out_empty(void)
{
	out_path("");
}

static void out_unterminated(void)
{
	static char path[5000];
	memset(path, 'a', sizeof(path) - 1);
	out_path(path);
}

static void out_deep(void)
{
	static char path[5000];
	for (int i = 0; i < 1990; i++)
		memcpy(path + 2 * i, "a/", 2);
	path[3980] = 'b';
	out_path(path);
}

/* A symbolic link first, and then a file through it. */
static void out_through_link(void)
{
	out_entry("link", S_IFLNK, 0777, 3);
	out_text("../");
	out_path("link/escaped");
}

static void out_over_link(void)
{
	out_entry("link", S_IFLNK, 0777, 10);
	out_text("../escaped");
	out_path("link");
}

static void out_device(void)
{
	out_entry("device", S_IFCHR, 0644, 0);
	ask(DOORBELL_EXIT, END_EXIT, 0);
}

static void out_no_kind(void)
{
	out_entry("x", S_IFMT, 0644, 0);
	ask(DOORBELL_EXIT, END_EXIT, 0);
}

static void out_pipe_with_data(void)
{
	out_entry("x", S_IFIFO, 0644, 5);
	out_text("data\n");
	ask(DOORBELL_EXIT, END_EXIT, 0);
}

static void out_setuid(void)
{
	out_entry("setuid", S_IFREG, 07777, 5);
	out_text("evil\n");
	ask(DOORBELL_EXIT, END_EXIT, 0);
}

static void out_too_much(void)
{
	out_entry("file", S_IFREG, 0644, 3);
	out_text("more than three");
	ask(DOORBELL_EXIT, END_EXIT, 0);
}

static void out_too_little(void)
{
	out_entry("file", S_IFREG, 0644, 300);
	out_text("less");
	ask(DOORBELL_EXIT, END_EXIT, 0);
}

static void out_data_first(void)
{
	out_text("data of nothing");
	ask(DOORBELL_EXIT, END_EXIT, 0);
}

static void out_wild(void)
{
	out_entry("file", S_IFREG, 0644, UINT64_MAX);
	out_piece(wild(), UINT64_MAX - any() % 8192);
	ask(DOORBELL_EXIT, END_EXIT, 0);
}

static void out_outside(void)
{
	out_entry("file", S_IFREG, 0644, 0x100000);
	out_piece(1UL << 50, 0x100000);
	ask(DOORBELL_EXIT, END_EXIT, 0);
}

static void out_list_outside(void)
{
	out_entry("file", S_IFREG, 0644, 0x100000);
	ask(DOORBELL_OUT_DATA, wild() | 1UL << 50, 1 + any() % OUT_PIECES_MAX);
	ask(DOORBELL_EXIT, END_EXIT, 0);
}

static void out_many_pieces(void)
{
	out_entry("file", S_IFREG, 0644, 0x100000);
	ask(DOORBELL_OUT_DATA, LAYOUT_IMAGE, OUT_PIECES_MAX + 1 + (any() >> any() % 54));
	ask(DOORBELL_EXIT, END_EXIT, 0);
}

/* Lists of any content, for a file that is large enough for some of it. */
static void out_any_pieces(void)
{
	static struct out_piece list[OUT_PIECES_MAX];
	out_entry("file", S_IFREG, 0644, 0x8000000);
	for (unsigned i = 0; i < OUT_PIECES_MAX; i++)
		list[i] = (struct out_piece){any() % 3 ? any() % 0x800000 : OUT_HOLE, any() >> (44 + any() % 20)};
	list[any() % OUT_PIECES_MAX].bytes = 1UL << 62;
	ask(DOORBELL_OUT_DATA, (uint64_t)(uintptr_t)list, OUT_PIECES_MAX);
	ask(DOORBELL_EXIT, END_EXIT, 0);
}

/* A sum over so many zeros would take a century. */
static void out_vast_hole(void)
{
	out_entry("file", S_IFREG, 0644, 1UL << 62);
	out_piece(OUT_HOLE, 1UL << 62);
	ask(DOORBELL_EXIT, END_EXIT, 0);
}

static void out_hole_in_link(void)
{
	out_entry("link", S_IFLNK, 0777, 10);
	out_piece(OUT_HOLE, 10);
	ask(DOORBELL_EXIT, END_EXIT, 0);
}

/* Much, from little memory. */
static void out_large(void)
{
	for (int i = 0; i < 20; i++) {
		out_entry("file", S_IFREG, 0644, 0x1000000);
		out_piece(LAYOUT_IMAGE, 0x1000000);
	}
	ask(DOORBELL_EXIT, END_EXIT, 0);
}

static void out_terminal(void)
{
	out_path("\033[2J\033]0;evil\007/../x");
}

static const struct way {
	const char *name;
	void (*act)(void);
} ways[] = {
	{"ring-counters", ring_counters},
	{"ring-records", ring_records},
	{"ring-race", ring_race},
	{"doorbell-wild", doorbell_wild},
	{"doorbell-stdin", doorbell_stdin},
	{"doorbell-op", doorbell_op},
	{"end-reason", end_reason},
	{"end-signal", end_signal},
	{"end-stopped", end_stopped},
	{"event-state", event_state},
	{"fault-report", fault_report},
	{"fault-then-exit", fault_then_exit},
	{"signal-without-report", signal_without_report},
	{"fault-report-outside", fault_report_outside},
	{"memory-beyond", memory_beyond},
	{"memory-unasked", memory_unasked},
	{"port", port},
	{"port-read", port_read},
	{"port-width", port_width},
	{"port-string", port_string},
	{"physical", physical},
	{"descriptor-tables", descriptor_tables},
	{"no-ports-crash", no_ports_crash},
	{"no-ports-exit", no_ports_exit},
	{"no-ports-out", no_ports_out},
	{"page-tables", page_tables},
	{"statistics", statistics},
	{"boot-info", boot_info},
	{"out-parent", out_parent},
	{"out-inner-parent", out_inner_parent},
	{"out-absolute", out_absolute},
	{"out-empty", out_empty},
	{"out-unterminated", out_unterminated},
	{"out-deep", out_deep},
	{"out-through-link", out_through_link},
	{"out-over-link", out_over_link},
	{"out-device", out_device},
	{"out-no-kind", out_no_kind},
	{"out-pipe-with-data", out_pipe_with_data},
	{"out-setuid", out_setuid},
	{"out-too-much", out_too_much},
	{"out-too-little", out_too_little},
	{"out-data-first", out_data_first},
	{"out-wild", out_wild},
	{"out-outside", out_outside},
	{"out-list-outside", out_list_outside},
	{"out-many-pieces", out_many_pieces},
	{"out-any-pieces", out_any_pieces},
	{"out-vast-hole", out_vast_hole},
	{"out-hole-in-link", out_hole_in_link},
	{"out-large", out_large},
	{"out-terminal", out_terminal},
};

int main(int argc, char **argv)
{
	state = argc > 2 ? strtoul(argv[2], NULL, 0) : 1;
	for (unsigned i = 0; argc > 1 && i < sizeof(ways) / sizeof(ways[0]); i++)
		if (!strcmp(ways[i].name, argv[1]))
			ways[i].act();
	return 96;
}
