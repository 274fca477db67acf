/* SPDX-License-Identifier: MIT */
/* Trees of the live host. Their objects can change while the program runs, so what the program was told of them is
 * compared again at the end. */
#include "hostfs/host_place.h"
#include "hostfs/tree/host_tree_ops.h"

const struct host_tree_ops host_live_ops = {
	.open = host_tree_open_live,
	.stamp = host_place_stamp,
};
