/* SPDX-License-Identifier: MIT */
/* `eremite pack`: runs a program and seals the run into an image. */
#include "cli/cmd.h"
#include "pack/pack.h"

int cmd_pack(int argc, char **argv)
{
	static struct pack_option option;
	pack_option_parse(&option, argc, argv);
	return pack_image(&option);
}
