/* SPDX-License-Identifier: MIT */
/* The doorbell's operations for the network outside. */
#include <errno.h>

#include "abi/layout.h"
#include "base/error.h"
#include "run/run_state.h"

int run_net_prepare(struct run *run, struct error *error)
{
	if (!run->config->net)
		return 0;
	int result = net_open(&run->net, run->config->net, run->config->memory_bytes, run->ops->reserve, error);
	return result ? result
	              : run_map(run, LAYOUT_NETWORK, net_area(run->net), LAYOUT_NETWORK_SIZE, "the network", error);
}

/* Ends the run if the network cannot go on. */
static int64_t answer(struct run *run, int result)
{
	const char *line;
	enum net_end end = result == -EPROTO ? net_error(run->net, &line) : NET_GOES_ON;
	if (end == NET_FAILS)
		run_fail(run, "%s", line);
	else if (end != NET_GOES_ON)
		run_stop_replay(run, end == NET_DIFFERS ? RUN_DIFFER : RUN_REPLAYED, line);
	return 0;
}

void run_net_start(struct run *run)
{
	if (run->net)
		answer(run, net_start(run->net));
}

static bool has_network(struct run *run)
{
	if (!run->net)
		run_fail(run, "the guest asked for the network, but it has none outside");
	return run->net;
}

int64_t run_serve_network_wait(struct run *run, const uint64_t *args)
{
	if (!has_network(run))
		return 0;
	run_drain(run);
	if (run_take_recorded_stop(run)) /* the recorded run waited here */
		return 0;
	run_drain_beside(run);
	run_stop_ahead(run);
	return answer(run, net_wait(run->net, args[0], args[1], run_is_stopped));
}

int64_t run_serve_network_turn(struct run *run, const uint64_t *args)
{
	(void)args;
	return has_network(run) ? answer(run, net_turn(run->net)) : 0;
}
