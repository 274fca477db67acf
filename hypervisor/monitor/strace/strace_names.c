/* SPDX-License-Identifier: MIT */
#include "strace/strace_names.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "strace/strace_tables.h"

struct name {
	uint64_t value;
	const char *name;
};

#define NAME(value, name) {(uint64_t)(value), name},
#define TABLE(table, unknown) static const struct name names_##table[] = {STRACE_TABLE_##table(NAME)};
STRACE_NAMES_LIST(TABLE)
#undef TABLE

#define TABLE(table, unknown) {names_##table, sizeof(names_##table) / sizeof(names_##table[0]), unknown},
static const struct {
	const struct name *names;
	unsigned count;
	const char *unknown;
} tables[] = {STRACE_NAMES_LIST(TABLE)};
#undef TABLE

const char *strace_names_find(enum strace_names table, uint64_t value)
{
	for (unsigned i = 0; i < tables[table].count; i++)
		if (tables[table].names[i].value == value)
			return tables[table].names[i].name;
	return NULL;
}

void strace_names_one(struct strace_out *out, enum strace_names table, uint64_t value)
{
	const char *name = strace_names_find(table, value);
	if (name)
		strace_out_text(out, name);
	else
		strace_out_format(out, "%#lx /* %s */", value, tables[table].unknown);
}

void strace_names_flags(struct strace_out *out, enum strace_names table, uint64_t value)
{
	const char *whole = strace_names_find(table, value), *between = "";
	uint64_t left = value;
	if (whole || !value) {
		strace_out_text(out, whole ? whole : "0");
		return;
	}
	for (unsigned i = 0; i < tables[table].count; i++) {
		const struct name *bit = &tables[table].names[i];
		if (!bit->value || (left & bit->value) != bit->value)
			continue;
		strace_out_format(out, "%s%s", between, bit->name);
		left &= ~bit->value;
		between = "|";
	}
	if (left == value)
		strace_out_format(out, "%#lx /* %s */", left, tables[table].unknown);
	else if (left)
		strace_out_format(out, "|%#lx", left);
}

#define FIRST_REAL_TIME 32 /* SIGRTMIN of the kernel */

struct strace_name_text strace_names_signal(unsigned signal)
{
	struct strace_name_text name;
	const char *known = signal == SIGIO ? "IO" : signal < FIRST_REAL_TIME ? sigabbrev_np((int)signal) : NULL;
	if (known)
		snprintf(name.text, sizeof(name.text), "SIG%s", known);
	else if (signal == FIRST_REAL_TIME)
		snprintf(name.text, sizeof(name.text), "SIGRTMIN");
	else if (signal > FIRST_REAL_TIME && signal <= 64)
		snprintf(name.text, sizeof(name.text), "SIGRT_%u", signal - FIRST_REAL_TIME);
	else
		snprintf(name.text, sizeof(name.text), "%u", signal);
	return name;
}
