/* SPDX-License-Identifier: MIT */
/* The patched instructions of an image. The monitor has found them and lists them in the boot area. */
#include "abi/boot.h"
#include "kernel/arch/direct_map.h"
#include "kernel/lib/search.h"
#include "kernel/native/native.h"

static const struct trap_site *sites;
static uint64_t site_count;

void trap_sites_init(const struct boot_info *boot)
{
	sites = boot->trap_sites ? phys_to_virt(boot->trap_sites) : NULL;
	site_count = boot->trap_sites ? boot->trap_site_count : 0;
}

const struct trap_site *trap_sites_find(uint64_t address)
{
	size_t i = search_first(site_count, at, sites[at].address < address);
	return i < site_count && sites[i].address == address ? &sites[i] : NULL;
}
