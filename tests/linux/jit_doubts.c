/* SPDX-License-Identifier: MIT */
/* Code that a program makes as it runs, in pages that hold more than code: functions with instructions whose results
 * would be the host's, behind data of all kinds, which are called when others of their page were; and data that look
 * like such instructions, which are as they were written, while the program does not see how the page is executed. */
#include <assert.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096UL
#define NONE UINT64_MAX /* what an instruction gives that the processor has not */

struct code {
	const char *name;
	const char *bytes;
	size_t count;
};

#define CODE(name, bytes) \
	{ \
		name, bytes, sizeof(bytes) - 1 \
	}
#define PROLOGUE "\x55\x48\x89\xe5\x48\x83\xec\x10" /* push %rbp; mov %rsp, %rbp; sub $16, %rsp */
#define EPILOGUE "\xc9\xc3"
#define JOIN "\x48\xc1\xe2\x20\x48\x09\xd0" /* shl $32, %rdx; or %rdx, %rax */
#define CPUID_0 "\x53\x31\xc0\x31\xc9\x0f\xa2\x89\xd8\x5b"
#define CPUID_1 "\x53\xb8\x01\x00\x00\x00\x31\xc9\x0f\xa2\x89\xc8\x5b"

static const struct code codes[] = {
	CODE("rdtsc", "\x0f\x31" JOIN "\xc3"),
	CODE("rdtsc", PROLOGUE "\x0f\x31" JOIN EPILOGUE),
	CODE("rdtscp", "\x0f\x01\xf9" JOIN "\xc3"),
	CODE("rdtscp", PROLOGUE "\x0f\x01\xf9" JOIN EPILOGUE),
	CODE("cpuid 0", CPUID_0 "\xc3"),
	CODE("cpuid 0", PROLOGUE CPUID_0 EPILOGUE),
	CODE("cpuid 1", CPUID_1 "\xc3"),
	CODE("cpuid 1", PROLOGUE CPUID_1 EPILOGUE),
	CODE("rdrand", "\x48\x0f\xc7\xf0\xc3"),
	CODE("rdrand", PROLOGUE "\x0f\xc7\xf0" EPILOGUE),
	CODE("rdseed", "\x48\x0f\xc7\xf8\xc3"),
	CODE("rdseed", PROLOGUE "\x0f\xc7\xf8" EPILOGUE),
	CODE("rdpid", "\xf3\x0f\xc7\xf8\xc3"),
	CODE("rdpid", PROLOGUE "\xf3\x0f\xc7\xf8" EPILOGUE),
	CODE("xgetbv", "\x31\xc9\x0f\x01\xd0\xc3"),
	CODE("xgetbv", PROLOGUE "\x31\xc9\x0f\x01\xd0" EPILOGUE),
	CODE("xtest", "\x0f\x01\xd6\x0f\x94\xc0\x0f\xb6\xc0\xc3"),
};

#define CODES (sizeof(codes) / sizeof(*codes))
static const uint8_t ret7[] = {0xb8, 7, 0, 0, 0, 0xc3};
static uint64_t expected[CODES];
static int is_guest;
static sigjmp_buf jump;

static void on_fault(int sig)
{
	siglongjmp(jump, sig);
}

static uint64_t call(const void *code)
{
	return ((uint64_t(*)(void))(uintptr_t)code)();
}

static uint64_t try(const void *code)
{
	return sigsetjmp(jump, 0) ? NONE : call(code);
}

static uint8_t *page_with(uint8_t fill)
{
	uint8_t *at = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert(at != MAP_FAILED);
	memset(at, fill, PAGE);
	return at;
}

/* What an instruction of the program's file gives, which is patched when that is loaded. */
static uint32_t cpuid(uint32_t leaf)
{
	uint32_t a = leaf, b, c = 0, d;
	__asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
	return leaf ? c : b;
}

static void expect(void)
{
	for (size_t i = 0; i < CODES; i++)
		expected[i] = !strcmp(codes[i].name, "cpuid 0")   ? cpuid(0)
		              : !strcmp(codes[i].name, "cpuid 1") ? cpuid(1)
		                                                  : NONE;
}

/* Calls a function twice; what it gives is the model's: of the counter, as much as it costs. */
static void check(size_t i, const uint8_t *code, const char *where, unsigned which)
{
	uint64_t first = try(code), second = try(code);
	if (!is_guest)
		return;
	int is_counter = !strncmp(codes[i].name, "rdtsc", 5);
	if (is_counter ? first < 1000000000 && second - first == 20 : first == expected[i] && second == first)
		return;
	printf("%s %zu, %s, %u: 0x%lx 0x%lx\n", codes[i].name, i, where, which, first, second);
	exit(1);
}

/* Behind one or more functions, at different places, with zeros and other bytes that fill a page up. */
static void check_fills(void)
{
	static const uint8_t fills[] = {0, 0xcc, 0x90, 0xff, 0x05};
	static const unsigned offsets[] = {6, 16, 64, 70, 256, 4064};
	unsigned calls = 0;
	for (size_t i = 0; i < CODES; i++)
		for (size_t fill = 0; fill < sizeof(fills); fill++)
			for (size_t o = 0; o < sizeof(offsets) / sizeof(*offsets); o++) {
				uint8_t *at = page_with(fills[fill]);
				unsigned offset = offsets[o];
				memcpy(at, ret7, sizeof(ret7));
				if (calls % 2 && offset >= 70)
					memcpy(at + offset - 32, ret7, sizeof(ret7));
				memcpy(at + offset, codes[i].bytes, codes[i].count);
				mprotect(at, PAGE, PROT_READ | PROT_EXEC);
				assert(call(at) == 7);
				if (calls % 2 && offset >= 70)
					assert(call(at + offset - 32) == 7);
				check(i, at + offset, "fill", fills[fill]);
				munmap(at, PAGE);
				calls++;
			}
	printf("fills %u\n", calls);
}

static uint8_t fill_of(unsigned kind, unsigned i, uint8_t random)
{
	switch (kind) {
	case 0:
		return 0;
	case 1:
		return 0xcc;
	case 2:
		return 0x90;
	case 3:
		return random;
	case 4:
		return (random & 0x3f) + 0x40;
	case 5:
		return i % 8 ? 0 : random;
	case 6:
		return i % 4 == 3 ? 0x3f : random;
	default:
		return 0xff;
	}
}

/* Behind data that would be the begin of an instruction, whose constant the function is then. */
static void check_data(void)
{
	static const char *const before[] = {"", "\xc3\xb8", "\x48\xb8"};
	uint32_t random = 12345;
	for (unsigned kind = 0; kind < 24; kind++)
		for (size_t i = 0; i < CODES; i++) {
			uint8_t *at = page_with(0);
			for (unsigned j = 16; j < PAGE; j++) {
				random = random * 1103515245 + 12345;
				at[j] = fill_of(kind % 8, j, (uint8_t)(random >> 16));
			}
			memcpy(at, ret7, sizeof(ret7));
			size_t length = strlen(before[kind / 8]);
			memcpy(at + 256, before[kind / 8], length);
			memcpy(at + 256 + length, codes[i].bytes, codes[i].count);
			mprotect(at, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC);
			assert(call(at) == 7);
			check(i, at + 256 + length, "data", kind);
			munmap(at, PAGE);
		}
	printf("data\n");
}

/* A page in which something may be an instruction, and is data: the function in it adds them up, sees its flags, makes
 * a system call, writes to its own page and to itself, and sets the flags. */
static void check_transparent(uint32_t times)
{
	static const char code[] = "\x31\xf6"                     /* xor %esi, %esi */
				   "\x03\x35\x78\x02\x00\x00"     /* 2: add 0x280(page), %esi */
				   "\x9c\x58"                     /* pushf; pop %rax */
				   "\x25\x00\x01\x00\x00"         /* and $0x100, %eax: TF */
				   "\x01\xc6"                     /* add %eax, %esi */
				   "\xb8\x6e\x00\x00\x00\x0f\x05" /* mov $SYS_getppid, %eax; syscall */
				   "\x41\x81\xe3\x00\x01\x00\x00" /* and $0x100, %r11d */
				   "\x44\x01\xde"                 /* add %r11d, %esi */
				   "\xff\x05\xd8\x03\x00\x00"     /* incl 0x400(page) */
				   "\x9c\x9d\xff\xcf"             /* pushf; popf; dec %edi */
				   "\x75\xd4\x89\xf0\xc3";        /* jne 2b; mov %esi, %eax; ret */
	uint8_t *at = page_with(0);
	memcpy(at, code, sizeof(code));
	memset(at + 0x200, 0x05, 256);
	memcpy(at + 0x280, "\x0f\xa2", 2);
	mprotect(at, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC);
	uint32_t sum = ((uint32_t(*)(uint32_t))(uintptr_t)at)(times), counted;
	memcpy(&counted, at + 0x400, 4);
	printf("sum %x, counted %u, %02x %02x\n", sum, counted, at[0x280], at[0x281]);
	munmap(at, PAGE);
}

/* Entries of two bytes, as OpenJDK's list of a method's calls and constants: 0x340f is a call 15 bytes behind the last
 * entry, and would be SYSENTER between other instructions. */
static const char entries[] = "\x0d\xc0\x0a\xc0\x29\x34\x0b\xc0\x0a\xc0\x23\x34\x10\xc0\x39\xc0\x12\x10\x0d\x34"
			      "\x0d\xc0\x0a\xc0\x29\x34\x0b\xc0\x0a\xc0\x23\x34\x13\xc0\x0a\xc0\x23\x34\x10\xc0"
			      "\x39\xc0\x12\x10\x0d\x34\x0d\xc0\x0a\xc0\x29\x34\x0b\xc0\x0a\xc0\x23\x34\x13\xc0"
			      "\x0a\xc0\x23\x34\x11\xc0\x3c\xc0\x12\x10\x19\x34\x0d\xc0\x0a\xc0\x29\x34\x0b\xc0"
			      "\x0a\xc0\x23\x34\x16\xc0\x0a\xc0\x30\x34\x16\xc0\x39\xc0\x12\x10\x0f\x34\x0d\xc0"
			      "\x0a\xc0\x29\x34\x0b\xc0\x0a\xc0\x23\x34\x1b\xc0\x2d\x44\x13\xc0\x1d\x34\x11\xc0"
			      "\x0a\xf0\x47\x24";

/* Data before a function in its page, and after it, are as they were when the function has run often. */
static void check_entries(void)
{
	uint8_t *at = page_with(0);
	const size_t bytes = sizeof(entries) - 1;
	for (size_t from = 0; from < PAGE; from += 512) {
		memcpy(at + from, entries, bytes);
		memcpy(at + from + 256, ret7, sizeof(ret7));
	}
	mprotect(at, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC);
	for (size_t from = 0; from < PAGE; from += 512)
		for (unsigned i = 0; i < 1000; i++)
			assert(call(at + from + 256) == 7);
	for (size_t from = 0; from < PAGE; from += 512)
		assert(!memcmp(at + from, entries, bytes));
	munmap(at, PAGE);
	printf("entries\n");
}

int main(int argc, char **argv)
{
	is_guest = argc > 1 && !strcmp(argv[1], "guest");
	struct sigaction action = {.sa_handler = on_fault, .sa_flags = SA_NODEFER};
	sigaction(SIGILL, &action, NULL);
	sigaction(SIGSEGV, &action, NULL);
	expect();
	check_fills();
	check_data();
	check_transparent(3);
	check_transparent(300);
	check_entries();
	return 0;
}
