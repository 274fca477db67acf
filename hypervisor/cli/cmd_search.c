/* SPDX-License-Identifier: MIT */
/* `eremite search`: runs a program under many schedules. */
#include "cli/cmd.h"
#include "search/search.h"

int cmd_search(int argc, char **argv)
{
	static struct search_option option;
	search_option_parse(&option, argc, argv);
	return search_run(&option);
}
