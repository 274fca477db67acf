/* SPDX-License-Identifier: MIT */
/* Fault reports without a symbolizer, which is not beside this program, and of values that make no sense. */
#include "tests/unit/fakes/tap.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/tables.h"
#include "report/report.h"

#define STACK 0x200000000000UL

static struct guest_memory memory;
static const struct image image = {.file = -1};

static int set_up(void **state)
{
	uint64_t next = LAYOUT_PAGE_TABLES + PAGE_SIZE;
	(void)state;
	if (guest_memory_init(&memory, LAYOUT_RAM_MIN))
		return -1;
	void *window = guest_memory_at(&memory, gpa(TABLES_WINDOW), TABLES_WINDOW_BYTES);
	*tables_walk(window, &next, STACK, 12) = 0x600000 | PTE_LEAF;
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	guest_memory_fini(&memory);
	return 0;
}

static void expect(char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("\"%s\" is not in:\n%s", part, text);
}

static void test_text(void **state)
{
	struct fault_report report = {.signal = SIGSEGV, .vector = 14, .error_code = 6, .address = 0x10, .thread = 3};
	char *text;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);
	const uint64_t frames[] = {STACK + 0x200, 0x202222, 0, 0};
	(void)state;
	for (unsigned i = 0; i < 17; i++)
		report.registers[i] = i + 0xa0;
	report.registers[6] = STACK + 0x100;
	report.registers[16] = 0x201111;
	guest_memory_write(&memory, gpa(0x600100), frames, sizeof(frames));
	strcpy(report.message, "the program wrote to 0x10\x1b[2J");
	report_fault(to, &image, &report, &memory);
	fclose(to);
	expect(text, "thread 3: the program wrote to 0x10?[2J\n");
	expect(text, "SIGSEGV");
	expect(text, "page fault (14) at 0x0000000000000010: write, nothing mapped");
	expect(text, "rbx 00000000000000a3");
	expect(text, "#0  0x0000000000201111\n");
	expect(text, "#1  0x0000000000202222\n");
	free(text);
}

static void test_noise(void **state)
{
	(void)state;
	srand(1);
	for (unsigned round = 0; round < 300; round++) {
		struct fault_report report;
		char *text;
		size_t bytes;
		FILE *to = open_memstream(&text, &bytes);
		for (size_t i = 0; i < sizeof(report); i++)
			((uint8_t *)&report)[i] = (uint8_t)rand();
		if (round % 2)
			report.registers[6] = STACK + (uint64_t)rand() % PAGE_SIZE;
		for (unsigned i = 0; i < PAGE_SIZE; i += 8) {
			uint64_t word = STACK + (uint64_t)rand() % PAGE_SIZE;
			guest_memory_write(&memory, gpa(0x600000 + i), &word, sizeof(word));
		}
		report_fault(to, &image, &report, &memory);
		fclose(to);
		for (size_t i = 0; i < bytes; i++)
			assert_true(text[i] == '\n' || (text[i] >= ' ' && text[i] <= '~'));
		expect(text, "#0");
		free(text);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static const struct CMUnitTest tests[] = {TEST(test_text), TEST(test_noise)};

TAP_MAIN(tests)
