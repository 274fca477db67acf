/* SPDX-License-Identifier: MIT */
/* Instructions that would show the host: each gives the model's value, or SIGILL where the model has none. */
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static sigjmp_buf back;
static char line[64] __attribute__((aligned(64)));

static void on_ill(int sig)
{
	siglongjmp(back, sig);
}

#define TRY(what, ...) \
	do { \
		int sig = sigsetjmp(back, 1); \
		if (sig) \
			printf("%s: signal %d\n", what, sig); \
		else { \
			__VA_ARGS__; \
		} \
	} while (0)

static void cpuid(uint32_t leaf, uint32_t subleaf)
{
	uint32_t a, b, c, d;
	__asm__ volatile("cpuid" : "=a"(a), "=b"(b), "=c"(c), "=d"(d) : "a"(leaf), "c"(subleaf));
	printf("cpuid %08x.%u: %08x %08x %08x %08x\n", leaf, subleaf, a, b, c, d);
}

static uint64_t rdtsc(void)
{
	uint32_t low, high;
	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	return (uint64_t)high << 32 | low;
}

/* What tells of descriptor tables, and of the processor's number. */
static void descriptors(void)
{
	static const int selectors[] = {0x18, 0x23, 0x2b, 0x33, 0x7b};
	uint8_t gdt[10], idt[10];
	uint64_t state, task = 0, ldt = 0, base;
	__asm__ volatile("sgdt %0\n\tsidt %1" : "=m"(gdt), "=m"(idt));
	__asm__ volatile("smsw %0" : "=r"(state));
	__asm__ volatile("str %k0\n\tsldt %k1" : "+r"(task), "+r"(ldt));
	memcpy(&base, gdt + 2, sizeof(base));
	printf("sgdt: %llx, %x\n", (unsigned long long)base, gdt[0] | gdt[1]);
	memcpy(&base, idt + 2, sizeof(base));
	printf("sidt: %llx, %x\n", (unsigned long long)base, idt[0] | idt[1]);
	printf("smsw %llx, str %llx, sldt %llx\n", (unsigned long long)state, (unsigned long long)task,
	       (unsigned long long)ldt);
	for (unsigned i = 0; i < sizeof(selectors) / sizeof(selectors[0]); i++) {
		uint32_t limit = 0, rights = 0;
		unsigned char read, write;
		__asm__ volatile("lsl %1, %0" : "+r"(limit) : "r"(selectors[i]));
		__asm__ volatile("lar %1, %0" : "+r"(rights) : "r"(selectors[i]));
		__asm__ volatile("verr %w1\n\tsetz %0" : "=qm"(read) : "r"(selectors[i]));
		__asm__ volatile("verw %w1\n\tsetz %0" : "=qm"(write) : "r"(selectors[i]));
		printf("segment %x: lsl %x, lar %x, verr %d, verw %d\n", selectors[i], limit, rights, read, write);
	}
}

/* Where the last x87 instruction and its operand were. */
static void x87_state(void)
{
	static uint8_t area[512] __attribute__((aligned(16)));
	static const float two = 2;
	uint32_t words[7], kept;
	__asm__ volatile("fninit\n\tfld1\n\tfdivs %1\n\tfnstenv %0" : "=m"(words) : "m"(two));
	printf("fnstenv:");
	for (unsigned i = 0; i < 7; i++)
		printf(" %x", words[i]);
	__asm__ volatile("fxsave %0" : "=m"(area));
	memcpy(&kept, area + 28, sizeof(kept));
	printf("\nfxsave: %x, %x, %x, mask %x\n", area[6] | area[7] << 8, area[8] | area[9], area[16] | area[17], kept);
	__asm__ volatile("fninit");
}

int main(void)
{
	uint64_t value = 0, last = 0;
	uint32_t aux = 0, high = 0, low = 0;
	unsigned char carry = 0;
	int back_steps = 0;
	signal(SIGILL, on_ill);
	signal(SIGSEGV, on_ill);
	for (uint32_t leaf = 0; leaf < 16; leaf++)
		cpuid(leaf, 0);
	cpuid(4, 1);
	cpuid(7, 1);
	for (uint32_t leaf = 0x80000000; leaf < 0x80000009; leaf++)
		cpuid(leaf, 0);
	for (int i = 0; i < 10000; i++) {
		value = rdtsc();
		back_steps += value <= last;
		last = value;
	}
	printf("rdtsc: %llu, %d steps back\n", (unsigned long long)last, back_steps);
	sleep(3);
	printf("rdtsc after three seconds: %llu\n", (unsigned long long)(rdtsc() - last));
	__asm__ volatile("rdtscp" : "=a"(low), "=d"(high), "=c"(aux));
	printf("rdtscp: %llu, processor %u\n", (unsigned long long)high << 32 | low, aux);
	TRY("rdrand", __asm__ volatile("rdrand %0; setc %1"
	                               : "=r"(value), "=qm"(carry));
	    printf("rdrand: %llx %d\n", (unsigned long long)value, carry));
	TRY("rdrand32", __asm__ volatile("rdrand %0; setc %1"
	                                 : "=r"(low), "=qm"(carry));
	    printf("rdrand32: %x %d\n", low, carry));
	TRY("rdseed", __asm__ volatile("rdseed %0; setc %1"
	                               : "=r"(value), "=qm"(carry));
	    printf("rdseed: %llx %d\n", (unsigned long long)value, carry));
	TRY("rdpid", __asm__ volatile("rdpid %0" : "=r"(value)); printf("rdpid: %llx\n", (unsigned long long)value));
	TRY("xgetbv", __asm__ volatile("xgetbv"
	                               : "=a"(low), "=d"(high)
	                               : "c"(0));
	    printf("xgetbv: %x %x\n", low, high));
	TRY("vmcall", __asm__ volatile("vmcall" : : : "rax"); puts("vmcall: done"));
	TRY("vmmcall", __asm__ volatile("vmmcall" : : : "rax"); puts("vmmcall: done"));
	TRY("monitor", __asm__ volatile("monitor" : : "a"(&value), "c"(0), "d"(0)); puts("monitor: done"));
	TRY("mwait", __asm__ volatile("mwait" : : "a"(0), "c"(0)); puts("mwait: done"));
	TRY("rdpkru", __asm__ volatile("rdpkru" : "=a"(low), "=d"(high) : "c"(0)); printf("rdpkru: %x\n", low));
	TRY("clzero", __asm__ volatile("clzero" : : "a"(line)); puts("clzero: done"));
	descriptors();
	x87_state();
	TRY("sysenter", __asm__ volatile("sysenter" : : : "rcx", "r11", "memory"); puts("sysenter: done"));
	TRY("vsyscall", ((void (*)(void *))0xffffffffff600000)(&value); puts("vsyscall: done"));
	printf("builtin: sse4.2 %d, avx %d, avx2 %d\n", !!__builtin_cpu_supports("sse4.2"),
	       !!__builtin_cpu_supports("avx"), !!__builtin_cpu_supports("avx2"));
	return 0;
}
