/* SPDX-License-Identifier: MIT */
/* CPUID, RDTSC and their kin, from the processor model and the virtual clock. The counter runs at 1 GHz. */
#include "kernel/arch/emulate.h"

#include "abi/cpu_model.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/string.h"
#include "kernel/mm/frame.h"
#include "kernel/signal/signal.h"
#include "kernel/time/vclock.h"

/* What reading the counter costs; a loop that waits for time to pass so comes to its end. */
#define RDTSC_NS 20

static const struct trap_site *sites;
static uint64_t site_count;

void emulate_init(const struct boot_info *boot)
{
	sites = boot->trap_sites ? phys_to_virt(boot->trap_sites) : NULL;
	site_count = boot->trap_sites ? boot->trap_site_count : 0;
}

static const struct trap_site *find_site(uint64_t address)
{
	uint64_t low = 0, high = site_count;
	while (low < high) {
		uint64_t middle = (low + high) / 2;
		if (sites[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < site_count && sites[low].address == address ? &sites[low] : NULL;
}

static void emulate_cpuid(struct trap_frame *frame)
{
	struct cpu_leaf leaf = cpu_model_leaf((uint32_t)frame->rax, (uint32_t)frame->rcx);
	frame->rax = leaf.eax;
	frame->rbx = leaf.ebx;
	frame->rcx = leaf.ecx;
	frame->rdx = leaf.edx;
}

static void emulate_rdtsc(struct trap_frame *frame)
{
	vclock_advance(RDTSC_NS);
	uint64_t now = vclock_now();
	frame->rax = (uint32_t)now;
	frame->rdx = now >> 32;
}

bool emulate_trap_site(struct trap_frame *frame)
{
	uint64_t address = frame->rip - 1;
	const struct trap_site *site = find_site(address);
	if (!site)
		return false;
	switch (site->kind) {
	case TRAP_CPUID:
		emulate_cpuid(frame);
		break;
	case TRAP_RDTSC:
		emulate_rdtsc(frame);
		break;
	case TRAP_RDTSCP:
		emulate_rdtsc(frame);
		frame->rcx = 0; /* IA32_TSC_AUX: processor 0 */
		break;
	default: /* RDRAND, RDSEED, RDPID, XGETBV: not in the model */
		frame->rip = address;
		signal_fault(frame, LINUX_SIGILL, LINUX_ILL_ILLOPN, address,
			     "the program executed RDRAND, RDSEED, RDPID or XGETBV, which its processor model does not have");
		return true;
	}
	frame->rip = address + site->length;
	return true;
}
