/* SPDX-License-Identifier: MIT */
/* GCC plugin: makes code count its work, so that virtual time follows the work and no loop escapes the scheduler.
 *
 * Each function and each loop starts with a check of the countdown (check.h). So every cycle, also of loops made by
 * goto or of functions that call each other, passes a check in each iteration. Only a small function without calls and
 * loops has none: its caller pays. The cost of a check is the expected work of an iteration, by the compiler's guess of
 * how often each block runs and by the table in costs.h.
 *
 * Nothing here depends on the order of pointers, hashes or time. */
#include "libc-port/ticks/gcc.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "libc-port/ticks/check.h"
#include "libc-port/ticks/costs.h"
#include "libc-port/ticks/price.h"
#include "libc-port/ticks/unroll.h"

int plugin_is_GPL_compatible;

namespace
{

/* The maximum charge of a check, in ticks. The minimum is one tick, so that every cycle ends the countdown. */
const double charge_most = 1 << 20;

/* A loop with fewer expected iterations is not worth a register. */
const double rounds_least = 6;

/* The caller pays for a function without calls and loops whose work, in sixteenths of a tick, is at most this. */
const double small_most = 60 * TICK_COST_UNIT;

/* With -fplugin-arg-ticks-memory all loops charge the countdown in memory: the same time and the same checks. */
bool in_memory;

bool has_asm(basic_block block)
{
	for (gimple_stmt_iterator i = gsi_start_bb(block); !gsi_end_p(i); gsi_next(&i))
		if (gimple_code(gsi_stmt(i)) == GIMPLE_ASM)
			return true;
	return false;
}

/* Returns how often a block runs, by the compiler's guess. Without optimisation there is no guess, and all blocks count
 * alike. */
double frequency(basic_block block)
{
	return block->count.initialized_p() && block->count.to_gcov_type() > 0 ? block->count.to_gcov_type() : 1;
}

/* Returns, by number of the block, whether it starts with a check. Each cycle has such a block. */
std::vector<bool> loop_starts(function *f)
{
	std::vector<bool> starts(last_basic_block_for_fn(f));
	mark_dfs_back_edges(f);
	basic_block block;
	edge way;
	edge_iterator i;
	FOR_EACH_BB_FN(block, f)
	{
		bool back = false;
		FOR_EACH_EDGE(way, i, block->preds)
		back |= (way->flags & EDGE_DFS_BACK) != 0;
		if (!back)
			continue;
		/* So far all computed gotos share one block. The compiler will copy it to each origin, if nothing
		 * precedes the goto in the block. */
		if (gimple *last = gsi_stmt(gsi_last_nondebug_bb(block)); last && computed_goto_p(last))
			FOR_EACH_EDGE(way, i, block->succs)
		starts[way->dest->index] = true;
		else starts[block->index] = true;
	}
	return starts;
}

/* A part of a function: the blocks of a loop without its inner loops, or the blocks in no loop. */
struct region {
	double work = 0;   /* sum over its blocks of cost times frequency */
	double checks = 0; /* sum over its blocks with a check of frequency */

	/* Returns the charge of each check. */
	long ticks() const
	{
		return std::lround(std::fmin(std::fmax(work / checks / TICK_COST_UNIT, 1), charge_most));
	}
};

/* Whether the loop is entered so often that a register would cost more than it saves, or by an edge that cannot set
 * one. */
bool enters_badly(const check_loop &loop)
{
	double entries = 0;
	edge way;
	edge_iterator i;
	FOR_EACH_EDGE(way, i, loop.start->preds)
	{
		if (way->flags & EDGE_COMPLEX)
			return true;
		if (std::count(loop.back.begin(), loop.back.end(), way) == 0 && way->count().initialized_p())
			entries += way->count().to_gcov_type();
	}
	return entries * rounds_least > frequency(loop.start);
}

/* Whether a register may count the ticks of the loop that starts at a block: it must be innermost and without calls. */
bool is_counting(basic_block start, const std::vector<bool> &starts, check_loop *result)
{
	class loop *loop = start->loop_father;
	if (in_memory || !optimize || !loop->num || loop->inner || loop->header != start ||
	    !optimize_loop_for_speed_p(loop))
		return false;
	*result = {start, {}, {}};
	bool good = true;
	basic_block *blocks = get_loop_body(loop);
	for (unsigned i = 0; i < loop->num_nodes; i++) {
		good &= blocks[i] == start || !starts[blocks[i]->index];
		good &= !price_has_call(blocks[i]) && !has_asm(blocks[i]);
		edge way;
		edge_iterator e;
		FOR_EACH_EDGE(way, e, blocks[i]->succs)
		{
			good &= !(way->flags & EDGE_COMPLEX);
			if (way->dest == start)
				result->back.push_back(way);
			else if (!flow_bb_inside_loop_p(loop, way->dest))
				result->exits.push_back(way);
		}
	}
	free(blocks);
	return good && !enters_badly(*result);
}

bool is_exempt(const function *f)
{
	tree attributes = DECL_ATTRIBUTES(f->decl);
	return lookup_attribute("no_instrument_function", attributes) || lookup_attribute("naked", attributes);
}

const pass_data ticks_data = {GIMPLE_PASS, "ticks", OPTGROUP_NONE, TV_NONE, PROP_cfg, 0, 0, 0, 0};

struct ticks_pass : gimple_opt_pass {
	explicit ticks_pass(gcc::context *context) : gimple_opt_pass(ticks_data, context)
	{
	}

	bool gate(function *f) override
	{
		return !is_exempt(f);
	}

	unsigned int execute(function *f) override;
};

unsigned int ticks_pass::execute(function *f)
{
	loop_optimizer_init(AVOID_CFG_MODIFICATIONS);
	std::vector<bool> starts = loop_starts(f);
	std::vector<region> regions(number_of_loops(f)); /* by number of the loop; 0 is the function outside of loops */
	std::vector<std::pair<basic_block, const region *>> checked;
	std::vector<std::pair<check_loop, const region *>> counting;
	basic_block entry = ENTRY_BLOCK_PTR_FOR_FN(f), block;
	bool small = true;
	FOR_EACH_BB_FN(block, f)
	{
		const class loop *loop = block->loop_father;
		region &r = regions[loop->num];
		/* Earlier passes may have spoilt the guesses, so that a block seems to run more often than its loop. */
		r.work += price_of(block) * std::fmin(frequency(block), frequency(loop->num ? loop->header : entry));
		small &= !price_has_call(block);
		if (!starts[block->index])
			continue;
		r.checks += frequency(block);
		small = false;
		if (check_loop loop; is_counting(block, starts, &loop))
			counting.push_back({loop, &r});
		else
			checked.push_back({block, &r});
	}
	loop_optimizer_finalize();
	free_dominance_info(CDI_DOMINATORS);
	free_dominance_info(CDI_POST_DOMINATORS);

	region &whole = regions[0];
	if (!small || whole.work > small_most * frequency(entry)) {
		whole.checks += frequency(entry);
		basic_block first = split_edge(single_succ_edge(entry));
		split_edge(single_succ_edge(first)); /* the next block may have PHIs */
		check_add(single_succ_edge(first), whole.ticks());
	}
	for (auto [start, r] : checked)
		check_add(split_block_after_labels(start), r->ticks());
	for (const auto &[loop, r] : counting)
		check_add_counting(loop, r->ticks());
	return 0;
}

} // namespace

int plugin_init(plugin_name_args *arguments, plugin_gcc_version *version)
{
	if (!plugin_default_version_check(version, &gcc_version)) {
		error("this ticks plugin is made for GCC %s", gcc_version.basever);
		return 1;
	}
	for (int i = 0; i < arguments->argc; i++)
		in_memory |= !strcmp(arguments->argv[i].key, "memory");
	/* Prevents loops or string instructions that copy, clear or compare memory, because they could not be
	 * interrupted. */
	global_options.x_ix86_stringop_alg = libcall;
	global_options.x_target_flags &= ~MASK_INLINE_ALL_STRINGOPS;
	/* After all optimisation, just before code generation. This pass also runs without -O. */
	register_pass_info place = {new ticks_pass(g), "optimized", 1, PASS_POS_INSERT_AFTER};
	register_callback(arguments->base_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &place);
	/* Before the choice of induction variables, which then serves the new rounds. */
	register_pass_info unroll = {unroll_create(g), "aprefetch", 1, PASS_POS_INSERT_AFTER};
	register_callback(arguments->base_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &unroll);
	return 0;
}
