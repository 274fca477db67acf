/* SPDX-License-Identifier: MIT */
/* The symbolizer as a process: on a program with debug information, on requests that make no sense, and on programs
 * with wrong bits. */
#include "tests/unit/fakes/tap.h"

#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "symbolize/request.h"
#include "tests/unit/fakes/folder.h"

#define STACK 0x200000000000UL

static const char source[] = "__attribute__((noinline)) int inner(int x)\n"
			     "{\n"
			     "	__asm__ volatile(\".globl at_fault\\nat_fault: nop\");\n"
			     "	return x + 1;\n"
			     "}\n"
			     "static inline __attribute__((always_inline)) int within(int x)\n"
			     "{\n"
			     "	__asm__ volatile(\".globl at_inlined\\nat_inlined: nop\");\n"
			     "	return x * inner(x);\n"
			     "}\n"
			     "int _start(int x);\n"
			     "int _start(int x)\n"
			     "{\n"
			     "	return within(x) + 3;\n"
			     "}\n";

static char base[64], symbolizer[PATH_MAX], output[8192];
static uint64_t at_fault, at_inlined, start;

static const char *in_base(const char *name)
{
	static char path[100];
	snprintf(path, sizeof(path), "%s/%s", base, name);
	return path;
}

static void save(const char *name, const void *data, size_t bytes)
{
	FILE *to = fopen(in_base(name), "w");
	assert_non_null(to);
	assert_int_equal(fwrite(data, 1, bytes, to), bytes);
	fclose(to);
}

static int set_up(void **state)
{
	char command[300], name[40];
	uint64_t address;
	(void)state;
	ssize_t length = readlink("/proc/self/exe", symbolizer, sizeof(symbolizer) - 40);
	if (length <= 0 || !folder_make(base))
		return -1;
	symbolizer[length] = 0;
	strcpy(strrchr(symbolizer, '/'), "/../../eremite-symbolize");
	save("program.c", source, strlen(source));
	snprintf(command, sizeof(command),
	         "cd %s && gcc -O2 -g -static -nostdlib -no-pie -fno-pic -ffile-prefix-map=$PWD=. -o program program.c "
	         "&& nm program >names && objcopy --remove-section .debug_aranges program program-of-clang",
	         base);
	if (system(command))
		return -1;
	FILE *names = fopen(in_base("names"), "r");
	while (fscanf(names, "%" SCNx64 " %*c %39s", &address, name) == 2) {
		at_fault = strcmp(name, "at_fault") ? at_fault : address;
		at_inlined = strcmp(name, "at_inlined") ? at_inlined : address;
		start = strcmp(name, "_start") ? start : address;
	}
	fclose(names);
	return at_fault && at_inlined && start ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	return !folder_remove(base);
}

/* Runs it on a saved request; output[] is what it printed. Returns the status of wait(2). */
static int run(const char *program)
{
	char command[PATH_MAX + 300];
	snprintf(command, sizeof(command), "exec %s 3<%s/%s <%s/request", symbolizer, base, program, base);
	FILE *from = popen(command, "r");
	assert_non_null(from);
	output[fread(output, 1, sizeof(output) - 1, from)] = 0;
	return pclose(from);
}

/* A request at an instruction, with these words on the stack. */
static void ask(uint64_t rip, const uint64_t *words, size_t count)
{
	struct {
		struct symbolize_request head;
		uint64_t words[64];
	} request = {.head = {.magic = SYMBOLIZE_MAGIC, .stack_address = STACK, .stack_bytes = 8 * count}};
	request.head.registers[SYMBOLIZE_RIP] = rip;
	request.head.registers[SYMBOLIZE_RSP] = STACK;
	if (count)
		memcpy(request.words, words, 8 * count);
	save("request", &request, sizeof(request.head) + 8 * count);
}

static void expect(const char *format, uint64_t address, const char *rest)
{
	char part[200];
	snprintf(part, sizeof(part), format, address, rest);
	if (!strstr(output, part))
		fail_msg("\"%s\" is not in:\n%s", part, output);
}

static void test_frames(void **state)
{
	const uint64_t stack[] = {start + 8, 0, 0, 0, 0, 0};
	(void)state;
	ask(at_fault, stack, 6);
	assert_int_equal(run("program"), 0);
	expect("  #0  0x%016" PRIx64 "%s", at_fault, " inner+0x0 (program.c:3)\n");
	expect("  #1  0x%016" PRIx64 "%s", start + 8, "");
	expect("_start+0x%" PRIx64 "%s", 8, " (program.c:14)\n");
	ask(at_inlined, stack, 6);
	assert_int_equal(run("program"), 0);
	expect("  #0  0x%016" PRIx64 "%s", at_inlined, " within (program.c:8) inlined\n");
	expect("  #0  0x%016" PRIx64 "%s", at_inlined, " _start+");
	ask(0x10, stack, 6); /* a jump to nowhere, from _start */
	assert_int_equal(run("program"), 0);
	expect("  #0  0x%016" PRIx64 "%s", 0x10, "\n");
	expect("  #1  0x%016" PRIx64 "%s", start + 8, " _start+0x8");
}

/* Other compilers than gcc write no table of addresses. */
static void test_no_table(void **state)
{
	(void)state;
	ask(at_fault, NULL, 0);
	assert_int_equal(run("program-of-clang"), 0);
	expect("  #0  0x%016" PRIx64 "%s", at_fault, " inner+0x0 (program.c:3)\n");
}

static void test_nothing_known(void **state)
{
	const uint64_t stack[] = {start + 8};
	(void)state;
	ask(at_fault, stack, 0);
	assert_int_equal(run("program"), 0);
	expect("  #0  0x%016" PRIx64 "%s", at_fault, " inner");
	ask(at_fault, stack, 1);
	assert_int_equal(run("request"), 0);
	expect("  #0  0x%016" PRIx64 "%s", at_fault, "\n");
	assert_int_equal(run("program.c"), 0);
	expect("  #0  0x%016" PRIx64 "%s", at_fault, "\n");
}

static void test_requests_refused(void **state)
{
	struct symbolize_request request = {.magic = SYMBOLIZE_MAGIC, .stack_bytes = SYMBOLIZE_STACK_MAX + 1};
	(void)state;
	save("request", "", 0);
	assert_int_not_equal(run("program"), 0);
	save("request", &request, sizeof(request));
	assert_int_not_equal(run("program"), 0);
	request.stack_bytes = 8; /* which are not there */
	save("request", &request, sizeof(request));
	assert_int_not_equal(run("program"), 0);
	request = (struct symbolize_request){.magic = 1};
	save("request", &request, sizeof(request));
	assert_int_not_equal(run("program"), 0);
}

/* It may say less, but says something, and soon. */
static void test_wrong_bits(void **state)
{
	const uint64_t stack[] = {start + 8, at_fault, start + 9};
	static uint8_t good[100000], bad[sizeof(good)];
	(void)state;
	FILE *from = fopen(in_base("program"), "r");
	size_t bytes = fread(good, 1, sizeof(good), from);
	fclose(from);
	ask(at_inlined, stack, 3);
	srand(1);
	for (unsigned round = 0; round < 100; round++) {
		memcpy(bad, good, bytes);
		for (int flips = rand() % 40; flips >= 0; flips--)
			bad[(size_t)rand() % bytes] ^= (uint8_t)(1 << rand() % 8);
		save("bad", bad, round % 5 ? bytes : (size_t)rand() % bytes);
		int status = run("bad");
		if (status || !strstr(output, "#0"))
			fail_msg("round %u: status 0x%x, output: %s", round, status, output);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static const struct CMUnitTest tests[] = {
	TEST(test_frames),           TEST(test_no_table),   TEST(test_nothing_known),
	TEST(test_requests_refused), TEST(test_wrong_bits),
};

TAP_MAIN(tests)
