/* SPDX-License-Identifier: MIT */
/* GCC plugin: lets code count the work it does, so that virtual time follows it and no loop escapes the scheduler.
 *
 * A check of the countdown (check.h) stands at the start of each function and of each loop, so that every cycle, of
 * loops made by goto or of functions that call each other, passes one each time round. Only a small function that has
 * neither calls nor loops goes without: its caller pays. The cost is what an iteration is expected to do, by the
 * compiler's own guess of how often each block runs, and by the table in costs.h.
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

int plugin_is_GPL_compatible;

namespace
{

/* More than one check is never charged, nor less than a tick: a cycle must run out. */
const double charge_most = 1 << 20;

/* A loop that is expected to go round less often is not worth a register. */
const double rounds_least = 6;

/* A function that does no more than this, in sixteenths, and has neither calls nor loops is paid for by its caller. */
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

/* How often it runs, as the compiler guesses; without optimisation it does not, and all run equally often. */
double frequency(basic_block block)
{
	return block->count.initialized_p() && block->count.to_gcov_type() > 0 ? block->count.to_gcov_type() : 1;
}

/* By number of a block: whether a check stands at its start. Each cycle has such a block. */
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
		/* The compiler will copy the one computed goto, which all share so far, to where each came from, if
		 * nothing stands before it. */
		if (gimple *last = last_stmt(block); last && computed_goto_p(last))
			FOR_EACH_EDGE(way, i, block->succs)
		starts[way->dest->index] = true;
		else starts[block->index] = true;
	}
	return starts;
}

/* A part of a function: what is in a loop, but in none within that, or what is in no loop. */
struct region {
	double work = 0;   /* of all its blocks: cost, times frequency */
	double checks = 0; /* of those with a check: frequency */

	/* What each check has to charge. */
	long ticks() const
	{
		return std::lround(std::fmin(std::fmax(work / checks / TICK_COST_UNIT, 1), charge_most));
	}
};

/* Whether the start is come to from outside often enough for a register to be a loss, or in a way that cannot have one.
 */
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

/* Whether a register may count the rounds of the loop that the block starts: an innermost one without calls. */
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
	std::vector<region> regions(number_of_loops(f)); /* by number of the loop; 0 is the function */
	std::vector<std::pair<basic_block, const region *>> checked;
	std::vector<std::pair<check_loop, const region *>> counting;
	basic_block entry = ENTRY_BLOCK_PTR_FOR_FN(f), block;
	bool small = true;
	FOR_EACH_BB_FN(block, f)
	{
		const class loop *loop = block->loop_father;
		region &r = regions[loop->num];
		/* Guesses that earlier passes have spoilt may say that a block runs more often than its loop. */
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
		split_edge(single_succ_edge(first)); /* what follows may have PHIs */
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
	/* Blocks are not to be copied, cleared or compared by loops or string instructions, which could not be left. */
	global_options.x_ix86_stringop_alg = libcall;
	global_options.x_target_flags &= ~MASK_INLINE_ALL_STRINGOPS;
	/* Behind all optimisation, just before the code is made; this one runs without -O, too. */
	register_pass_info place = {new ticks_pass(g), "optimized", 1, PASS_POS_INSERT_AFTER};
	register_callback(arguments->base_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &place);
	return 0;
}
