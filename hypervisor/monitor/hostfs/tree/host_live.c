/* SPDX-License-Identifier: MIT */
/* Trees of the live host. Their objects can change while the program runs. So at the end, the monitor compares them
 * with what it told the program. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "hostfs/host_files.h"
#include "hostfs/host_stop.h"
#include "hostfs/tree/host_live_contents.h"
#include "hostfs/tree/host_live_list.h"
#include "hostfs/tree/host_live_look.h"
#include "hostfs/tree/host_tree_ops.h"

static const char *origin_live(const struct host_tree *tree)
{
	return tree->host;
}

static bool shows_live(const struct host_tree *tree, const char *path)
{
	return !tree->part || host_part_shows(tree->part, path);
}

static char *host_path_live(const struct host_tree *tree, const char *path)
{
	char *result;
	const char *real = tree->real[1] || !*path ? tree->real : "";
	return asprintf(&result, "%s%s%s", real, *path ? "/" : "", path) < 0 ? NULL : result;
}

static int begin_live(struct host_files *files, const struct host_tree *tree, struct host_stamp *stamp)
{
	int fd = host_tree_open_object(tree, "", O_PATH, stamp);
	if (fd < 0)
		return (int)host_stop(files, -fd, "cannot read the attributes of '%.180s': %s", tree->host,
		                      strerror(-fd));
	close(fd);
	return 0;
}

static int64_t stop_at_denial_live(struct host_files *files, uint32_t handle, const char *name)
{
	return host_stop(files, EACCES,
	                 "--strict-files: this user may not read the host's %s, which the program asked for; "
	                 "give its permissions, or run without --strict-files",
	                 host_stop_describe(files, handle, name));
}

static void read_ahead_live(struct host_scout *scout, const struct host_scout_walk *walk)
{
	if (!walk->tree->leaf) /* one file is no walk */
		host_scout_go(scout, walk);
}

const struct host_tree_ops host_live_ops = {
	.origin = origin_live,
	.open = host_tree_open_live,
	.shows = shows_live,
	.host_path = host_path_live,
	.begin = begin_live,
	.look = host_live_look,
	.search = host_live_look_search,
	.enter = host_live_look_enter,
	.list_open = host_live_list_open,
	.list = host_live_list,
	.open_contents = host_live_contents_open,
	.stop_at_denial = stop_at_denial_live,
	.find_bytecode = host_bytecode_find_live,
	.content_time = host_content_time_read,
	.reopen = host_place_reopen,
	.read_ahead = read_ahead_live,
	.stamp = host_place_stamp,
};
