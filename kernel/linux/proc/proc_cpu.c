/* SPDX-License-Identifier: MIT */
/* Processors in /proc and /sys: each is a core of one package, and all are of the processor model. */
#include "kernel/linux/proc/proc_cpu.h"

#include "abi/errno.h"
#include "kernel/lib/format.h"
#include "kernel/lib/string.h"
#include "kernel/linux/cpu/cpu.h"
#include "kernel/sys/scheduling.h"
#include "kernel/vfs/dentry.h"

/* --- /proc/cpuinfo --- */

/* Linux's names of feature bits that the model may have, in Linux's order. */
static const struct {
	uint32_t leaf;
	char part; /* of b, c and d */
	uint8_t bit;
	const char *name;
} flags[] = {
	{1, 'd', 0, "fpu"},          {1, 'd', 1, "vme"},
	{1, 'd', 2, "de"},           {1, 'd', 3, "pse"},
	{1, 'd', 4, "tsc"},          {1, 'd', 5, "msr"},
	{1, 'd', 6, "pae"},          {1, 'd', 7, "mce"},
	{1, 'd', 8, "cx8"},          {1, 'd', 9, "apic"},
	{1, 'd', 11, "sep"},         {1, 'd', 12, "mtrr"},
	{1, 'd', 13, "pge"},         {1, 'd', 14, "mca"},
	{1, 'd', 15, "cmov"},        {1, 'd', 16, "pat"},
	{1, 'd', 17, "pse36"},       {1, 'd', 19, "clflush"},
	{1, 'd', 23, "mmx"},         {1, 'd', 24, "fxsr"},
	{1, 'd', 25, "sse"},         {1, 'd', 26, "sse2"},
	{1, 'd', 28, "ht"},          {0x80000001, 'd', 11, "syscall"},
	{0x80000001, 'd', 20, "nx"}, {0x80000001, 'd', 27, "rdtscp"},
	{0x80000001, 'd', 29, "lm"}, {1, 'c', 0, "pni"},
	{1, 'c', 1, "pclmulqdq"},    {1, 'c', 9, "ssse3"},
	{1, 'c', 12, "fma"},         {1, 'c', 13, "cx16"},
	{1, 'c', 19, "sse4_1"},      {1, 'c', 20, "sse4_2"},
	{1, 'c', 22, "movbe"},       {1, 'c', 23, "popcnt"},
	{1, 'c', 25, "aes"},         {1, 'c', 26, "xsave"},
	{1, 'c', 28, "avx"},         {1, 'c', 29, "f16c"},
	{1, 'c', 31, "hypervisor"},  {0x80000001, 'c', 0, "lahf_lm"},
	{0x80000001, 'c', 5, "abm"}, {7, 'b', 0, "fsgsbase"},
	{7, 'b', 3, "bmi1"},         {7, 'b', 5, "avx2"},
	{7, 'b', 8, "bmi2"},         {7, 'b', 16, "avx512f"},
	{7, 'b', 17, "avx512dq"},    {7, 'b', 28, "avx512cd"},
	{7, 'b', 30, "avx512bw"},    {7, 'b', 31, "avx512vl"},
};

static void add_flags(struct text *text)
{
	text_print(text, "flags\t\t:");
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		struct cpu_leaf leaf = cpu_leaf(flags[i].leaf, 0);
		uint32_t part = flags[i].part == 'b' ? leaf.ebx : flags[i].part == 'c' ? leaf.ecx : leaf.edx;
		if (part >> flags[i].bit & 1)
			text_print(text, " %s", flags[i].name);
	}
	text_print(text, "\n");
}

static void add_leaf_text(struct text *text, uint32_t first, uint32_t second, uint32_t third, uint32_t fourth)
{
	const uint32_t words[4] = {first, second, third, fourth};
	text_add(text, words, strnlen((const char *)words, sizeof(words)));
}

static void add_processor(struct text *text, uint32_t number)
{
	struct cpu_leaf vendor = cpu_leaf(0, 0), leaf = cpu_leaf(1, 0);
	text_print(text, "processor\t: %u\nvendor_id\t: ", number);
	add_leaf_text(text, vendor.ebx, vendor.edx, vendor.ecx, 0);
	text_print(text, "\ncpu family\t: %u\nmodel\t\t: %u\nmodel name\t: ", leaf.eax >> 8 & 15,
	           (leaf.eax >> 4 & 15) | (leaf.eax >> 12 & 0xf0));
	for (uint32_t i = 0x80000002; i <= 0x80000004; i++) {
		struct cpu_leaf name = cpu_leaf(i, 0);
		add_leaf_text(text, name.eax, name.ebx, name.ecx, name.edx);
	}
	text_print(text, "\nstepping\t: %u\ncpu MHz\t\t: 1000.000\ncache size\t: 4096 KB\nphysical id\t: 0\n",
	           leaf.eax & 15);
	text_print(text, "siblings\t: %u\ncore id\t\t: %u\ncpu cores\t: %u\napicid\t\t: %u\ninitial apicid\t: %u\n",
	           scheduling_processors, number, scheduling_processors, number, number);
	text_print(text, "fpu\t\t: yes\nfpu_exception\t: yes\ncpuid level\t: %u\nwp\t\t: yes\n", CPU_MODEL_BASIC_MAX);
	add_flags(text);
	text_print(text, "bugs\t\t:\nbogomips\t: 2000.00\nclflush size\t: 64\ncache_alignment\t: 64\n"
	                 "address sizes\t: 40 bits physical, 48 bits virtual\npower management:\n\n");
}

int proc_cpuinfo(const struct proc_object *object, struct text *text)
{
	(void)object;
	for (uint32_t i = 0; i < scheduling_processors; i++)
		add_processor(text, i);
	return 0;
}

/* --- sets of processors --- */

/* Adds a mask in Linux's format: 32-bit words. The first word has as many digits as the processors need. */
static void add_mask(struct text *text, uint64_t mask)
{
	const uint32_t digits = ((scheduling_processors - 1) % 32) / 4 + 1;
	const uint32_t first = scheduling_processors > 32 ? 32 : 0;
	for (uint32_t i = digits; i-- > 0;)
		text_print(text, "%x", (uint32_t)(mask >> (first + 4 * i)) & 15);
	if (first)
		text_print(text, ",%08x", (uint32_t)mask);
	text_print(text, "\n");
}

static void add_list(struct text *text, uint64_t mask)
{
	const char *before = "";
	for (uint32_t i = 0; i < CPU_PROCESSORS_MAX; i++) {
		uint32_t end = i;
		if (!(mask >> i & 1))
			continue;
		while (end + 1 < CPU_PROCESSORS_MAX && mask >> (end + 1) & 1)
			end++;
		text_print(text, end > i ? "%s%u-%u" : "%s%u", before, i, end);
		before = ",";
		i = end;
	}
	text_print(text, "\n");
}

void proc_cpu_set(struct text *text, uint64_t mask)
{
	text_print(text, "Cpus_allowed:\t");
	add_mask(text, mask);
	text_print(text, "Cpus_allowed_list:\t");
	add_list(text, mask);
}

/* --- /sys/devices/system/cpu --- */

int proc_cpu_list(const struct proc_object *object, struct text *text)
{
	(void)object;
	add_list(text, scheduling_all());
	return 0;
}

int proc_cpu_max(const struct proc_object *object, struct text *text)
{
	(void)object;
	text_print(text, "%u\n", scheduling_processors - 1);
	return 0;
}

static int all_mask(const struct proc_object *object, struct text *text)
{
	(void)object;
	add_mask(text, scheduling_all());
	return 0;
}

static int own_mask(const struct proc_object *object, struct text *text)
{
	add_mask(text, 1UL << object->number);
	return 0;
}

static int own_number(const struct proc_object *object, struct text *text)
{
	text_print(text, "%u\n", object->number);
	return 0;
}

static const struct proc_entry processor_entry = PROC_DIRECTORY("", 0755, NULL);

static const struct proc_entry processor_table[] = {
	PROC_DIRECTORY("topology", 0755, NULL),
	PROC_TEXT("topology/core_id", own_number),
	PROC_FIXED("topology/physical_package_id", "0\n"),
	PROC_TEXT("topology/core_siblings", all_mask),
	PROC_TEXT("topology/core_siblings_list", proc_cpu_list),
	PROC_TEXT("topology/thread_siblings", own_mask),
	PROC_TEXT("topology/thread_siblings_list", own_number),
	{0},
};

/* Makes the entry of a number if it does not exist. Returns 0 or -ENOMEM. */
static int have_cpu(struct inode *dir, uint32_t number)
{
	const struct proc_object about = {.entry = &processor_entry, .number = number};
	char name[8];
	size_t length = format(name, sizeof(name), "cpu%u", number);
	if (dentry_find(dir, name, length, dentry_hash(name, length)))
		return 0;
	struct inode *made = proc_add(dir, name, &about);
	return made ? proc_add_all(made, processor_table, 0, number) : -ENOMEM;
}

int proc_cpu_refresh(struct inode *dir, const char *name, size_t length)
{
	int error = 0;
	(void)name, (void)length;
	for (uint32_t i = 0; i < scheduling_processors && !error; i++)
		error = have_cpu(dir, i);
	return error;
}
