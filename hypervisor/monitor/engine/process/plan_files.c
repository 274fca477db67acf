/* SPDX-License-Identifier: MIT */
#include "plan_files.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

void plan_files_begin(struct plan *plan)
{
	memset(plan->file_writable, 0, sizeof(plan->file_writable));
	plan->others_are_read_only = !access("/proc/self/fd", X_OK); /* by which content_files.c opens files again */
}

bool plan_files_know(struct plan *plan, int file, bool writable, bool may_add)
{
	unsigned i = 0;
	while (i < plan->file_count && plan->files[i] != file)
		i++;
	if (i == PLAN_REGIONS || (i == plan->file_count && !may_add))
		return false;
	plan->files[i] = file;
	plan->file_writable[i] |= writable;
	plan->others_are_read_only &= writable || (fcntl(file, F_GETFL) & O_ACCMODE) == O_RDONLY;
	if (i == plan->file_count)
		plan->file_count++;
	return true;
}
