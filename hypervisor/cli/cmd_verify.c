/* SPDX-License-Identifier: MIT */
/* `eremite verify`: repeats the runs of sealed images and compares them. */
#include "cli/cmd.h"
#include "verify/verify_all.h"

int cmd_verify(int argc, char **argv)
{
	static struct verify_option option;
	verify_option_parse(&option, argc, argv);
	return verify_all(&option);
}
