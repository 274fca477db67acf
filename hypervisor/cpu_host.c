/* SPDX-License-Identifier: MIT */
/* By CPUID, and not by what KVM says that it could show: ring 3 of a guest may run on the processor as it is. */
#include "cpu_host.h"

#include <cpuid.h>
#include <stddef.h>
#include <unistd.h>

#include "abi/boot.h"
#include "abi/cpu_model.h"

#define OSXSAVE (1U << 27)
#define AVX (1U << 28)

void cpu_host_read(struct cpu_host *host)
{
	uint32_t a, b, c, d;
	*host = (struct cpu_host){0};
	if (__get_cpuid(1, &a, &b, &c, &d))
		host->leaf1_ecx = c;
	if (__get_cpuid_count(7, 0, &a, &b, &c, &d))
		host->leaf7_ebx = b;
	if (__get_cpuid(0x80000001, &a, &b, &c, &d))
		host->extended_ecx = c;
	if (host->leaf1_ecx & OSXSAVE)
		__asm__ volatile("xgetbv" : "=a"(host->xcr0), "=d"(d) : "c"(0));
}

static bool shows_avx(void)
{
	struct cpu_host host;
	if (access("/sys/module/kvm_pvm", F_OK)) /* KVM has one vendor's module at a time */
		return false;
	cpu_host_read(&host);
	return host.leaf1_ecx & AVX && (host.xcr0 & CPU_V3_XCR0) == CPU_V3_XCR0;
}

uint32_t cpu_host_flags(bool is_v3)
{
	return (is_v3 ? BOOT_FLAG_CPU_V3 : 0) | (is_v3 || shows_avx() ? BOOT_FLAG_CPU_UPPER : 0);
}

const char *cpu_host_lacks(const struct cpu_host *host)
{
	const struct {
		const char *name;
		uint32_t has, wants;
	} features[] = {
		{"XSAVE", host->leaf1_ecx, 3U << 26},   {"AVX", host->leaf1_ecx, 1U << 28},
		{"AVX state", host->xcr0, CPU_V3_XCR0}, {"AVX2", host->leaf7_ebx, 1U << 5},
		{"FMA", host->leaf1_ecx, 1U << 12},     {"BMI1", host->leaf7_ebx, 1U << 3},
		{"BMI2", host->leaf7_ebx, 1U << 8},     {"F16C", host->leaf1_ecx, 1U << 29},
		{"MOVBE", host->leaf1_ecx, 1U << 22},   {"LZCNT", host->extended_ecx, 1U << 5},
	};
	for (size_t i = 0; i < sizeof(features) / sizeof(features[0]); i++)
		if ((features[i].has & features[i].wants) != features[i].wants)
			return features[i].name;
	return NULL;
}
