/* SPDX-License-Identifier: MIT */
#include "kernel/net/fault/net_fault.h"

#include "abi/layout.h"
#include "kernel/arch/direct_map.h"
#include "kernel/rand/entropy.h"

#define MILLION 1000000

const struct boot_faults *net_fault_options(void)
{
	const struct boot_info *boot = phys_to_virt(LAYOUT_BOOT_INFO);
	return &boot->faults;
}

static uint64_t draw_fault(void)
{
	static bool is_seeded;
	uint64_t number;
	if (!is_seeded) {
		entropy_seed(NULL, ENTROPY_FAULTS, net_fault_options()->seed);
		is_seeded = true;
	}
	entropy_draw(NULL, ENTROPY_FAULTS, &number, sizeof(number));
	return number;
}

uint64_t net_fault_draw(uint64_t least, uint64_t most)
{
	return least < most ? least + draw_fault() % (most - least + 1) : least;
}

bool net_fault_happens(enum boot_fault fault)
{
	uint32_t rate = net_fault_options()->per_million[fault];
	return rate && draw_fault() % MILLION < rate;
}

uint64_t net_fault_hash(uint64_t key)
{
	uint64_t mixed = net_fault_options()->seed + key * 0x9e3779b97f4a7c15; /* splitmix64 */
	mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
	mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
	return mixed ^ mixed >> 31;
}

bool net_fault_concerns(uint64_t connection)
{
	uint32_t only = net_fault_options()->only_per_million;
	return !only || net_fault_hash(connection) % MILLION < only;
}

size_t net_fault_shorten(uint64_t connection, size_t bytes)
{
	return bytes > 1 && net_fault_concerns(connection) && net_fault_happens(BOOT_FAULT_SHORT)
	               ? 1 + draw_fault() % (bytes - 1)
	               : bytes;
}
