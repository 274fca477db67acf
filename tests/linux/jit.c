/* SPDX-License-Identifier: MIT */
/* Code that a program writes as it runs: in memory that it may write to and execute at once, and in memory that it
 * makes executable by mprotect(2). Instructions that must not run as they are give the model's results there too; what
 * the program reads of its data, and writes over its code, is as it should be. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE 4096UL
#define RWX (PROT_READ | PROT_WRITE | PROT_EXEC)

static uint8_t *map(size_t bytes, int prot)
{
	uint8_t *at = mmap(NULL, bytes, prot, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert(at != MAP_FAILED);
	return at;
}

/* mov $value, %eax; ret */
static void put_return(uint8_t *at, uint32_t value)
{
	at[0] = 0xb8;
	memcpy(at + 1, &value, 4);
	at[5] = 0xc3;
}

static uint32_t call(const void *code)
{
	return ((uint32_t(*)(void))(uintptr_t)code)();
}

/* push %rbx; mov $leaf, %eax; xor %ecx, %ecx; cpuid; mov %register, %eax; pop %rbx; ret */
static size_t put_cpuid(uint8_t *at, uint32_t leaf, uint8_t from)
{
	const uint8_t code[] = {0x53, 0xb8, 0, 0, 0, 0, 0x31, 0xc9, 0x0f, 0xa2, 0x89, from, 0x5b, 0xc3};
	memcpy(at, code, sizeof(code));
	memcpy(at + 2, &leaf, 4);
	return sizeof(code);
}

#define FROM_EBX 0xd8
#define FROM_ECX 0xc8

/* rdtsc; shl $32, %rdx; or %rdx, %rax; ret */
static const uint8_t rdtsc[] = {0x0f, 0x31, 0x48, 0xc1, 0xe2, 0x20, 0x48, 0x09, 0xd0, 0xc3};

/* Natively nothing is known of the counter and the processor, so that only what holds for each of them is printed; the
 * guest's own results are asserted. */
static void check_instructions(uint8_t *at, int guest)
{
	memset(at, 0xcc, PAGE);
	put_cpuid(at, 1, FROM_ECX);
	uint32_t features = call(at);
	printf("SSE4.2 %d\n", features >> 20 & 1);
	if (guest)
		assert(!(features >> 25 & 1)); /* no AES in the models, whatever the host has */
	memcpy(at + 256, rdtsc, sizeof(rdtsc));
	uint64_t (*counter)(void) = (uint64_t(*)(void))(uintptr_t)(at + 256);
	uint64_t before = counter(), after = counter();
	printf("the counter goes on %d\n", after > before);
	if (guest) {
		assert(after - before == 20); /* what docs/determinism.md says that it costs */
		printf("%lu\n", after);
	}
	assert(call(at) == features);
}

/* Each store to a page that has become code is noticed: the page was written to right before it was executed, so that a
 * translation with the right to write is at hand. Many rounds, because such a translation is not always kept. */
static void check_stores(uint8_t *at, int guest)
{
	unsigned same = 0;
	for (uint32_t i = 0; i < 2000; i++) {
		uint8_t *code = at + i % 8 * PAGE;
		put_return(code, i);
		same += call(code) == i;
		put_cpuid(code, 1, FROM_ECX);
		uint32_t features = call(code);
		if (guest)
			assert(!(features >> 25 & 1)); /* no AES, as above */
		code[200] = (uint8_t)i;
		same += call(code) == features;
	}
	printf("stores %u\n", same);
}

/* The same page is written and executed in turns. In the guest what traps is HLT, which ring 3 may not execute
 * (docs/linux-details.md), the second time, too: it comes to the kernel without ring 0. */
static void check_rewriting(uint8_t *at, int guest)
{
	uint64_t sum = 0;
	for (uint32_t i = 0; i < 500; i++) {
		put_return(at, i);
		sum += call(at);
		if (i % 100 == 50) {
			put_cpuid(at, 0, FROM_EBX);
			sum += call(at) != 0;
		}
		if (guest) {
			put_cpuid(at, 1, FROM_ECX);
			assert(!(call(at) >> 25 & 1)); /* no AES, as above */
		}
	}
	printf("rewritten %lu\n", sum);
	/* What the program writes beside a patched instruction is what it finds, and the instruction too. */
	size_t bytes = put_cpuid(at, 0, FROM_EBX);
	uint8_t before[32];
	memcpy(before, at, bytes);
	uint32_t first = call(at);
	at[100] = 1;
	printf("bytes as written %d\n", !memcmp(before, at, bytes));
	printf("same again %d\n", call(at) == first);
	if (guest)
		assert(at[8] == 0xf4);
}

static void *plant_cpuid(void *at)
{
	put_cpuid(at, 0, FROM_EBX);
	return NULL;
}

/* What is planted beside instructions that are patched already is patched, too: by this thread or another one, and also
 * inside such an instruction, where its prefix was. */
static void check_planted(uint8_t *at)
{
	memset(at, 0xcc, PAGE);
	put_cpuid(at, 0, FROM_EBX);
	uint32_t first = call(at);
	unsigned same = 0;
	for (unsigned offset = 64; offset < PAGE; offset += 512) {
		pthread_t thread;
		assert(!pthread_create(&thread, NULL, plant_cpuid, at + offset));
		pthread_join(thread, NULL);
		same += call(at + offset) == first;
		same += call(at) == first;
	}
	/* cs cpuid, which is written again without its prefix: a jump leads behind it. */
	static const uint8_t prefixed[] = {0x53, 0x31, 0xc0, 0x31, 0xc9, 0x2e, 0x0f, 0xa2, 0x89, FROM_EBX, 0x5b, 0xc3};
	static const uint8_t behind[] = {0x53, 0x31, 0xc0, 0x31, 0xc9, 0xeb, (uint8_t)(-64 + 6 - 7)};
	memcpy(at, prefixed, sizeof(prefixed));
	same += call(at) == first;
	memcpy(at + 64, behind, sizeof(behind));
	same += call(at + 64) == first;
	printf("planted %u\n", same);
}

/* Five addresses, as in the constants of Lisp functions. Each contains the bytes of CPUID, which are data. */
static const uint8_t address[] = {0x70, 0x0f, 0xa2, 0x25, 0x50, 0, 0, 0};

/* What was found to be data when its page was executed is found again when it is code: written over, also with the same
 * bytes at the place itself, and executed as it is, from right before it and from the place itself. */
static void check_cleared(uint8_t *at)
{
	unsigned same = 0;
	memset(at, 0xcc, PAGE);
	put_cpuid(at + 2048, 0, FROM_EBX);
	uint32_t first = call(at + 2048);
	for (unsigned round = 0; round < 3; round++) {
		put_return(at, round);
		for (unsigned offset = 256; offset < 256 + 5 * 8; offset += 8)
			memcpy(at + offset, address, sizeof(address));
		same += call(at) == round;
		at[3000] = (uint8_t)round;
		same += call(at) == round;
		/* The CPUID here is at the place of that in the third word. */
		put_cpuid(at + 256 + 17 - 8, 0, FROM_EBX);
		same += call(at + 256 + 17 - 8) == first;
	}
	/* push %rbx; xor %eax, %eax; xor %ecx, %ecx; jmp to CPUID in a word; there: mov %ebx, %eax; pop %rbx; ret */
	static const uint8_t into[] = {0x53, 0x31, 0xc0, 0x31, 0xc9, 0xeb, (uint8_t)(-64 + 17 - 7)};
	static const uint8_t word[] = {0x70, 0x0f, 0xa2, 0x89, FROM_EBX, 0x5b, 0xc3, 0};
	for (unsigned offset = 256; offset < 256 + 5 * 8; offset += 8)
		memcpy(at + offset, address, sizeof(address));
	memcpy(at + 256 + 16, word, sizeof(word));
	memcpy(at + 256 + 64, into, sizeof(into));
	same += call(at) == 2;
	at[3000] = 9;
	same += call(at + 256 + 64) == first;
	printf("cleared %u\n", same);
}

/* An instruction over the border of two pages, which become code one after the other, and change one by one. */
static void check_border(uint8_t *at)
{
	for (size_t cut = 1; cut < 14; cut++) {
		uint8_t *code = at + PAGE - cut;
		put_return(at, 1);
		put_return(at + PAGE + 512, 2);
		memset(code, 0x90, 32);
		put_cpuid(code, 1, FROM_ECX);
		uint32_t got = call(at) + call(at + PAGE + 512); /* both are code before it is run */
		uint32_t features = call(code);
		at[PAGE + 600] = 1;
		assert(call(code) == features);
		at[600] = 1;
		assert(call(code) == features);
		assert(got == 3);
	}
	printf("over a border\n");
}

/* Code that writes to its own page, and counts there: lock incl 0x200(%rip'); mov (that), %eax; ret */
static void check_own_page(uint8_t *at)
{
	const uint8_t code[] = {0xff, 0x05, 0xfa, 0x01, 0, 0, 0x8b, 0x05, 0xf4, 0x01, 0, 0, 0xc3};
	memset(at, 0, PAGE);
	memcpy(at, code, sizeof(code));
	put_cpuid(at + 64, 1, FROM_ECX);
	uint32_t features = call(at + 64), last = 0;
	for (int i = 0; i < 20; i++)
		last = call(at);
	uint32_t counted;
	memcpy(&counted, at + 512, 4);
	printf("counted %u %u, %d\n", last, counted, call(at + 64) == features);
	/* It writes its own next instruction: movb $7, 1(%rip) to the mov's constant; mov $0, %eax; ret */
	const uint8_t next[] = {0xc6, 0x05, 1, 0, 0, 0, 7, 0xb8, 0, 0, 0, 0, 0xc3};
	memcpy(at, next, sizeof(next));
	printf("modified itself %u\n", call(at));
}

/* Written first, executable afterwards, and back again. */
static void check_mprotect(void)
{
	uint8_t *at = map(64 * PAGE, PROT_READ | PROT_WRITE);
	for (uint32_t page = 0; page < 64; page++)
		put_return(at + page * PAGE, page);
	uint32_t sum = 0, error;
	error = (uint32_t)mprotect(at, 64 * PAGE, PROT_READ | PROT_EXEC);
	for (uint32_t page = 0; page < 64; page++)
		sum += call(at + page * PAGE);
	for (uint32_t turn = 0; turn < 4; turn++) {
		error |= (uint32_t)mprotect(at, 8 * PAGE, PROT_READ | PROT_WRITE);
		put_return(at + turn * PAGE, 1000 * turn);
		error |= (uint32_t)mprotect(at, 8 * PAGE, PROT_READ | PROT_EXEC);
		sum += call(at + turn * PAGE);
	}
	printf("mprotect %u %u\n", error, sum);
	/* Whole large pages. */
	uint8_t *large = map(8UL << 20, PROT_READ | PROT_WRITE);
	for (size_t i = 0; i < 8UL << 20; i += 1UL << 20)
		put_return(large + i, (uint32_t)(i >> 20));
	error = (uint32_t)mprotect(large, 8UL << 20, PROT_READ | PROT_EXEC);
	for (size_t i = 0; i < 8UL << 20; i += 1UL << 20)
		sum += call(large + i);
	printf("large %u %u\n", error, sum);
	munmap(large, 8UL << 20);
	munmap(at, 64 * PAGE);
}

static volatile sig_atomic_t faults;
static uint8_t *fault_page;

static void on_fault(int sig, siginfo_t *info, void *context)
{
	(void)sig, (void)context;
	faults++;
	assert(info->si_addr == fault_page);
	assert(info->si_code == SEGV_ACCERR);
	mprotect(fault_page, PAGE, RWX);
}

/* Rights that a page has not got are missed as on Linux. */
static void check_faults(uint8_t *at)
{
	struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
	sigaction(SIGSEGV, &action, NULL);
	fault_page = at;
	put_return(at, 5);
	uint32_t got = call(at);
	mprotect(at, PAGE, PROT_READ | PROT_WRITE);
	got += call(at);
	mprotect(at, PAGE, PROT_READ | PROT_EXEC);
	*(volatile uint8_t *)at = 0xb8;
	mprotect(at, PAGE, PROT_NONE);
	got += *(volatile uint8_t *)at + call(at);
	printf("faults %d %u\n", (int)faults, got);
}

/* A child has the code with its patches, and each process writes over its own. */
static void check_fork(uint8_t *at)
{
	put_cpuid(at, 1, FROM_ECX);
	uint32_t features = call(at);
	int status;
	pid_t child = fork();
	if (!child) {
		int same = call(at) == features;
		put_return(at, 9);
		_exit(same && call(at) == 9 ? 3 : 4);
	}
	waitpid(child, &status, 0);
	printf("child %d, parent %d\n", WEXITSTATUS(status), call(at) == features);
}

/* Code that is moved, cleared, or read from a file to where code was. */
static void check_changes(void)
{
	uint8_t *at = map(2 * PAGE, RWX);
	put_cpuid(at, 1, FROM_ECX);
	uint32_t features = call(at);
	uint8_t *moved = mremap(at, 2 * PAGE, 16 * PAGE, MREMAP_MAYMOVE);
	assert(moved != MAP_FAILED);
	printf("moved %d\n", call(moved) == features);
	put_cpuid(moved + PAGE, 1, FROM_ECX);
	features ^= call(moved + PAGE);
	madvise(moved, PAGE, MADV_DONTNEED);
	moved[100] = 1;
	printf("cleared %d %d\n", moved[8] | moved[9], (int)features);
	int fd = memfd_create("code", 0);
	uint8_t code[64];
	put_return(code, 77);
	assert(write(fd, code, sizeof(code)) == (ssize_t)sizeof(code));
	assert(pread(fd, moved + PAGE, sizeof(code), 0) == (ssize_t)sizeof(code));
	printf("read %u\n", call(moved + PAGE));
	close(fd);
	munmap(moved, 16 * PAGE);
}

/* The program's own code, made writable: what is patched in it is as the file has it, when it is written to. */
__attribute__((noinline, aligned(4096))) static long own_code(long number)
{
	long result;
	__asm__ volatile("syscall" : "=a"(result) : "0"(number) : "rcx", "r11", "memory");
	__asm__ volatile("cpuid" : : "a"(0) : "rbx", "rcx", "rdx");
	return result;
}

static void check_file(void)
{
	long before = own_code(39), after;
	uint8_t *page = (uint8_t *)((uintptr_t)own_code & ~(PAGE - 1));
	int error = mprotect(page, PAGE, RWX);
	volatile uint8_t *last = page + PAGE - 1;
	*last ^= 1;
	*last ^= 1;
	int found = 0;
	for (uint8_t *at = page; at < page + 128; at++)
		found += (at[0] == 0x0f && at[1] == 0x05) + 16 * (at[0] == 0x0f && at[1] == 0xa2);
	after = own_code(39);
	error |= mprotect(page, PAGE, PROT_READ | PROT_EXEC);
	printf("own code %d %x, %d %d\n", error, found, before == after, own_code(39) == before);
}

/* Bytes that are an instruction or not, as one looks at them: `add $0x05050505, %eax` begins at each of the others. Who
 * executes others in their page gets what these give, but not for ever. */
static void run_undecided(uint8_t *at)
{
	memset(at, 0x05, 2 * PAGE);
	memcpy(at + 1000, "\x0f\xa2", 2);
	at[2 * PAGE - 1] = 0xc3;
	at[1200] = 0xc3;
	printf("%d\n", call(at + 1100) != 0);
	fflush(stdout);
	for (int i = 0; i < 20000; i++)
		call(at + 1100);
	printf("no end\n");
}

int main(int argc, char **argv)
{
	int guest = argc > 1 && !strcmp(argv[1], "guest");
	uint8_t *at = map(16 * PAGE, RWX);
	if (argc > 1 && !strcmp(argv[1], "undecided")) {
		run_undecided(at);
		return 0;
	}
	check_instructions(at, guest);
	check_stores(at, guest);
	check_rewriting(at, guest);
	check_planted(at);
	check_cleared(at);
	check_border(at);
	check_own_page(at);
	check_mprotect();
	check_faults(at + 8 * PAGE);
	check_fork(at);
	check_changes();
	check_file();
	return 0;
}
