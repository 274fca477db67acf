/* SPDX-License-Identifier: MIT */
/* The vDSO: found by the auxiliary vector, its symbols by hash and version, called, and beside the system calls that
 * its functions stand for. */
#include <elf.h>
#include <link.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/guest/say.h"

static const char *base, *strings;
static const ElfW(Sym) * symbols;
static const uint32_t *hash;
static const ElfW(Half) * versions;
static const ElfW(Verdef) * definitions;

static void read_dynamic(void)
{
	base = (const char *)getauxval(AT_SYSINFO_EHDR);
	const ElfW(Ehdr) *header = (const void *)base;
	printf("ELF %d, type %d, machine %d\n", !memcmp(header->e_ident, ELFMAG, SELFMAG), header->e_type,
	       header->e_machine);
	const ElfW(Phdr) *program = (const void *)(base + header->e_phoff);
	for (int i = 0; i < header->e_phnum; i++) {
		if (program[i].p_type != PT_DYNAMIC)
			continue;
		for (const ElfW(Dyn) *at = (const void *)(base + program[i].p_vaddr); at->d_tag; at++) {
			const void *there = base + at->d_un.d_ptr;
			if (at->d_tag == DT_STRTAB)
				strings = there;
			else if (at->d_tag == DT_SYMTAB)
				symbols = there;
			else if (at->d_tag == DT_HASH)
				hash = there;
			else if (at->d_tag == DT_VERSYM)
				versions = there;
			else if (at->d_tag == DT_VERDEF)
				definitions = there;
		}
	}
	printf("tables %d %d %d %d %d\n", strings != NULL, symbols != NULL, hash != NULL, versions != NULL,
	       definitions != NULL);
}

static const char *version_name(unsigned number)
{
	const ElfW(Verdef) *at = definitions;
	while (at->vd_ndx != number && at->vd_next)
		at = (const void *)((const char *)at + at->vd_next);
	const ElfW(Verdaux) *name = (const void *)((const char *)at + at->vd_aux);
	return strings + name->vda_name;
}

static void *find(const char *name)
{
	const uint32_t count = hash[1];
	for (uint32_t i = 0; i < count; i++) {
		if (strcmp(strings + symbols[i].st_name, name))
			continue;
		printf("%s: type %d, version %s\n", name, ELF64_ST_TYPE(symbols[i].st_info),
		       version_name(versions[i] & 0x7fff));
		return (void *)(base + symbols[i].st_value);
	}
	printf("%s is not there\n", name);
	return NULL;
}

static long ns(const struct timespec *ts)
{
	return ts->tv_sec * 1000000000 + ts->tv_nsec;
}

static void clocks(void)
{
	int (*get)(clockid_t, struct timespec *) = find("__vdso_clock_gettime");
	int (*resolution)(clockid_t, struct timespec *) = find("__vdso_clock_getres");
	const clockid_t all[] = {CLOCK_REALTIME, CLOCK_MONOTONIC,          CLOCK_MONOTONIC_RAW,    CLOCK_BOOTTIME,
	                         CLOCK_TAI,      CLOCK_PROCESS_CPUTIME_ID, CLOCK_THREAD_CPUTIME_ID};
	struct timespec a, b, c;
	for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		syscall(SYS_clock_gettime, all[i], &a);
		printf("clock %d: %d", all[i], get(all[i], &b));
		syscall(SYS_clock_gettime, all[i], &c);
		printf(", in order %d", ns(&a) <= ns(&b) && ns(&b) <= ns(&c));
		a.tv_nsec = -1;
		printf(", resolution %d", resolution(all[i], &a));
		printf(" %ld\n", ns(&a));
	}
	printf("%d %d\n", get(99, &a), resolution(99, &a));
	printf("%d\n", resolution(CLOCK_MONOTONIC, NULL));
}

static void others(void)
{
	int (*of_day)(struct timeval *, struct timezone *) = find("__vdso_gettimeofday");
	time_t (*seconds)(time_t *) = find("__vdso_time");
	long (*cpu)(unsigned *, unsigned *, void *) = find("__vdso_getcpu");
	struct timeval day;
	struct timespec now;
	struct timezone zone = {5, 5};
	time_t stored;
	unsigned processor = 1234, node = 1234;
	printf("%d", of_day(&day, &zone));
	syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
	printf(" %d %d\n", now.tv_sec - day.tv_sec <= 1, zone.tz_minuteswest);
	printf("%d\n", of_day(NULL, NULL));
	time_t told = seconds(&stored);
	printf("%d %d\n", told == stored, now.tv_sec - told <= 1);
	printf("%d\n", seconds(NULL) - told <= 1);
	printf("%ld %d %d\n", cpu(&processor, &node, NULL), processor < 1234, node < 1234);
	printf("%ld\n", cpu(NULL, NULL, NULL));
}

/* What a function must keep it keeps, and the direction flag and the red zone are as they were. */
static void registers(void)
{
	int (*get)(clockid_t, struct timespec *) = find("clock_gettime");
	struct timespec now;
	register long r12 __asm__("r12") = 12, r13 __asm__("r13") = 13, r14 __asm__("r14") = 14,
			  r15 __asm__("r15") = 15;
	long result;
	__asm__ volatile("sub $128, %%rsp\n\tcall *%5\n\tadd $128, %%rsp"
	                 : "=a"(result), "+r"(r12), "+r"(r13), "+r"(r14), "+r"(r15)
	                 : "r"(get), "D"((long)CLOCK_MONOTONIC), "S"(&now)
	                 : "rcx", "rdx", "r8", "r9", "r10", "r11", "memory", "cc");
	printf("%ld, %ld %ld %ld %ld\n", result, r12, r13, r14, r15);
}

static void map(void)
{
	char line[256];
	FILE *maps = fopen("/proc/self/maps", "r");
	while (fgets(line, sizeof(line), maps)) {
		unsigned long start, end;
		char rights[5];
		if (!strstr(line, "[vdso]"))
			continue;
		sscanf(line, "%lx-%lx %4s", &start, &end, rights);
		printf("[vdso] %s, at the address told: %d\n", rights, start == (unsigned long)base);
	}
	fclose(maps);
	SAY(mprotect((void *)base, 4096, PROT_READ | PROT_EXEC));
}

int main(void)
{
	read_dynamic();
	clocks();
	others();
	registers();
	map();
	fflush(stdout);
	if (!fork()) {
		struct timespec now;
		SAY(clock_gettime(CLOCK_MONOTONIC, &now));
		map();
		fflush(stdout);
		_exit(0);
	}
	wait(NULL);
	return 0;
}
