/* SPDX-License-Identifier: MIT */
#include "libc-port/ticks/check.h"

#include <algorithm>

#include "abi/ticks.h"

namespace
{

vec<tree, va_gc> *asm_operand(const char *constraint, tree value)
{
	vec<tree, va_gc> *list = NULL;
	tree text = build_string(strlen(constraint), constraint);
	vec_safe_push(list, build_tree_list(build_tree_list(NULL_TREE, text), value));
	return list;
}

/* Appends an asm statement. It may read a register, %0, and jump to the start of the block `to`, the next operand. */
void append_asm(basic_block block, const char *text, tree in, basic_block to)
{
	vec<tree, va_gc> *labels = NULL;
	if (to)
		vec_safe_push(labels, build_tree_list(NULL_TREE, gimple_block_label(to)));
	gasm *statement = gimple_build_asm_vec(ggc_strdup(text), in ? asm_operand("r", in) : NULL, NULL, NULL, labels);
	gimple_asm_set_volatile(statement, true);
	gimple_stmt_iterator end = gsi_last_bb(block);
	gsi_insert_after(&end, statement, GSI_NEW_STMT);
}

/* Makes the block that runs when the countdown has run out in `block`. */
basic_block create_out(basic_block block)
{
	basic_block out = create_empty_bb(block);
	if (current_loops)
		add_bb_to_loop(out, block->loop_father);
	/* Not "never": GCC moves such blocks to another section with its own unwind entry. */
	out->count = block->count.apply_scale(1, REG_BR_PROB_BASE);
	return out;
}

void make_rare(edge on, basic_block out)
{
	make_edge(on->src, out, 0)->probability = profile_probability::very_unlikely();
	on->probability = profile_probability::very_likely();
}

} // namespace

void check_add(edge on, long ticks)
{
	/* The compiler assumes that an asm statement can also continue after itself. This one does not. */
	basic_block block = on->src, out = create_out(block), behind = create_empty_bb(out);
	if (current_loops)
		add_bb_to_loop(behind, block->loop_father);
	behind->count = profile_count::zero();
	gimple_stmt_iterator end = gsi_last_bb(behind);
	gsi_insert_after(&end, gimple_build_call(builtin_decl_implicit(BUILT_IN_UNREACHABLE), 0), GSI_NEW_STMT);
	/* In both dialects of assembly, for -masm=. */
	append_asm(out,
	           "{movl $%l0, __eremite_ticks_back|mov DWORD PTR __eremite_ticks_back, OFFSET %l0}\n\t"
	           "jmp __eremite_ticks_out",
	           NULL_TREE, on->dest);
	make_edge(out, on->dest, 0)->probability = profile_probability::always();
	make_edge(out, behind, EDGE_FALLTHRU)->probability = profile_probability::never();

	char text[128];
	long cost = ticks << TICKS_LEFT_SHIFT;
	snprintf(text, sizeof(text),
	         "{subq $%ld, __eremite_ticks_left|sub QWORD PTR __eremite_ticks_left, %ld}\n\tjle %%l0", cost, cost);
	append_asm(block, text, NULL_TREE, out);
	make_rare(on, out);
}

void check_add_counting(const check_loop &loop, long ticks)
{
	tree type = long_integer_type_node;
	tree before = make_ssa_name(type), owed = make_ssa_name(type), rest = make_ssa_name(type);
	edge on = split_block_after_labels(loop.start), way;
	edge_iterator i;
	basic_block block = on->src, out = create_out(block);

	gimple_stmt_iterator end = gsi_last_bb(block);
	tree cost = build_int_cst(type, ticks << TICKS_LEFT_SHIFT);
	gsi_insert_after(&end, gimple_build_assign(owed, PLUS_EXPR, before, cost), GSI_NEW_STMT);
	append_asm(block,
	           "{movq %0, __eremite_ticks_owed|mov QWORD PTR __eremite_ticks_owed, %0}\n\t"
	           "{cmpq %0, __eremite_ticks_left|cmp QWORD PTR __eremite_ticks_left, %0}\n\t"
	           "jle %l1",
	           owed, out);
	make_rare(on, out);

	gasm *leave = gimple_build_asm_vec(
		ggc_strdup("{subq %0, __eremite_ticks_left|sub QWORD PTR __eremite_ticks_left, %0}\n\t"
	                   "{movl $1f, __eremite_ticks_back|mov DWORD PTR __eremite_ticks_back, OFFSET 1f}\n\t"
	                   "jmp __eremite_ticks_out\n"
	                   "1:\tjne 2f\n\t"
	                   "xor{l %k0, %k0| %k0, %k0}\n\t"
	                   "jmp 3f\n"
	                   "2:\t{addq %0, __eremite_ticks_left|add QWORD PTR __eremite_ticks_left, %0}\n"
	                   "3:"),
		asm_operand("0", owed), asm_operand("=r", rest), NULL, NULL);
	gimple_asm_set_volatile(leave, true);
	SSA_NAME_DEF_STMT(rest) = leave;
	end = gsi_last_bb(out);
	gsi_insert_after(&end, leave, GSI_NEW_STMT);
	make_edge(out, on->dest, EDGE_FALLTHRU)->probability = profile_probability::always();

	tree now = make_ssa_name(type);
	gphi *choice = create_phi_node(now, on->dest);
	FOR_EACH_EDGE(way, i, on->dest->preds)
	add_phi_arg(choice, way == on ? owed : rest, way, UNKNOWN_LOCATION);

	choice = create_phi_node(before, block);
	FOR_EACH_EDGE(way, i, block->preds)
	{
		bool back = std::count(loop.back.begin(), loop.back.end(), way) > 0;
		add_phi_arg(choice, back ? now : build_zero_cst(type), way, UNKNOWN_LOCATION);
	}

	for (edge exit : loop.exits)
		append_asm(split_edge(exit),
		           "{subq %0, __eremite_ticks_left|sub QWORD PTR __eremite_ticks_left, %0}\n\t"
		           "{andq $0, __eremite_ticks_owed|and QWORD PTR __eremite_ticks_owed, 0}", /* 3 bytes shorter
		                                                                                       than a mov */
		           now, NULL);
}
