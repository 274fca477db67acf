/* SPDX-License-Identifier: MIT */
/* Instructions that tell of the machine's descriptor tables and of its processor's number, in the program and in code
 * that it makes as it runs: what Linux answers where the processor keeps them from programs (UMIP), which is what is
 * printed. Other machines have other values natively; those are not looked at there, nor is the processor's number. In
 * the guest the vsyscall page gives no time, and SYSENTER leads nowhere. */
#include <assert.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>

#define PAGE 4096UL
#define OLD 0x1122334455667788UL
#define UNDEFINED 0xf0000UL /* bits of what LAR gives (SDM 2A, LAR); QEMU leaves them zero */
#define VSYSCALL 0xffffffffff600000UL

static sigjmp_buf back;
static siginfo_t told;
static int is_guest;

static void handle(int sig, siginfo_t *info, void *context)
{
	(void)context;
	told = *info;
	siglongjmp(back, sig);
}

/* What Linux answers, in the order of `stores`: to memory, and to %rdi of 16, 32 and 64 bits. */
static const struct {
	const char *name;
	uint8_t modrm; /* of (%rdi), with 0f 00 or 0f 01 before */
	uint8_t second, bytes;
	uint64_t base; /* or the value */
} stores[] = {
	{"sgdt", 0x07, 1, 10, 0xfffffffffffe0000},
	{"sidt", 0x0f, 1, 10, 0xffffffffffff0000},
	{"smsw", 0x27, 1, 2, 0x80050033},
	{"str", 0x0f, 0, 2, 0x40},
	{"sldt", 0x07, 0, 2, 0},
};

static uint8_t *code; /* writable and executable */

/* Writes bytes as a function, and calls it. */
static uint64_t run(const uint8_t *bytes, size_t count, void *first, uint64_t second)
{
	static const uint8_t ret[] = {0x48, 0x89, 0xf8, 0xc3}; /* mov %rdi, %rax; ret */
	memset(code, 0xcc, 64);
	memcpy(code, bytes, count);
	memcpy(code + count, ret, sizeof(ret));
	return ((uint64_t(*)(void *, uint64_t))(uintptr_t)code)(first, second);
}

/* Whether this machine's Linux gives what is printed here: always in the guest. */
static int is_asked(uint64_t base)
{
	struct {
		uint16_t limit;
		uint64_t base;
	} __attribute__((packed)) table = {0};
	if (sigsetjmp(back, 1))
		return 0;
	__asm__ volatile("sgdt %0" : "=m"(table));
	return table.base == base && !table.limit;
}

static void check_stores(int asked)
{
	uint8_t memory[16], want[16];
	for (unsigned i = 0; i < sizeof(stores) / sizeof(stores[0]); i++) {
		const uint8_t to_memory[] = {0x0f, stores[i].second, stores[i].modrm};
		memset(memory, 0xee, sizeof(memory));
		memset(want, 0xee, sizeof(want));
		if (stores[i].bytes == 10)
			memset(want, 0, 2), memcpy(want + 2, &stores[i].base, 8);
		else
			memcpy(want, &stores[i].base, 2);
		run(to_memory, sizeof(to_memory), memory, 0);
		printf("%s: %d\n", stores[i].name, !asked || !memcmp(memory, want, sizeof(want)));
		for (unsigned bytes = 2; stores[i].bytes == 2 && bytes <= 8; bytes *= 2) {
			uint8_t to_register[] = {bytes == 2   ? 0x66
			                         : bytes == 8 ? 0x48
			                                      : 0x40,
			                         0x0f, stores[i].second, (uint8_t)(stores[i].modrm | 0xc0)};
			uint64_t value = OLD, got = run(to_register, sizeof(to_register), (void *)OLD, 0);
			memcpy(&value, &stores[i].base, bytes);
			printf("%s to %u bytes: %d\n", stores[i].name, bytes, !asked || got == value);
		}
	}
}

/* In the program's own code, where it is found as it is loaded. */
static void check_program(int asked)
{
	uint8_t table[16] __attribute__((aligned(16)));
	uint64_t state = OLD, task = OLD;
	uint16_t none = 0xeeee;
	memset(table, 0xee, sizeof(table));
	__asm__ volatile("sidt 2(%1, %2, 4)\n\tsmsw %q0"
	                 : "+r"(state)
	                 : "r"((uintptr_t)table - 32), "r"(8L)
	                 : "memory");
	__asm__ volatile("str %k0\n\tsldt %1" : "+r"(task), "=m"(none));
	printf("in the program: %d\n", !asked || (state == 0x80050033 && task == 0x1122334400000040 && !none &&
	                                          table[1] == 0xee && !table[2] && table[11] == 0xff));
}

static void check_segments(void)
{
	static const int numbers[] = {0, 0x08, 0x10, 0x18, 0x28, 0x2b, 0x30, 0x33, 0x40, 0x50, 0x7f, 0x80, 0xffff};
	for (unsigned i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		uint64_t limit = OLD, rights = OLD, narrow = OLD;
		uint16_t selector = (uint16_t)numbers[i];
		uint8_t found[5];
		__asm__ volatile("lsl %k2, %k0\n\tsetz %1" : "+r"(limit), "=m"(found[0]) : "r"(numbers[i]));
		__asm__ volatile("lar %2, %q0\n\tsetz %1" : "+r"(rights), "=m"(found[1]) : "m"(selector));
		__asm__ volatile("lar %w2, %w0\n\tsetz %1" : "+r"(narrow), "=m"(found[2]) : "r"(numbers[i]));
		__asm__ volatile("verr %w1\n\tsetz %0" : "=m"(found[3]) : "r"(numbers[i]));
		__asm__ volatile("verw %1\n\tsetz %0" : "=m"(found[4]) : "m"(selector));
		printf("%#x: %d %lx, %d %lx, %d %lx, %d, %d\n", numbers[i], found[0], limit, found[1],
		       rights & ~UNDEFINED, found[2], narrow, found[3], found[4]);
		if (is_guest && found[1])
			assert((rights & UNDEFINED) == UNDEFINED);
	}
}

/* Code of 32 bits has a segment in the guest, as under Linux; under some hypervisors' Linux it has none. */
static void check_narrow_code(void)
{
	const uint16_t selector = 0x20;
	uint64_t rights = OLD;
	uint8_t found;
	__asm__ volatile("lar %2, %q0\n\tsetz %1" : "+r"(rights), "=m"(found) : "m"(selector));
	assert(!is_guest || (found && (rights & ~UNDEFINED) == 0xc0fb00));
}

/* The processor's number, as getcpu(2) has it: natively another one by then, maybe. */
static void check_processor(int asked)
{
	static const uint8_t lsl[] = {0x0f, 0x03, 0xfe, 0x90}; /* lsl %esi, %edi */
	uint64_t limit = OLD, rights = OLD;
	uint8_t found;
	__asm__ volatile("lsl %k2, %k0\n\tsetz %1" : "+r"(limit), "=m"(found) : "r"(0x7b));
	__asm__ volatile("lar %k1, %k0" : "+r"(rights) : "r"(0x7b));
	printf("processor: %d, %d, rights %lx\n", found, !is_guest || limit == (uint64_t)sched_getcpu(),
	       rights & ~UNDEFINED);
	limit = run(lsl, sizeof(lsl), (void *)OLD, 0x7b);
	printf("in code made at run time: %d, %d\n", !asked || limit < 0x10000,
	       !is_guest || limit == (uint64_t)sched_getcpu());
	limit = run(lsl, sizeof(lsl), (void *)OLD, 0x18);
	printf("no segment: %lx\n", limit);
}

#define TRY(name, what) \
	do { \
		int sig = sigsetjmp(back, 1); \
		if (!sig) { \
			what; \
			puts(name ": nothing"); \
		} else { \
			printf(name ": signal %d, code %d, address %p\n", sig, told.si_code, told.si_addr); \
		} \
	} while (0)

/* Natively Linux may answer there. */
static void check_vsyscall(uint64_t address)
{
	if (!is_guest)
		return;
	if (!sigsetjmp(back, 1))
		((void (*)(void *))address)(NULL);
	assert(told.si_signo == SIGSEGV);
	assert(told.si_code == SEGV_MAPERR);
	assert((uint64_t)told.si_addr == address);
}

static void check_faults(void)
{
	TRY("lar", __asm__ volatile("larw (%q1), %w0" : : "a"(0), "r"(64L)));
	TRY("verr", __asm__ volatile("verr (%0)" : : "r"(8L)));
	TRY("sgdt", __asm__ volatile("sgdt (%0)" : : "r"(16L)));
	check_vsyscall(VSYSCALL);
	check_vsyscall(VSYSCALL + 1024);
	if (is_guest && !sigsetjmp(back, 1))
		__asm__ volatile("sysenter" : : : "rcx", "r11", "memory");
	assert(!is_guest || (told.si_signo == SIGSEGV && told.si_code == SI_KERNEL));
}

int main(void)
{
	struct utsname name;
	uname(&name);
	is_guest = strstr(name.release, "eremite") != NULL;
	struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGILL, &action, NULL);
	code = mmap(NULL, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert(code != MAP_FAILED);
	int asked = is_asked(stores[0].base);
	check_stores(asked);
	check_program(asked);
	check_segments();
	check_narrow_code();
	check_processor(asked);
	check_faults();
	return 0;
}
