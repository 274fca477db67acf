/* SPDX-License-Identifier: MIT */
/* Files of /proc about the system as a whole: its memory, its clock and its names; and the contents of /sys. */
#include "abi/errno.h"
#include "abi/linux.h"
#include "kernel/lib/string.h"
#include "kernel/linux/event/sysv.h"
#include "kernel/linux/proc/proc.h"
#include "kernel/linux/proc/proc_cpu.h"
#include "kernel/mm/frame.h"
#include "kernel/mm/vm.h"
#include "kernel/rand/entropy.h"
#include "kernel/sched/sched.h"
#include "kernel/sys/scheduling.h"
#include "kernel/sys/sys.h"
#include "kernel/time/vclock.h"
#include "kernel/vfs/fdtable.h"

#define TICK_NS 10000000UL

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

static int vmstat(const struct proc_object *object, struct text *text)
{
	static const char *const counts[] = {"pgpgin", "pgpgout", "pswpin", "pswpout", "pgfault", "pgmajfault"};
	(void)object;
	text_print(text, "nr_free_pages %lu\n", frame_free_bytes() / PAGE_SIZE);
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		text_print(text, "%s 0\n", counts[i]);
	return 0;
}

static int uptime(const struct proc_object *object, struct text *text)
{
	uint64_t now = vclock_monotonic() / TICK_NS, idle = scheduling_processors * now - vclock_cpu() / TICK_NS;
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
	uint64_t now = vclock_monotonic() / TICK_NS, busy = vclock_cpu() / TICK_NS;
	int64_t start = vclock_realtime() - (int64_t)vclock_monotonic();
	unsigned processes = 0;
	(void)object;
	for (const struct process *process = &process_first; process; process = process->next)
		processes++;
	text_print(text, "cpu  %lu 0 0 %lu 0 0 0 0 0 0\n", busy, scheduling_processors * now - busy);
	for (uint32_t i = 0; i < scheduling_processors; i++) /* the first processor does all the work */
		text_print(text, "cpu%u %lu 0 0 %lu 0 0 0 0 0 0\n", i, i ? 0 : busy, i ? now : now - busy);
	text_print(text, "intr 0\nctxt 0\n");
	text_print(text, "btime %ld\nprocesses %u\nprocs_running 1\nprocs_blocked 0\n", start / 1000000000, processes);
	return 0;
}

/* --- names and random numbers --- */

/* The result of uname(2), which is too large for the stack. */
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
	entropy_draw(&process_current->entropy, ENTROPY_PROGRAM, bytes, sizeof(bytes));
	add_uuid(text, bytes);
	return 0;
}

/* From a stream of its own, so that it does not depend on the process that reads it first. */
static int boot_id(const struct proc_object *object, struct text *text)
{
	static uint8_t bytes[16];
	static bool drawn;
	(void)object;
	if (!drawn)
		entropy_draw(NULL, ENTROPY_BOOT, bytes, sizeof(bytes));
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

static int cap_last_cap(const struct proc_object *object, struct text *text)
{
	(void)object;
	text_print(text, "%u\n", CREDENTIALS_LAST);
	return 0;
}

/* Since Linux 6.1 its length and one more; here it is empty. */
static uint64_t cmdline_size(const struct inode *inode)
{
	(void)inode;
	return 1;
}

#define SYSVIPC(kind) \
	static int sysvipc_##kind(const struct proc_object *object, struct text *text) \
	{ \
		(void)object; \
		sysv_##kind##_list(text); \
		return 0; \
	}

SYSVIPC(msg)
SYSVIPC(sem)
SYSVIPC(shm)
#undef SYSVIPC

#define SYSCTLS(path_) \
	{ \
		.path = path_, .mode = LINUX_S_IFDIR | 0555, .links = proc_links_one \
	}

const struct proc_entry proc_system_table[] = {
	{.path = "self", .mode = LINUX_S_IFLNK | 0777, .text = self},
	{.path = "thread-self", .mode = LINUX_S_IFLNK | 0777, .text = thread_self},
	PROC_LINK("mounts", "self/mounts"),
	PROC_TEXT("cpuinfo", proc_cpuinfo),
	PROC_TEXT("meminfo", meminfo),
	PROC_TEXT("vmstat", vmstat),
	PROC_TEXT("uptime", uptime),
	PROC_TEXT("loadavg", loadavg),
	PROC_TEXT("stat", stat),
	PROC_TEXT("version", version),
	PROC_FIXED("filesystems",
                   "nodev\tsysfs\nnodev\ttmpfs\nnodev\tproc\nnodev\tdevpts\nnodev\tpipefs\nnodev\tsockfs\n\terofs\n"),
	{.path = "cmdline", .mode = LINUX_S_IFREG | 0444, .fixed = "\n", .size = cmdline_size},
	PROC_FIXED("swaps", "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"),
	PROC_LINK("net", "self/net"),
	PROC_DIRECTORY("sysvipc", 0555, NULL),
	PROC_TEXT("sysvipc/shm", sysvipc_shm),
	PROC_TEXT("sysvipc/sem", sysvipc_sem),
	PROC_TEXT("sysvipc/msg", sysvipc_msg),
	SYSCTLS("sys"),
	SYSCTLS("sys/kernel"),
	PROC_TEXT("sys/kernel/ostype", ostype),
	PROC_TEXT("sys/kernel/osrelease", osrelease),
	PROC_TEXT("sys/kernel/version", kernel_version),
	PROC_TUNABLE("sys/kernel/hostname", NULL, hostname),
	PROC_TUNABLE("sys/kernel/domainname", NULL, domainname),
	PROC_TUNABLE("sys/kernel/pid_max", "4194304\n", NULL),
	PROC_TUNABLE("sys/kernel/threads-max", "4096\n", NULL),
	PROC_TEXT("sys/kernel/cap_last_cap", cap_last_cap),
	PROC_FIXED("sys/kernel/ngroups_max", "65536\n"),
	PROC_TUNABLE("sys/kernel/randomize_va_space", "0\n", NULL),
	PROC_TUNABLE("sys/kernel/core_pattern", "core\n", NULL),
	PROC_TUNABLE("sys/kernel/dmesg_restrict", "0\n", NULL),
	PROC_TUNABLE("sys/kernel/msgmax", "8192\n", NULL),
	PROC_TUNABLE("sys/kernel/msgmnb", "16384\n", NULL),
	PROC_TUNABLE("sys/kernel/msgmni", "32000\n", NULL),
	PROC_TUNABLE("sys/kernel/sem", "32000\t1024000000\t500\t32000\n", NULL),
	PROC_TUNABLE("sys/kernel/shmall", "18446744073692774399\n", NULL),
	PROC_TUNABLE("sys/kernel/shmmax", "18446744073692774399\n", NULL),
	PROC_TUNABLE("sys/kernel/shmmni", "4096\n", NULL),
	SYSCTLS("sys/kernel/random"),
	PROC_TEXT("sys/kernel/random/boot_id", boot_id),
	PROC_TEXT("sys/kernel/random/uuid", uuid),
	PROC_FIXED("sys/kernel/random/entropy_avail", "256\n"),
	PROC_FIXED("sys/kernel/random/poolsize", "256\n"),
	SYSCTLS("sys/vm"),
	PROC_TUNABLE("sys/vm/overcommit_memory", "1\n", NULL),
	PROC_TUNABLE("sys/vm/overcommit_ratio", "50\n", NULL),
	PROC_TUNABLE("sys/vm/max_map_count", NULL, map_count),
	PROC_TUNABLE("sys/vm/mmap_min_addr", "65536\n", NULL),
	SYSCTLS("sys/fs"),
	PROC_TUNABLE("sys/fs/file-max", "9223372036854775807\n", NULL),
	PROC_TUNABLE("sys/fs/nr_open", NULL, nr_open),
	SYSCTLS("sys/fs/inotify"),
	PROC_TUNABLE("sys/fs/inotify/max_queued_events", "16384\n", NULL),
	PROC_TUNABLE("sys/fs/inotify/max_user_instances", "128\n", NULL),
	PROC_TUNABLE("sys/fs/inotify/max_user_watches", "65536\n", NULL),
	PROC_TUNABLE("sys/fs/pipe-max-size", "1048576\n", NULL),
	{0},
};

/* --- /sys --- */

#define CPU "devices/system/cpu/"

const struct proc_entry proc_sys_table[] = {
	PROC_DIRECTORY("devices", 0755, NULL),
	PROC_DIRECTORY("devices/system", 0755, NULL),
	{.path = "devices/system/cpu",
         .mode = LINUX_S_IFDIR | 0755,
         .refresh = proc_cpu_refresh,
         .links = proc_links_processors},
	PROC_TEXT(CPU "online", proc_cpu_list),
	PROC_TEXT(CPU "possible", proc_cpu_list),
	PROC_TEXT(CPU "present", proc_cpu_list),
	PROC_FIXED(CPU "offline", "\n"),
	PROC_TEXT(CPU "kernel_max", proc_cpu_max),
	PROC_DIRECTORY("kernel", 0755, NULL),
	PROC_DIRECTORY("kernel/mm", 0755, NULL),
	PROC_DIRECTORY("kernel/mm/transparent_hugepage", 0755, NULL),
	PROC_TUNABLE("kernel/mm/transparent_hugepage/enabled", "always madvise [never]\n", NULL),
	{0},
};
