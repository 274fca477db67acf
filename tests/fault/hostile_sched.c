/* SPDX-License-Identifier: MIT */
/* A guest that attacks its monitor by what it says of its threads and schedule: hostile_sched WAY [SEED]. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi/doorbell.h"
#include "abi/layout.h"
#include "abi/sched_area.h"
#include "abi/sched_shared.h"

static uint64_t state;
static struct thread_report report;

static uint64_t any(void)
{
	state = state * 6364136223846793005UL + 1442695040888963407UL;
	uint64_t x = state;
	x = (x ^ x >> 33) * 0xff51afd7ed558ccdUL;
	return x ^ x >> 33;
}

static void *at(uint64_t physical)
{
	return (void *)(LAYOUT_DIRECT_MAP + physical);
}

static int64_t ask(uint32_t op, uint64_t a, uint64_t b)
{
	volatile struct doorbell *page = at(LAYOUT_DOORBELL);
	page->args[0] = a;
	page->args[1] = b;
	__asm__ volatile("outl %0, %w1" : : "a"(op), "Nd"((uint16_t)DOORBELL_PORT) : "memory");
	return page->result;
}

static void fill_any(void *to, size_t bytes)
{
	for (size_t i = 0; i + 8 <= bytes; i += 8)
		*(uint64_t *)((uint8_t *)to + i) = any();
}

static void schedule_unasked(void)
{
	ask(DOORBELL_SCHEDULE, any(), any());
}

static void schedule_misfit(void)
{
	ask(DOORBELL_EXIT, END_SCHEDULE, any());
}

/* With --schedule-out: more records than have room, and ones that are none. */
static void records_count(void)
{
	((struct sched_shared *)at(LAYOUT_SCHED))->records_at = any() | 1UL << 20;
	ask(DOORBELL_SCHEDULE, 0, 0);
}

static void records_any(void)
{
	struct sched_area *area = at(LAYOUT_SCHEDULE);
	fill_any(area->records, 1000 * sizeof(area->records[0]));
	((struct sched_shared *)at(LAYOUT_SCHED))->records_at = 1000;
	ask(DOORBELL_SCHEDULE, 0, 0);
}

/* All that is read at the end; the kernel's own words in it stay, so that it comes to its end. */
static void accounts_any(void)
{
	struct sched_area *area = at(LAYOUT_SCHEDULE);
	struct sched_shared *shared = at(LAYOUT_SCHED);
	fill_any(area->accounts, sizeof(area->accounts));
	shared->youngest = any();
	shared->current = any();
	ask(DOORBELL_EXIT, END_EXIT, 0);
}

static void report_outside(void)
{
	ask(DOORBELL_THREAD, any() | 1UL << 40, 0);
}

/* Its numbers go down. */
static void report_twice(void)
{
	report.thread = 7;
	ask(DOORBELL_THREAD, (uint64_t)&report, 0);
	ask(DOORBELL_THREAD, (uint64_t)&report, 0);
}

static void report_any(void)
{
	unsigned count = 1 + (unsigned)(any() % 200);
	for (unsigned i = 0; i < count; i++) {
		fill_any(&report, sizeof(report));
		report.thread = 1000 * i;
		if (any() % 2)
			report.holder = 1000 * (uint32_t)(any() % count);
		if (any() % 2)
			report.registers[7] = (uint64_t)&report - any() % 256;
		ask(DOORBELL_THREAD, (uint64_t)&report, 0);
	}
	ask(DOORBELL_EXIT, END_DEADLOCK, 0);
}

/* More than there can be. */
static void report_many(void)
{
	for (report.thread = 1; report.thread <= THREADS_MAX + 1; report.thread++)
		ask(DOORBELL_THREAD, (uint64_t)&report, 0);
	ask(DOORBELL_EXIT, END_DEADLOCK, 0);
}

/* A guest that spins with counters which make no sense. */
static void spin(void)
{
	fill_any(at(LAYOUT_SCHED), 1024);
	((struct sched_shared *)at(LAYOUT_SCHED))->records_at = 0;
	for (;;)
		__asm__ volatile("");
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*attack)(void);
	} ways[] = {
		{"schedule-unasked", schedule_unasked}, {"schedule-misfit", schedule_misfit},
		{"records-count", records_count},       {"records-any", records_any},
		{"accounts-any", accounts_any},         {"report-outside", report_outside},
		{"report-twice", report_twice},         {"report-any", report_any},
		{"report-many", report_many},           {"spin", spin},
	};
	state = argc > 2 ? strtoul(argv[2], NULL, 0) : 1;
	for (unsigned i = 0; argc > 1 && i < sizeof(ways) / sizeof(ways[0]); i++) {
		if (!strcmp(argv[1], ways[i].name)) {
			ways[i].attack();
			_exit(0);
		}
	}
	return 2;
}
