/* SPDX-License-Identifier: MIT */
/* Programs that walk through a tree of 20,250 files of the host. */
#include <stddef.h>

#include "figure.h"

#define TREE(what, options, program, arguments) \
	{ \
		.name = "tree: " what, .kind = FIGURE_WALL, .command = FIGURE_RUN options program " " arguments, \
		.rounds = 7, .has_cpu = true, .peers = {{"native", program " " arguments, 0}}, .unit = "ms", \
		.unit_s = 1e-3, .ratio = 1.6, .process_beside = 1.5, .needs = program, \
		.prepare = "/bin/bash bench/linux/tree_make.sh bench", .pipe = true \
	}

const struct figure tree_figures[] = {
	TREE("du", "", "/usr/bin/du", "-s bench/tree"),
	TREE("find", "", "/usr/bin/find", "bench/tree -name none"),
	TREE("grep -r", "", "/usr/bin/grep", "-rc include bench/tree"),
	TREE("tar", "", "/usr/bin/tar", "cf - bench/tree"),
	TREE("git status", "--file-times=host ", "/usr/bin/git",
             "--git-dir=bench/tree.git --work-tree=bench/tree status --short"),
	{.name = NULL},
};
