/* SPDX-License-Identifier: MIT */
/* What the library in the place of libtsan finds, for the monitor (abi/race.h). The answer does not depend on whether
 * the monitor wants it. */
#include <stdbool.h>

#include "abi/errno.h"
#include "abi/race.h"
#include "kernel/arch/direct_map.h"
#include "kernel/arch/uaccess.h"
#include "kernel/dev/doorbell.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/sys/sys.h"

static bool is_valid_report(const struct race_report *report)
{
	return report->kind <= RACE_REPORT_END && report->is_certain <= 1 && report->side[0].frames <= RACE_FRAMES &&
	       report->side[1].frames <= RACE_FRAMES;
}

long sys_eremite_race(const struct race_report *report)
{
	struct race_report *copy = kmalloc(sizeof(*copy));
	int error = !copy ? -ENOMEM : copy_from_user(copy, report, sizeof(*copy));
	if (!error && !is_valid_report(copy))
		error = -EINVAL;
	if (!error)
		doorbell_ring(DOORBELL_RACE, virt_to_phys(copy), 0);
	kfree(copy);
	return error;
}
