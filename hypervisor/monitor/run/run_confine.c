/* SPDX-License-Identifier: MIT */
#include "run/run_confine.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>

#include "base/janitor.h"
#include "base/raw_mode.h"
#include "cache/cache.h"
#include "confine/confine.h"
#include "confine/keeper.h"
#include "guest/digest_memory.h"
#include "scan/disassembler.h"

/* Loads optional libraries now, because a confined monitor cannot map code. The code that needs a missing library
 * reports it. */
static void load_libraries(const struct run_config *config)
{
	struct error error;
	if (config->linux_program)
		disassembler_load(&error);
}

_Static_assert(sizeof(((struct confine_plan *)0)->groups) == sizeof(((struct engine_holds *)0)->groups), "groups");
_Static_assert(sizeof(((struct confine_plan *)0)->sockets) == sizeof(((struct engine_holds *)0)->sockets), "sockets");
_Static_assert(CONFINE_KEPT_MAX >= BOOT_HOST_ROOTS_MAX + ENGINE_FDS_MAX + ENGINE_RUNS_MAX + NETWORK_PUBLISHED_MAX +
                                           KEPT_MAX + JANITORS_MAX + 8 &&
                       CONFINE_PLACES_MAX >= BOOT_HOST_ROOTS_MAX + 8,
               "trees");

/* Allows reading a tree; for a tree that is a single file, only that file. A tree of an image has no directory: the
 * image is among config->kept. */
static void add_tree(struct confine_plan *plan, const struct host_tree *tree)
{
	int fd = tree->dir;
	if (fd < 0)
		return;
	if (tree->leaf)
		fd = openat(tree->dir, tree->leaf,
		            O_PATH | O_NOFOLLOW | O_CLOEXEC); /* closed with all others, by confine.c */
	confine_keep(plan, tree->dir);
	confine_allow(plan, fd, CONFINE_TO_READ);
}

/* Allows making files in a directory. */
static void add_directory(struct confine_plan *plan, int directory)
{
	confine_keep(plan, directory);
	confine_allow(plan, directory, CONFINE_TO_FILL);
}

int run_confine(const struct run *run, struct error *error)
{
	static bool is_confined;
	const struct run_config *config = run->config;
	if (is_confined || !keeper_is_there())
		return 0;
	load_libraries(config);
	const struct save_dir *save = config->changes ? config->changes->dir : NULL;
	const bool has_events = config->net && net_has_sockets(config->net),
		   has_sockets = has_events && net_is_wanted(config->net);
	struct engine_holds holds;
	int janitors[JANITORS_MAX];
	const unsigned janitor_count = janitor_held(janitors);
	run->ops->holds(run->engine, &holds);
	struct confine_plan plan = {
		.role = CONFINE_MONITOR,
		.needs = holds.needs | (config->out_dir || save || config->trace_dir ? CONFINE_OUT : CONFINE_READ) |
	                 (config->host_files ? CONFINE_HOST_FILES : 0) | (raw_mode_is_open() ? CONFINE_TTY : 0) |
	                 (has_events ? CONFINE_EVENTS : 0) | (has_sockets ? CONFINE_NET : 0) |
	                 (has_sockets && config->net->has_route ? CONFINE_NET_OUT : 0),
		.keeper = keeper_socket(),
	};
	for (unsigned i = 0; config->net && i < config->net->published_count; i++)
		confine_keep(&plan, config->net->published[i].fd);
	if (run->memory.contents)
		confine_keep(&plan, run->contents.file);
	if (run->net)
		confine_keep(&plan, net_descriptor(run->net));
	for (unsigned i = 0; i < config->kept_count; i++)
		confine_keep(&plan, config->kept[i]);
	for (unsigned i = 0; config->host_files && i < config->host_files->tree_count; i++)
		add_tree(&plan, &config->host_files->trees[i]);
	if (config->root && config->root->data)
		confine_keep(&plan, config->root->fd);
	for (unsigned i = 0; i < holds.fd_count; i++)
		confine_keep(&plan, holds.fds[i]);
	plan.group_count = holds.group_count;
	memcpy(plan.groups, holds.groups, sizeof(plan.groups));
	plan.socket_count = holds.socket_count;
	memcpy(plan.sockets, holds.sockets, sizeof(plan.sockets));
	for (unsigned i = 0; i < holds.socket_count; i++)
		confine_keep(&plan, holds.sockets[i]);
	for (unsigned i = 0; i < janitor_count; i++)
		confine_keep(&plan, janitors[i]);
	confine_keep(&plan, keeper_socket());
	confine_keep(&plan, cache_held());
	confine_allow(&plan, cache_held(), CONFINE_TO_READ);
	if (config->want_digest)
		confine_keep(&plan, digest_memory_open());
	confine_keep(&plan, run->image.file);
	confine_allow(&plan, run->image.file, CONFINE_TO_READ); /* a second run reads it, too */
	if (run->out_open)
		add_directory(&plan, run->out.dir);
	if (config->trace_dir)
		add_directory(&plan, config->trace_dir);
	if (save) {
		confine_keep(&plan, save->fd);
		confine_keep(&plan, save->spool);
		confine_allow(&plan, save->fd, CONFINE_TO_ALTER);
	}
	if (run->out_open && run->out.dir >= 0)
		keeper_set_out(run->out.dir);
	int result = keeper_await(error);
	if (!result)
		result = confine(&plan, error);
	is_confined = !result;
	return result;
}
