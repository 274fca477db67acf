/* SPDX-License-Identifier: MIT */
/* Uses the processor's features, and not those that KVM reports: ring 3 of a guest may run directly on the host's
 * processor. The C library's loader has read them: in a virtual machine each CPUID is an exit, which costs up to 10 us.
 */
#include "guest/cpu_host.h"

#include <cpuid.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/platform/x86.h>
#include <unistd.h>

#include "abi/boot.h"
#include "abi/cpu_model.h"

#define OSXSAVE (1U << 27)
#define AVX (1U << 28)
#define XGETBV1 (1U << 2) /* XGETBV with 1, which returns the states in use */
#define V3_FEATURES 10

const char *const cpu_host_model_names[CPU_MODELS] = {[CPU_V2] = "v2", [CPU_V3] = "v3", [CPU_V4] = "v4"};

/* The registers that CPUID returned, before the C library masked any feature. */
static uint32_t read_leaf(unsigned leaf, unsigned index)
{
	return __x86_get_cpuid_feature_leaf(leaf)->cpuid_array[index];
}

void cpu_host_read(struct cpu_host *host)
{
	*host = (struct cpu_host){
		.leaf1_ecx = read_leaf(CPUID_INDEX_1, cpuid_register_index_ecx),
		.leaf7_ebx = read_leaf(CPUID_INDEX_7, cpuid_register_index_ebx),
		.leafd_eax = read_leaf(CPUID_INDEX_D_ECX_1, cpuid_register_index_eax),
		.extended_ecx = read_leaf(CPUID_INDEX_80000001, cpuid_register_index_ecx),
	};
	uint32_t high;
	if (host->leaf1_ecx & OSXSAVE)
		__asm__ volatile("xgetbv" : "=a"(host->xcr0), "=d"(high) : "c"(0));
}

/* Keeps the printable characters, without blanks at both ends and without several in a row. */
static void clean_name(const char *from, size_t bytes, char to[CPU_HOST_NAME])
{
	size_t count = 0;
	for (size_t i = 0; i < bytes && from[i]; i++) {
		bool is_blank = from[i] <= ' ' || from[i] > '~';
		if (!is_blank)
			to[count++] = from[i];
		else if (count && to[count - 1] != ' ')
			to[count++] = ' ';
	}
	to[count && to[count - 1] == ' ' ? count - 1 : count] = 0;
}

void cpu_host_name(char vendor[CPU_HOST_NAME], char model[CPU_HOST_NAME])
{
	uint32_t all[12] = {0}, unused, words[3] = {0};
	__get_cpuid(0, &unused, &words[0], &words[2], &words[1]); /* EBX, EDX, ECX */
	clean_name((const char *)words, sizeof(words), vendor);
	for (unsigned i = 0; i < 3; i++) /* the C library has not read these */
		__get_cpuid(0x80000002 + i, &all[4 * i], &all[4 * i + 1], &all[4 * i + 2], &all[4 * i + 3]);
	clean_name((const char *)all, sizeof(all), model);
}

static bool has_avx(const struct cpu_host *host)
{
	return host->leaf1_ecx & AVX && (host->xcr0 & CPU_V3_XCR0) == CPU_V3_XCR0;
}

/* Whether the host has AVX-512 and the states that the kernel needs to save it. */
static bool has_avx512(const struct cpu_host *host)
{
	return (host->leaf7_ebx & CPU_V4_LEAF7_EBX) == CPU_V4_LEAF7_EBX && (host->xcr0 & CPU_V4_XCR0) == CPU_V4_XCR0 &&
	       host->leafd_eax & XGETBV1;
}

uint32_t cpu_host_flags(enum cpu_model model)
{
	static const uint32_t flags[] = {
		[CPU_V2] = 0,
		[CPU_V3] = BOOT_FLAG_CPU_V3 | BOOT_FLAG_CPU_UPPER,
		[CPU_V4] = BOOT_FLAG_CPU_V4 | BOOT_FLAG_CPU_UPPER | BOOT_FLAG_CPU_WIDE,
	};
	struct cpu_host host;
	if (access("/sys/module/kvm_pvm", F_OK)) /* only one vendor's module of KVM can be loaded */
		return flags[model];
	cpu_host_read(&host);
	return BOOT_FLAG_SHADOWED | flags[model] | (has_avx(&host) ? BOOT_FLAG_CPU_UPPER : 0) |
	       (has_avx512(&host) ? BOOT_FLAG_CPU_WIDE : 0);
}

const char *cpu_host_lacks(const struct cpu_host *host, enum cpu_model model)
{
	const struct {
		const char *name;
		uint32_t has, wants;
	} features[] = {
		{"XSAVE", host->leaf1_ecx, 3U << 26},
		{"AVX", host->leaf1_ecx, 1U << 28},
		{"AVX state", host->xcr0, CPU_V3_XCR0},
		{"AVX2", host->leaf7_ebx, 1U << 5},
		{"FMA", host->leaf1_ecx, 1U << 12},
		{"BMI1", host->leaf7_ebx, 1U << 3},
		{"BMI2", host->leaf7_ebx, 1U << 8},
		{"F16C", host->leaf1_ecx, 1U << 29},
		{"MOVBE", host->leaf1_ecx, 1U << 22},
		{"LZCNT", host->extended_ecx, 1U << 5},
		{"AVX512F", host->leaf7_ebx, 1U << 16},
		{"AVX512DQ", host->leaf7_ebx, 1U << 17},
		{"AVX512CD", host->leaf7_ebx, 1U << 28},
		{"AVX512BW", host->leaf7_ebx, 1U << 30},
		{"AVX512VL", host->leaf7_ebx, 1U << 31},
		{"AVX-512 state", host->xcr0, CPU_V4_XCR0},
		{"XGETBV with ECX 1", host->leafd_eax, XGETBV1},
	};
	const size_t all = sizeof(features) / sizeof(features[0]);
	for (size_t i = 0; i < (model == CPU_V4 ? all : V3_FEATURES); i++)
		if ((features[i].has & features[i].wants) != features[i].wants)
			return features[i].name;
	return NULL;
}

bool cpu_host_refuse(const struct cpu_host *host, enum cpu_model model, struct error *error)
{
	const char *lacks = cpu_host_lacks(host, model);
	if (!lacks)
		return false;
	const enum cpu_model has = cpu_host_lacks(host, CPU_V3) ? CPU_V2 : CPU_V3;
	error_set(error, ENOTSUP,
	          "the host's processor or kernel lacks %s, which the processor model %s%s needs; give --cpu %s", lacks,
	          cpu_host_model_names[model], model == CPU_V3 ? ", the default for Linux programs," : "",
	          cpu_host_model_names[has]);
	return true;
}
