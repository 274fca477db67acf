/* SPDX-License-Identifier: MIT */
/* From /proc/PID/status, which can be read of processes that keep their memory from others (PR_SET_DUMPABLE), as the
 * monitor of a run does. A guest's memory is shared by the processes of its run, so the largest share counts. */
#include "cost/cost_memory.h"

#include <stdio.h>
#include <string.h>

#define DEPTH_MAX 16U /* of processes that have started each other; a run has three */

struct memory {
	uint64_t own, shared;
};

/* Adds what a process has. */
static void add_process(struct memory *memory, pid_t pid)
{
	char path[64], line[256];
	unsigned long kib, shared = 0;
	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	FILE *from = fopen(path, "re");
	if (!from)
		return; /* it has ended */
	while (fgets(line, sizeof(line), from)) {
		if (sscanf(line, "RssAnon: %lu kB", &kib) == 1)
			memory->own += kib << 10;
		else if (sscanf(line, "RssShmem: %lu kB", &kib) == 1)
			shared = kib << 10;
	}
	fclose(from);
	memory->shared = shared > memory->shared ? shared : memory->shared;
}

static void add_tree(struct memory *memory, pid_t pid, unsigned depth)
{
	char path[64];
	int child;
	add_process(memory, pid);
	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)pid, (int)pid);
	FILE *from = depth < DEPTH_MAX ? fopen(path, "re") : NULL;
	if (!from)
		return;
	while (fscanf(from, "%d", &child) == 1)
		add_tree(memory, child, depth + 1);
	fclose(from);
}

uint64_t cost_memory_tree(pid_t pid)
{
	struct memory memory = {0};
	add_tree(&memory, pid, 0);
	return memory.own + memory.shared;
}

uint64_t cost_memory_own(pid_t pid)
{
	struct memory memory = {0};
	add_process(&memory, pid);
	return memory.own + memory.shared;
}
