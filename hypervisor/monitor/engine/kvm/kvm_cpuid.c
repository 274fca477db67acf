/* SPDX-License-Identifier: MIT */
#include "engine/kvm/kvm_cpuid.h"

#include <linux/kvm.h>
#include <string.h>
#include <sys/ioctl.h>

#include "abi/cpu_model.h"

#define ENTRIES_MAX 32
#define TOPOLOGY_ENTRIES 3

/* Sets the number of processors in the first entries, and adds the TOPOLOGY_ENTRIES entries of leaf 0xb. */
static uint32_t add_topology(struct kvm_cpuid_entry2 *entries, size_t count, uint32_t processors)
{
	for (uint32_t i = 0; i < TOPOLOGY_ENTRIES; i++)
		entries[count + i] = (struct kvm_cpuid_entry2){
			.function = 0xb, .index = i, .flags = KVM_CPUID_FLAG_SIGNIFCANT_INDEX};
	for (size_t i = 0; i < count + TOPOLOGY_ENTRIES; i++) {
		struct kvm_cpuid_entry2 *at = &entries[i];
		struct cpu_leaf leaf = {at->function, at->index, at->eax, at->ebx, at->ecx, at->edx};
		leaf = cpu_model_topology(leaf, processors, 0);
		at->eax = leaf.eax;
		at->ebx = leaf.ebx;
		at->ecx = leaf.ecx;
		at->edx = leaf.edx;
	}
	return TOPOLOGY_ENTRIES;
}

int kvm_cpuid_set(int vcpu, const struct engine_cpu *cpu)
{
#define ENTRY(f, i, a, b, c, d) \
	{.function = f, \
	 .index = i, \
	 .flags = CPU_MODEL_HAS_INDEX(f) ? KVM_CPUID_FLAG_SIGNIFCANT_INDEX : 0, \
	 .eax = a, \
	 .ebx = b, \
	 .ecx = c, \
	 .edx = d},
	static const struct kvm_cpuid_entry2 v2[] = {CPU_MODEL_LEAVES(ENTRY)}, v3[] = {CPU_MODEL_V3_LEAVES(ENTRY)},
					     v4[] = {CPU_MODEL_V4_LEAVES(ENTRY)};
#undef ENTRY
#define COUNT(entries) (sizeof(entries) / sizeof((entries)[0]))
	static const struct {
		const struct kvm_cpuid_entry2 *entries;
		size_t count;
	} models[] = {[CPU_V2] = {v2, COUNT(v2)}, [CPU_V3] = {v3, COUNT(v3)}, [CPU_V4] = {v4, COUNT(v4)}};
	_Static_assert(COUNT(v4) + TOPOLOGY_ENTRIES <= ENTRIES_MAX, "the longest one");
#undef COUNT
	const size_t count = models[cpu->model].count;
	struct {
		struct kvm_cpuid2 header;
		struct kvm_cpuid_entry2 entries[ENTRIES_MAX];
	} cpuid;
	memset(&cpuid, 0, sizeof(cpuid));
	memcpy(cpuid.entries, models[cpu->model].entries, count * sizeof(cpuid.entries[0]));
	cpuid.header.nent = (uint32_t)count;
	if (cpu->processors > 1)
		cpuid.header.nent += add_topology(cpuid.entries, count, cpu->processors);
	return ioctl(vcpu, KVM_SET_CPUID2, &cpuid);
}
