/* SPDX-License-Identifier: MIT */
/* `eremite profile`: makes one run, and says which functions took its virtual time. */
#include "cli/cmd.h"
#include "profile/profile_option.h"
#include "profile/profile_run.h"

int cmd_profile(int argc, char **argv)
{
	static struct profile_option option;
	profile_option_parse(&option, argc, argv);
	return profile_run(&option);
}
