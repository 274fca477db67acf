/* SPDX-License-Identifier: MIT */
#include "libc-port/ticks/unroll.h"

#include <algorithm>

#include <cfgloop.h>
#include <tree-ssa-loop.h>
#include <tree-ssa-loop-niter.h>
#include <tree-ssa-loop-manip.h>
#include <tree-scalar-evolution.h>
#include <tree-inline.h>

namespace
{

/* How many rounds of a loop become one. */
const unsigned rounds = 4;

/* A loop of more instructions, by the compiler's estimate, takes so long that a check is little of it. */
const unsigned instructions_most = 12;

/* A loop of fewer expected rounds would mostly run what is left after the last four. */
const int expected_least = 4 * rounds;

/* Calls and asm statements may take any time, and what is volatile may be a wait for another thread. */
bool is_plain(gimple *statement)
{
	return !is_gimple_call(statement) && gimple_code(statement) != GIMPLE_ASM &&
	       !gimple_has_volatile_ops(statement);
}

bool is_plain_loop(class loop *loop)
{
	bool plain = true;
	basic_block *blocks = get_loop_body(loop);
	for (unsigned i = 0; i < loop->num_nodes; i++)
		for (gimple_stmt_iterator s = gsi_start_bb(blocks[i]); !gsi_end_p(s); gsi_next(&s))
			plain &= is_gimple_debug(gsi_stmt(s)) || is_plain(gsi_stmt(s));
	free(blocks);
	return plain;
}

bool is_long_and_small(class loop *loop)
{
	const HOST_WIDE_INT expected = estimated_loop_iterations_int(loop);
	return optimize_loop_for_speed_p(loop) && (expected < 0 || expected >= expected_least) &&
	       tree_num_loop_insns(loop, &eni_size_weights) <= instructions_most && is_plain_loop(loop);
}

const pass_data unroll_data = {GIMPLE_PASS, "ticks_unroll", OPTGROUP_LOOP, TV_NONE, PROP_cfg, 0, 0, 0, 0};

struct unroll_pass : gimple_opt_pass {
	explicit unroll_pass(gcc::context *context) : gimple_opt_pass(unroll_data, context)
	{
	}

	bool gate(function *) override
	{
		return optimize >= 2;
	}

	unsigned int execute(function *f) override
	{
		bool changed = false;
		initialize_original_copy_tables();
		for (class loop *loop : loops_list(f, LI_ONLY_INNERMOST)) {
			tree_niter_desc shape;
			if (is_long_and_small(loop) && can_unroll_loop_p(loop, rounds, &shape)) {
				tree_unroll_loop(loop, rounds, &shape);
				changed = true;
			}
		}
		free_original_copy_tables();
		if (changed)
			scev_reset();
		return changed ? TODO_cleanup_cfg : 0;
	}
};

} // namespace

gimple_opt_pass *unroll_create(gcc::context *context)
{
	return new unroll_pass(context);
}
