/* SPDX-License-Identifier: MIT */
/* `eremite run`: makes one run, or compares two, and reports the result. */
#include "cli/cmd.h"
#include "cmdline/run_line.h"

int cmd_run(int argc, char **argv)
{
	return run_line(argc, argv);
}
