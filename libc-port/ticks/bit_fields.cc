/* SPDX-License-Identifier: MIT */
/* GCC plugin for -fpreempt=memory. Splits a store to a bit field into what the processor does: a load and a store of
 * the word that contains the field. The thread sanitizer's hooks then announce both, and another thread can run in
 * between.
 *
 * It runs just before the hooks are placed. A field that no single word contains stays unchanged: its store is one
 * step. */
#include "gcc-plugin.h"
#include "plugin-version.h"
#include "tree.h"
#include "basic-block.h"
#include "gimple.h"
#include "gimple-iterator.h"
#include "gimplify.h"
#include "tree-pass.h"
#include "context.h"
#include "function.h"
#include "ssa.h"
#include "stringpool.h"
#include "attribs.h"
#include "asan.h"
#include "diagnostic-core.h"

int plugin_is_GPL_compatible;

namespace
{

/* Returns a field's offset in its structure, in bits. */
unsigned HOST_WIDE_INT offset_of(tree field)
{
	return tree_to_uhwi(DECL_FIELD_OFFSET(field)) * BITS_PER_UNIT + tree_to_uhwi(DECL_FIELD_BIT_OFFSET(field));
}

/* Finds the smallest aligned word that contains the field, and otherwise only fields that the language allows to share
 * it. Returns its size in bits, or 0 if there is none, and sets *start to its offset. */
unsigned word_of(tree field, unsigned HOST_WIDE_INT *start)
{
	tree shared = DECL_BIT_FIELD_REPRESENTATIVE(field);
	if (!shared || !tree_fits_uhwi_p(DECL_FIELD_OFFSET(field)) || !tree_fits_uhwi_p(DECL_FIELD_OFFSET(shared)))
		return 0;
	unsigned HOST_WIDE_INT first = offset_of(field), end = first + tree_to_uhwi(DECL_SIZE(field));
	unsigned HOST_WIDE_INT shared_first = offset_of(shared),
			       shared_end = shared_first + tree_to_uhwi(DECL_SIZE(shared));
	for (unsigned bits = BITS_PER_UNIT; bits <= BITS_PER_WORD; bits *= 2) {
		*start = first / bits * bits;
		if (end <= *start + bits)
			return *start >= shared_first && *start + bits <= shared_end ? bits : 0;
	}
	return 0;
}

void split_store(gimple_stmt_iterator *at, gassign *store)
{
	tree place = gimple_assign_lhs(store);
	if (TREE_CODE(place) != COMPONENT_REF || !DECL_BIT_FIELD_TYPE(TREE_OPERAND(place, 1)))
		return;
	tree field = TREE_OPERAND(place, 1), value = gimple_assign_rhs1(store);
	unsigned HOST_WIDE_INT start;
	unsigned bits = word_of(field, &start);
	if (!bits || !is_gimple_val(value) || !INTEGRAL_TYPE_P(TREE_TYPE(value)) ||
	    compare_tree_int(DECL_SIZE(field), TYPE_PRECISION(TREE_TYPE(value))) != 0 ||
	    compare_tree_int(DECL_SIZE(field), bits) == 0)
		return;
	tree type = build_nonstandard_integer_type(bits, true);
	tree word = build3(BIT_FIELD_REF, type, unshare_expr(TREE_OPERAND(place, 0)), bitsize_int(bits),
	                   bitsize_int(start));
	TREE_THIS_VOLATILE(word) = TREE_THIS_VOLATILE(place);

	gassign *load = gimple_build_assign(make_ssa_name(type), word);
	gimple_set_vuse(load, gimple_vuse(store));
	gassign *insert = gimple_build_assign(make_ssa_name(type), BIT_INSERT_EXPR, gimple_assign_lhs(load), value,
	                                      bitsize_int(offset_of(field) - start));
	for (gassign *made : {load, insert}) {
		gimple_set_location(made, gimple_location(store));
		gsi_insert_before(at, made, GSI_SAME_STMT);
	}
	gimple_assign_set_lhs(store, unshare_expr(word));
	gimple_assign_set_rhs1(store, gimple_assign_lhs(insert));
	update_stmt(store);
}

const pass_data bit_fields_data = {GIMPLE_PASS, "bit_fields", OPTGROUP_NONE, TV_NONE, PROP_ssa | PROP_cfg, 0, 0, 0, 0};

struct bit_fields_pass : gimple_opt_pass {
	explicit bit_fields_pass(gcc::context *context) : gimple_opt_pass(bit_fields_data, context)
	{
	}

	opt_pass *clone() override
	{
		return new bit_fields_pass(m_ctxt);
	}

	bool gate(function *f) override
	{
		return sanitize_flags_p(SANITIZE_THREAD, f->decl);
	}

	unsigned int execute(function *f) override;
};

unsigned int bit_fields_pass::execute(function *f)
{
	basic_block block;
	FOR_EACH_BB_FN(block, f)
	for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at))
		if (gassign *store = dyn_cast<gassign *>(gsi_stmt(at)); store && gimple_vdef(store))
			split_store(&at, store);
	return 0;
}

} // namespace

int plugin_init(plugin_name_args *arguments, plugin_gcc_version *version)
{
	if (!plugin_default_version_check(version, &gcc_version)) {
		error("this plugin for bit fields is made for GCC %s", gcc_version.basever);
		return 1;
	}
	/* tsan0 runs without -O. */
	for (const char *hooks : {"tsan", "tsan0"}) {
		register_pass_info place = {new bit_fields_pass(g), hooks, 0, PASS_POS_INSERT_BEFORE};
		register_callback(arguments->base_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &place);
	}
	return 0;
}
