/* SPDX-License-Identifier: MIT */
/* Each line comes from trying what a run would do, except those for seccomp and Landlock, which query the kernel.
 * Everything created here is also destroyed here. */
#include "report/info_host.h"

#include <errno.h>
#include <limits.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/own_path.h"
#include "library/cjson.h"
#include "library/lz4.h"
#include "confine/confine_files.h"
#include "engine/choice.h"
#include "engine/process/memory.h"
#include "guest/cpu_host.h"
#include "library/libarchive.h"
#include "library_names.h"
#include "report/symbolizer.h"
#include "root/mkfs.h"
#include "scan/disassembler.h"

#define SHMEM_ENABLED "/sys/kernel/mm/transparent_hugepage/shmem_enabled"

static void line(FILE *to, const char *what, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

static void line(FILE *to, const char *what, const char *fmt, ...)
{
	va_list args;
	fprintf(to, "%-18s ", what);
	va_start(args, fmt);
	vfprintf(to, fmt, args);
	va_end(args);
	fputc('\n', to);
}

/* Starts `left` processes at the same time, as a run has the keeper, the zygote and one of the guest. Returns 0 or an
 * errno. */
static int try_forks(unsigned left)
{
	if (!left)
		return 0;
	const pid_t parent = getpid();
	pid_t child = fork();
	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
		while (getppid() == parent)
			pause();
		_exit(0);
	}
	int error = child < 0 ? errno : try_forks(left - 1);
	if (child > 0)
		kill(child, SIGKILL);
	while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
	return error;
}

static void print_no_fork(FILE *to, const char *what, int error)
{
	line(to, what, "no: cannot start a process (%s): raise 'ulimit -u', or pids.max of the control group",
	     strerror(error));
}

/* Whether the engine can make a guest. */
static bool try_engine(FILE *to, const struct engine_ops *ops)
{
	static const struct image_header image;
	const struct engine_cpu cpu = {.model = CPU_V2, .processors = 1};
	struct engine *engine = NULL;
	struct error why;
	char what[32];
	snprintf(what, sizeof(what), "engine %s", ops->name);
	if (ops->probe(&why) || ops->create(&engine, &image, &cpu, &why)) {
		line(to, what, "no: %s", why.text);
		return false;
	}
	ops->destroy(engine);
	line(to, what, "yes");
	return true;
}

static void print_models(FILE *to)
{
	struct cpu_host host;
	cpu_host_read(&host);
	line(to, "processor v2", "yes");
	for (enum cpu_model model = CPU_V3; model < CPU_MODELS; model++) {
		char what[32];
		const char *lacks = cpu_host_lacks(&host, model);
		snprintf(what, sizeof(what), "processor %s", cpu_host_model_names[model]);
		if (lacks)
			line(to, what, "no: the host's processor or kernel lacks %s; give --cpu %s to 'run'", lacks,
			     cpu_host_model_names[cpu_host_lacks(&host, CPU_V3) ? CPU_V2 : CPU_V3]);
		else
			line(to, what, "yes");
	}
}

static void print_seccomp(FILE *to)
{
	const uint32_t action = SECCOMP_RET_TRAP;
	if (!syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action))
		line(to, "seccomp", "yes");
	else
		line(to, "seccomp",
		     "no: seccomp(2) fails (%s): boot a kernel with CONFIG_SECCOMP_FILTER, or have the container "
		     "allow the call; for programs that you trust, give --engine kvm --no-confine",
		     strerror(errno));
}

static void print_landlock(FILE *to)
{
	int version = confine_files_version();
	if (version >= CONFINE_FILES_COMPLETE)
		line(to, "Landlock", "yes, version %d", version);
	else if (version)
		line(to, "Landlock", "yes, version %d: version %d of newer kernels also restricts network and signals",
		     version, CONFINE_FILES_COMPLETE);
	else if (errno == EOPNOTSUPP)
		line(to, "Landlock", "no: it is disabled: add landlock to lsm= on the kernel's command line");
	else if (errno == ENOSYS)
		line(to, "Landlock", "no: boot Linux 5.13 or newer with CONFIG_SECURITY_LANDLOCK");
	else
		line(to, "Landlock", "no: landlock_create_ruleset fails (%s): have the container allow it",
		     strerror(errno));
}

/* Reads the choice of a setting, which is the word in brackets; "" if the file does not exist. */
static void read_choice(const char *path, char choice[32])
{
	char text[128] = "";
	FILE *from = fopen(path, "re");
	*choice = 0;
	if (!from)
		return;
	if (fgets(text, sizeof(text), from)) {
		const char *open = strchr(text, '[');
		size_t length = open ? strcspn(open + 1, "]") : 0;
		if (length < 32)
			memcpy(mempcpy(choice, open ? open + 1 : text, length), "", 1);
	}
	fclose(from);
}

static long read_number(const char *path)
{
	long number = -1;
	FILE *from = fopen(path, "re");
	if (from && fscanf(from, "%ld", &number) != 1)
		number = -1;
	if (from)
		fclose(from);
	return number;
}

/* Returns the command that allows this user a user namespace (user_namespaces(7)), or else huge pages in shared memory.
 */
static const char *allow_namespaces(void)
{
	if (read_number("/proc/sys/user/max_user_namespaces") == 0)
		return "sudo sysctl user.max_user_namespaces=10000";
	if (read_number("/proc/sys/kernel/unprivileged_userns_clone") == 0)
		return "sudo sysctl kernel.unprivileged_userns_clone=1";
	if (read_number("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == 1)
		return "sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0";
	return "echo advise | sudo tee " SHMEM_ENABLED;
}

/* Prints how the process engine gets huge pages. Without them it works, too, but is slower. */
static void print_memory(FILE *to)
{
	static const char *const how[] = {
		[PROCESS_MEMORY_TMPFS] = "yes, as root",
		[PROCESS_MEMORY_NAMESPACE] = "yes, by a user namespace",
	};
	const char *what = "huge pages";
	enum process_memory_kind kind;
	char choice[32];
	int file = process_memory_file(&kind);
	read_choice(SHMEM_ENABLED, choice);
	if (file < 0)
		line(to, what, "no: cannot make a file in memory (%s): --engine process cannot run", strerror(-file));
	else if (!*choice)
		line(to, what,
		     "no: --engine process is slower: boot a kernel with CONFIG_TRANSPARENT_HUGEPAGE, and mount /sys");
	else if (!strcmp(choice, "deny"))
		line(to, what, "no: --engine process is slower: echo advise | sudo tee " SHMEM_ENABLED);
	else if (kind != PROCESS_MEMORY_MEMFD)
		line(to, what, "%s", how[kind]);
	else if (strcmp(choice, "never") != 0)
		line(to, what, "yes, by %s", SHMEM_ENABLED);
	else
		line(to, what, "no: --engine process is slower, because this user may not make a user namespace: %s",
		     allow_namespaces());
	if (file >= 0)
		close(file);
}

static void print_part(FILE *to, const char *name, int (*check)(struct error *error))
{
	struct error why;
	const bool is_missing = check(&why);
	line(to, name, "%s%s", is_missing ? "no: " : "yes", is_missing ? why.text : "");
}

/* Prints which libraries are there that are loaded on demand, and which programs. */
static void print_parts(FILE *to)
{
	static const struct {
		const char *file;
		int (*load)(struct error *error);
	} libraries[] = {
		{LIBRARY_CJSON, cjson_load},
		{LIBRARY_LZ4, lz4_load},
		{LIBRARY_ARCHIVE, libarchive_load},
		{LIBRARY_ZYDIS, disassembler_load},
	};
	struct error why;
	for (unsigned i = 0; i < sizeof(libraries) / sizeof(libraries[0]); i++)
		print_part(to, libraries[i].file, libraries[i].load);
	print_part(to, "mkfs.erofs", mkfs_check);
	const bool has_no_names = symbolizer_is_missing(&why);
	line(to, SYMBOLIZER, "%s%s", has_no_names ? "no: stacks have no names and lines: " : "yes",
	     has_no_names ? why.text : "");
}

bool info_host_print(FILE *to, int (*check_signing)(struct error *error))
{
	bool kvm = try_engine(to, &engine_kvm);
	int no_fork = try_forks(3);
	bool process = !no_fork && try_engine(to, &engine_process);
	if (no_fork)
		print_no_fork(to, "engine process", no_fork);
	print_models(to);
	print_seccomp(to);
	print_landlock(to);
	if (no_fork)
		print_no_fork(to, "keeper", no_fork);
	else
		line(to, "keeper", "yes");
	print_memory(to);
	print_parts(to);
	print_part(to, "ssh-keygen", check_signing);
	return kvm || process;
}
