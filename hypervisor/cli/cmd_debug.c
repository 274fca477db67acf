/* SPDX-License-Identifier: MIT */
/* `eremite debug`: makes one run under a debugger. */
#include "cli/cmd.h"
#include "cmdline/debug_line.h"

int cmd_debug(int argc, char **argv)
{
	return debug_line(argc, argv);
}
