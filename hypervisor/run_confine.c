/* SPDX-License-Identifier: MIT */
#include "run_confine.h"

#include <stdbool.h>

#include "cache.h"
#include "confine.h"
#include "disassembler.h"
#include "keeper.h"

/* Libraries are loaded now that may be needed: none can be later. Without it what needs it says so. */
static void load_libraries(const struct run_config *config)
{
	char error[256];
	if (config->linux_program)
		disassembler_load(error);
}

static void keep_host_files(struct confine_plan *plan, const struct host_files *files)
{
	for (unsigned i = 0; files && i < files->tree_count; i++)
		confine_keep(plan, files->trees[i].dir);
}

int run_confine(const struct run *run, char error[256])
{
	static bool is_confined;
	const struct run_config *config = run->config;
	if (is_confined || !keeper_is_there())
		return 0;
	load_libraries(config);
	struct confine_plan plan = {
		.role = CONFINE_MONITOR,
		.needs = run->ops->needs | (config->out_dir ? CONFINE_OUT : CONFINE_READ) |
	                 (config->host_files ? CONFINE_HOST_FILES : 0),
		.keeper = keeper_socket(),
	};
	for (unsigned i = 0; i < config->kept_count; i++)
		confine_keep(&plan, config->kept[i]);
	keep_host_files(&plan, config->host_files);
	if (config->root && config->root->data)
		confine_keep(&plan, config->root->fd);
	if (run->ops->opened)
		confine_keep(&plan, run->ops->opened());
	confine_keep(&plan, keeper_socket());
	confine_keep(&plan, cache_held());
	confine_keep(&plan, run->image.file);
	if (run->out_open)
		confine_keep(&plan, run->out.dir);
	int result = keeper_await(error);
	if (!result)
		result = confine(&plan, error);
	is_confined = !result;
	return result;
}
