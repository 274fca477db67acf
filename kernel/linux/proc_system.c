/* SPDX-License-Identifier: MIT */
/* What /proc tells of the system as a whole: the guest's one processor, its memory and its clock. */
#include "abi/errno.h"
#include "abi/linux.h"
#include "kernel/lib/string.h"
#include "kernel/linux/cpu.h"
#include "kernel/linux/proc.h"
#include "kernel/mm/frame.h"
#include "kernel/mm/vm.h"
#include "kernel/rand/entropy.h"
#include "kernel/sched/sched.h"
#include "kernel/sys/sys.h"
#include "kernel/time/vclock.h"
#include "kernel/vfs/fdtable.h"

#define TICK_NS 10000000UL

/* --- the processor --- */

/* Names of bits as Linux has them, in the order in which it lists them; those that the model may have. */
static const struct {
	uint32_t leaf;
	char part; /* of b, c and d */
	uint8_t bit;
	const char *name;
} flags[] = {
	{1, 'd', 0, "fpu"},
	{1, 'd', 1, "vme"},
	{1, 'd', 2, "de"},
	{1, 'd', 3, "pse"},
	{1, 'd', 4, "tsc"},
	{1, 'd', 5, "msr"},
	{1, 'd', 6, "pae"},
	{1, 'd', 7, "mce"},
	{1, 'd', 8, "cx8"},
	{1, 'd', 9, "apic"},
	{1, 'd', 11, "sep"},
	{1, 'd', 12, "mtrr"},
	{1, 'd', 13, "pge"},
	{1, 'd', 14, "mca"},
	{1, 'd', 15, "cmov"},
	{1, 'd', 16, "pat"},
	{1, 'd', 17, "pse36"},
	{1, 'd', 19, "clflush"},
	{1, 'd', 23, "mmx"},
	{1, 'd', 24, "fxsr"},
	{1, 'd', 25, "sse"},
	{1, 'd', 26, "sse2"},
	{0x80000001, 'd', 11, "syscall"},
	{0x80000001, 'd', 20, "nx"},
	{0x80000001, 'd', 27, "rdtscp"},
	{0x80000001, 'd', 29, "lm"},
	{1, 'c', 0, "pni"},
	{1, 'c', 1, "pclmulqdq"},
	{1, 'c', 9, "ssse3"},
	{1, 'c', 12, "fma"},
	{1, 'c', 13, "cx16"},
	{1, 'c', 19, "sse4_1"},
	{1, 'c', 20, "sse4_2"},
	{1, 'c', 22, "movbe"},
	{1, 'c', 23, "popcnt"},
	{1, 'c', 25, "aes"},
	{1, 'c', 26, "xsave"},
	{1, 'c', 28, "avx"},
	{1, 'c', 29, "f16c"},
	{1, 'c', 31, "hypervisor"},
	{0x80000001, 'c', 0, "lahf_lm"},
	{0x80000001, 'c', 5, "abm"},
	{7, 'b', 0, "fsgsbase"},
	{7, 'b', 3, "bmi1"},
	{7, 'b', 5, "avx2"},
	{7, 'b', 8, "bmi2"},
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

static int cpuinfo(const struct proc_object *object, struct text *text)
{
	struct cpu_leaf vendor = cpu_leaf(0, 0), leaf = cpu_leaf(1, 0);
	(void)object;
	text_print(text, "processor\t: 0\nvendor_id\t: ");
	add_leaf_text(text, vendor.ebx, vendor.edx, vendor.ecx, 0);
	text_print(text, "\ncpu family\t: %u\nmodel\t\t: %u\nmodel name\t: ", leaf.eax >> 8 & 15,
	           (leaf.eax >> 4 & 15) | (leaf.eax >> 12 & 0xf0));
	for (uint32_t i = 0x80000002; i <= 0x80000004; i++) {
		struct cpu_leaf name = cpu_leaf(i, 0);
		add_leaf_text(text, name.eax, name.ebx, name.ecx, name.edx);
	}
	text_print(text,
	           "\nstepping\t: %u\ncpu MHz\t\t: 1000.000\ncache size\t: 4096 KB\nphysical id\t: 0\n"
	           "siblings\t: 1\ncore id\t\t: 0\ncpu cores\t: 1\napicid\t\t: 0\ninitial apicid\t: 0\nfpu\t\t: yes\n"
	           "fpu_exception\t: yes\ncpuid level\t: %u\nwp\t\t: yes\n",
	           leaf.eax & 15, CPU_MODEL_BASIC_MAX);
	add_flags(text);
	text_print(text, "bugs\t\t:\nbogomips\t: 2000.00\nclflush size\t: 64\ncache_alignment\t: 64\n"
	                 "address sizes\t: 40 bits physical, 48 bits virtual\npower management:\n\n");
	return 0;
}

/* --- memory and time --- */

static int meminfo(const struct proc_object *object, struct text *text)
{
	uint64_t total = frame_total_bytes() / 1024, free = frame_free_bytes() / 1024;
	const struct {
		const char *name;
		uint64_t kib;
	} lines[] = {
		{"MemTotal:", total}, {"MemFree:", free},      {"MemAvailable:", free},
		{"Buffers:", 0},      {"Cached:", 0},          {"SwapCached:", 0},
		{"Active:", 0},       {"Inactive:", 0},        {"SwapTotal:", 0},
		{"SwapFree:", 0},     {"Dirty:", 0},           {"Writeback:", 0},
		{"AnonPages:", 0},    {"Mapped:", 0},          {"Shmem:", 0},
		{"Slab:", 0},         {"CommitLimit:", total}, {"Committed_AS:", total - free},
	};
	(void)object;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		text_print(text, "%s", lines[i].name);
		for (size_t column = strlen(lines[i].name); column < 16; column++)
			text_add(text, " ", 1);
		text_print(text, "%8lu kB\n", lines[i].kib);
	}
	text_print(text, "HugePages_Total:       0\nHugePages_Free:        0\nHugepagesize:       2048 kB\n");
	return 0;
}

static int uptime(const struct proc_object *object, struct text *text)
{
	uint64_t now = vclock_now() / TICK_NS, idle = now - vclock_cpu() / TICK_NS;
	(void)object;
	text_print(text, "%lu.%02lu %lu.%02lu\n", now / 100, now % 100, idle / 100, idle % 100);
	return 0;
}

static int loadavg(const struct proc_object *object, struct text *text)
{
	uint32_t last = 0;
	(void)object;
	for (const struct process *process = &process_first; process; process = process->next)
		last = process->id > last ? process->id : last;
	text_print(text, "0.00 0.00 0.00 1/%u %u\n", thread_count(), last);
	return 0;
}

static int stat(const struct proc_object *object, struct text *text)
{
	uint64_t busy = vclock_cpu() / TICK_NS, idle = vclock_now() / TICK_NS - busy;
	int64_t start = vclock_realtime() - (int64_t)vclock_now();
	unsigned processes = 0;
	(void)object;
	for (const struct process *process = &process_first; process; process = process->next)
		processes++;
	text_print(text, "cpu  %lu 0 0 %lu 0 0 0 0 0 0\ncpu0 %lu 0 0 %lu 0 0 0 0 0 0\nintr 0\nctxt 0\n", busy, idle,
	           busy, idle);
	text_print(text, "btime %ld\nprocesses %u\nprocs_running 1\nprocs_blocked 0\n", start / 1000000000, processes);
	return 0;
}

/* --- names and random numbers --- */

/* What uname(2) says; too large for the stack. */
static const struct linux_utsname *identity(void)
{
	static struct linux_utsname name;
	sys_uname(&name);
	return &name;
}

static int version(const struct proc_object *object, struct text *text)
{
	const struct linux_utsname *name = identity();
	(void)object;
	text_print(text, "%s version %s (eremite@eremite) %s\n", name->sysname, name->release, name->version);
	return 0;
}

#define IDENTITY(function, member) \
	static int function(const struct proc_object *object, struct text *text) \
	{ \
		const struct linux_utsname *name = identity(); \
		(void)object; \
		text_print(text, "%s\n", name->member); \
		return 0; \
	}

IDENTITY(ostype, sysname)
IDENTITY(osrelease, release)
IDENTITY(kernel_version, version)
IDENTITY(hostname, nodename)
IDENTITY(domainname, domainname)
#undef IDENTITY

/* RFC 9562, version 4. */
static void add_uuid(struct text *text, uint8_t *bytes)
{
	bytes[6] = (uint8_t)((bytes[6] & 0x0f) | 0x40);
	bytes[8] = (uint8_t)((bytes[8] & 0x3f) | 0x80);
	for (int i = 0; i < 16; i++)
		text_print(text, i == 4 || i == 6 || i == 8 || i == 10 ? "-%02x" : "%02x", bytes[i]);
	text_print(text, "\n");
}

static int uuid(const struct proc_object *object, struct text *text)
{
	uint8_t bytes[16];
	(void)object;
	entropy_draw(ENTROPY_PROGRAM, bytes, sizeof(bytes));
	add_uuid(text, bytes);
	return 0;
}

/* Drawn when it is first asked for, so that programs that never do draw what they drew before. */
static int boot_id(const struct proc_object *object, struct text *text)
{
	static uint8_t bytes[16];
	static bool drawn;
	(void)object;
	if (!drawn)
		entropy_draw(ENTROPY_PROGRAM, bytes, sizeof(bytes));
	drawn = true;
	add_uuid(text, bytes);
	return 0;
}

static int self(const struct proc_object *object, struct text *text)
{
	(void)object;
	text_print(text, "%u", process_current->id);
	return 0;
}

static int thread_self(const struct proc_object *object, struct text *text)
{
	(void)object;
	text_print(text, "%u/task/%u", process_current->id, thread_current->tid);
	return 0;
}

static int map_count(const struct proc_object *object, struct text *text)
{
	(void)object;
	text_print(text, "%u\n", VM_MAPPINGS_MAX);
	return 0;
}

static int nr_open(const struct proc_object *object, struct text *text)
{
	(void)object;
	text_print(text, "%u\n", FDTABLE_MAX);
	return 0;
}

#define DIRECTORY(path) \
	{ \
		path, LINUX_S_IFDIR | 0555, NULL, NULL, NULL, NULL \
	}

const struct proc_entry proc_system_table[] = {
	{"self", LINUX_S_IFLNK | 0777, NULL, self, NULL, NULL},
	{"thread-self", LINUX_S_IFLNK | 0777, NULL, thread_self, NULL, NULL},
	{"mounts", LINUX_S_IFLNK | 0777, "self/mounts", NULL, NULL, NULL},
	PROC_TEXT("cpuinfo", cpuinfo),
	PROC_TEXT("meminfo", meminfo),
	PROC_TEXT("uptime", uptime),
	PROC_TEXT("loadavg", loadavg),
	PROC_TEXT("stat", stat),
	PROC_TEXT("version", version),
	PROC_FIXED("filesystems", "nodev\tsysfs\nnodev\ttmpfs\nnodev\tproc\nnodev\tpipefs\nnodev\tsockfs\n\terofs\n"),
	PROC_FIXED("cmdline", "\n"),
	PROC_FIXED("swaps", "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"),
	DIRECTORY("sys"),
	DIRECTORY("sys/kernel"),
	PROC_TEXT("sys/kernel/ostype", ostype),
	PROC_TEXT("sys/kernel/osrelease", osrelease),
	PROC_TEXT("sys/kernel/version", kernel_version),
	PROC_TEXT("sys/kernel/hostname", hostname),
	PROC_TEXT("sys/kernel/domainname", domainname),
	PROC_FIXED("sys/kernel/pid_max", "4194304\n"),
	PROC_FIXED("sys/kernel/threads-max", "4096\n"),
	PROC_FIXED("sys/kernel/cap_last_cap", "40\n"),
	PROC_FIXED("sys/kernel/ngroups_max", "65536\n"),
	PROC_FIXED("sys/kernel/randomize_va_space", "0\n"),
	PROC_FIXED("sys/kernel/core_pattern", "core\n"),
	DIRECTORY("sys/kernel/random"),
	PROC_TEXT("sys/kernel/random/boot_id", boot_id),
	PROC_TEXT("sys/kernel/random/uuid", uuid),
	PROC_FIXED("sys/kernel/random/entropy_avail", "256\n"),
	PROC_FIXED("sys/kernel/random/poolsize", "256\n"),
	DIRECTORY("sys/vm"),
	PROC_FIXED("sys/vm/overcommit_memory", "1\n"),
	PROC_FIXED("sys/vm/overcommit_ratio", "50\n"),
	PROC_TEXT("sys/vm/max_map_count", map_count),
	PROC_FIXED("sys/vm/mmap_min_addr", "65536\n"),
	DIRECTORY("sys/fs"),
	PROC_FIXED("sys/fs/file-max", "9223372036854775807\n"),
	PROC_TEXT("sys/fs/nr_open", nr_open),
	PROC_FIXED("sys/fs/pipe-max-size", "1048576\n"),
	{0},
};

/* --- /sys --- */

#define CPU "devices/system/cpu/"

const struct proc_entry proc_sys_table[] = {
	DIRECTORY("devices"),
	DIRECTORY("devices/system"),
	DIRECTORY("devices/system/cpu"),
	PROC_FIXED(CPU "online", "0\n"),
	PROC_FIXED(CPU "possible", "0\n"),
	PROC_FIXED(CPU "present", "0\n"),
	PROC_FIXED(CPU "offline", "\n"),
	PROC_FIXED(CPU "kernel_max", "0\n"),
	DIRECTORY(CPU "cpu0"),
	DIRECTORY(CPU "cpu0/topology"),
	PROC_FIXED(CPU "cpu0/topology/core_id", "0\n"),
	PROC_FIXED(CPU "cpu0/topology/physical_package_id", "0\n"),
	PROC_FIXED(CPU "cpu0/topology/core_siblings", "1\n"),
	PROC_FIXED(CPU "cpu0/topology/core_siblings_list", "0\n"),
	PROC_FIXED(CPU "cpu0/topology/thread_siblings", "1\n"),
	PROC_FIXED(CPU "cpu0/topology/thread_siblings_list", "0\n"),
	DIRECTORY("kernel"),
	DIRECTORY("kernel/mm"),
	DIRECTORY("kernel/mm/transparent_hugepage"),
	PROC_FIXED("kernel/mm/transparent_hugepage/enabled", "always madvise [never]\n"),
	{0},
};
