/* SPDX-License-Identifier: MIT */
/* `eremite analyze`: from a schedule under which a program fails, finds the two events whose order decides. */
#include "analyze/analyze.h"
#include "cli/cmd.h"

int cmd_analyze(int argc, char **argv)
{
	static struct analyze_option option;
	analyze_option_parse(&option, argc, argv);
	return analyze_run(&option);
}
