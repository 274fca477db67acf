/* SPDX-License-Identifier: MIT */
#include "base/process_time.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What /proc/PID/stat says of a process. */
struct process {
	int pid, parent;
	unsigned long ticks;
	bool is_counted;
};

struct processes {
	struct process *items;
	size_t count;
};

/* Reads one process. Returns whether it is there. */
static bool read_process(int proc, const char *pid, struct process *process)
{
	char path[300], text[1024];
	snprintf(path, sizeof(path), "%s/stat", pid);
	const int fd = openat(proc, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	const ssize_t length = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (length <= 0)
		return false;
	text[length] = 0;
	const char *behind_name = strrchr(text, ')'); /* the name may have spaces and brackets */
	unsigned long user, kernel;
	if (!behind_name || sscanf(behind_name, ") %*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu",
	                           &process->parent, &user, &kernel) != 3)
		return false;
	process->pid = atoi(pid);
	process->ticks = user + kernel;
	process->is_counted = false;
	return true;
}

/* Reads all processes. Returns whether there is memory for them. */
static bool read_all(DIR *proc, struct processes *all)
{
	for (const struct dirent *entry; (entry = readdir(proc));) {
		struct process process;
		if (strspn(entry->d_name, "0123456789") != strlen(entry->d_name) ||
		    !read_process(dirfd(proc), entry->d_name, &process))
			continue;
		struct process *items = realloc(all->items, (all->count + 1) * sizeof(*items));
		if (!items)
			return false;
		all->items = items;
		items[all->count++] = process;
	}
	return true;
}

/* Clock ticks of a process that is not counted yet, and of its descendants. A process can name itself as its parent
 * only by a defect of the kernel; it counts once. */
static unsigned long count_ticks(struct processes *all, int pid)
{
	unsigned long ticks = 0;
	for (size_t i = 0; i < all->count; i++) {
		struct process *process = &all->items[i];
		if (process->is_counted || (process->pid != pid && process->parent != pid))
			continue;
		process->is_counted = true;
		ticks += process->ticks + (process->pid != pid ? count_ticks(all, process->pid) : 0);
	}
	return ticks;
}

double process_time_with_descendants(pid_t process)
{
	struct processes all = {0};
	const long tick = sysconf(_SC_CLK_TCK);
	DIR *proc = opendir("/proc");
	const bool is_read = proc && tick > 0 && read_all(proc, &all) && all.count;
	const double seconds = is_read ? (double)count_ticks(&all, process) / (double)tick : -1;
	free(all.items);
	if (proc)
		closedir(proc);
	return seconds;
}
