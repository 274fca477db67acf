/* SPDX-License-Identifier: MIT */
/* The cost model: a statement costs by its kind, a memory access by the form of its address. */
#include "libc-port/ticks/price.h"

#include <cmath>

#include "libc-port/ticks/costs.h"

namespace
{

enum cost {
#define COST_ENUM(kind, sixteenths, text) cost_##kind = sixteenths,
	TICK_COST_LIST(COST_ENUM)
#undef COST_ENUM
};

/* Limit of a block that the compiler copies or clears itself, in pieces. Larger blocks are left to memcpy and memset
 * (see plugin_init), which charge by length. */
const unsigned pieces_most = 256, piece_bytes = 16;

/* A block of memory or an atomic operation that costs more than this, in sixteenths of a tick, counts as a call. */
const int small_block = 4 * (cost_load + cost_store);

bool is_real(tree type)
{
	return FLOAT_TYPE_P(type) || (VECTOR_TYPE_P(type) && FLOAT_TYPE_P(TREE_TYPE(type)));
}

/* Whether an index or address is computed by a mask or remainder with 4096 or more values, as in a hash table. */
bool is_scattered(tree index)
{
	for (int steps = 0; index && TREE_CODE(index) == SSA_NAME && steps < 8; steps++) {
		gimple *made = SSA_NAME_DEF_STMT(index);
		if (!is_gimple_assign(made))
			return false;
		tree limit = gimple_num_ops(made) == 3 ? gimple_assign_rhs2(made) : NULL_TREE;
		bool constant = limit && TREE_CODE(limit) == INTEGER_CST;
		switch (gimple_assign_rhs_code(made)) {
		case BIT_AND_EXPR:
		case TRUNC_MOD_EXPR:
			return !constant || compare_tree_int(limit, 4095) >= 0;
		case RSHIFT_EXPR:
			return constant && compare_tree_int(limit, TYPE_PRECISION(TREE_TYPE(index)) - 12) <= 0;
		CASE_CONVERT:
			index = gimple_assign_rhs1(made);
			break;
		case POINTER_PLUS_EXPR:
			index = gimple_assign_rhs2(made);
			break;
		case LSHIFT_EXPR:
		case MULT_EXPR:
		case PLUS_EXPR:
			index = constant ? gimple_assign_rhs1(made) : NULL_TREE;
			break;
		default:
			return false;
		}
	}
	return false;
}

/* Whether a pointer may be loaded from memory and pass a loop's start or a branch, as in a walk through a list or a
 * tree. */
bool is_link(tree pointer, int steps, bool chosen)
{
	if (!pointer || TREE_CODE(pointer) != SSA_NAME || steps == 0)
		return false;
	gimple *made = SSA_NAME_DEF_STMT(pointer);
	if (gphi *choice = dyn_cast<gphi *>(made)) {
		for (unsigned i = 0; i < gimple_phi_num_args(choice); i++)
			if (is_link(gimple_phi_arg_def(choice, i), steps - 1, true))
				return true;
		return false;
	}
	if (gimple_assign_load_p(made))
		return chosen;
	return is_gimple_assign(made) && is_link(gimple_assign_rhs1(made), steps - 1, chosen);
}

/* Returns the cost of a load or store; `place` is the expression of the memory. */
int memory_cost(tree place, int near)
{
	for (; handled_component_p(place); place = TREE_OPERAND(place, 0))
		if (TREE_CODE(place) == ARRAY_REF && is_scattered(TREE_OPERAND(place, 1)))
			return cost_far;
	if (TREE_CODE(place) == TARGET_MEM_REF && (is_scattered(TMR_INDEX(place)) || is_scattered(TMR_INDEX2(place))))
		return cost_far;
	if (TREE_CODE(place) == MEM_REF && is_scattered(TREE_OPERAND(place, 0)))
		return cost_far;
	tree base = get_base_address(place);
	bool link = near == cost_load && base && TREE_CODE(base) == MEM_REF && is_link(TREE_OPERAND(base, 0), 4, false);
	return link ? cost_link : near;
}

/* Whether a block of this size is left to memcpy or memset. */
bool is_large(tree bytes)
{
	return !bytes || TREE_CODE(bytes) != INTEGER_CST || compare_tree_int(bytes, pieces_most) > 0;
}

/* Returns the cost of copying or clearing a block; `piece` is the cost of a piece. */
int block_cost(tree bytes, int piece)
{
	if (is_large(bytes))
		return cost_call;
	return CEIL(tree_to_uhwi(bytes), piece_bytes) * piece;
}

/* Whether a structure or array is assigned as a whole. */
bool is_block(gimple *statement)
{
	return is_gimple_assign(statement) && AGGREGATE_TYPE_P(TREE_TYPE(gimple_assign_lhs(statement)));
}

/* Whether a statement will become a call of memcpy or memset. */
bool is_large_block(gimple *statement)
{
	if (gimple_call_internal_p(statement, IFN_DEFERRED_INIT))
		return is_large(gimple_call_arg(statement, 0));
	return is_block(statement) && is_large(TYPE_SIZE_UNIT(TREE_TYPE(gimple_assign_lhs(statement))));
}

int aggregate_cost(const gassign *assign)
{
	tree from = gimple_assign_rhs1(assign), type = TREE_TYPE(gimple_assign_lhs(assign));
	bool constant = TREE_CODE(from) == CONSTRUCTOR || TREE_CODE(from) == STRING_CST;
	return block_cost(TYPE_SIZE_UNIT(type), constant ? cost_store : cost_load + cost_store);
}

/* Returns the cost of structures passed as arguments, and of a structure result that is copied. */
int by_value_cost(const gcall *call)
{
	int cost = 0;
	tree result = gimple_call_lhs(call);
	if (result && AGGREGATE_TYPE_P(TREE_TYPE(result)) && !gimple_call_return_slot_opt_p(call))
		cost += block_cost(TYPE_SIZE_UNIT(TREE_TYPE(result)), cost_load + cost_store);
	for (unsigned i = 0; i < gimple_call_num_args(call); i++)
		if (tree type = TREE_TYPE(gimple_call_arg(call, i)); AGGREGATE_TYPE_P(type))
			cost += block_cost(TYPE_SIZE_UNIT(type), cost_load + cost_store);
	return cost;
}

/* Returns the cost of an assignment's computation, without loads and stores. */
int operation_cost(const gassign *assign)
{
	enum tree_code code = gimple_assign_rhs_code(assign);
	bool real = is_real(TREE_TYPE(gimple_assign_lhs(assign)));
	switch (code) {
	case MULT_EXPR:
	case MULT_HIGHPART_EXPR:
	case WIDEN_MULT_EXPR:
		return real ? cost_real : cost_multiply;
	case RDIV_EXPR:
		return cost_real_divide;
	case TRUNC_DIV_EXPR:
	case TRUNC_MOD_EXPR:
		if (TREE_CODE(gimple_assign_rhs2(assign)) != INTEGER_CST)
			return cost_divide;
		return integer_pow2p(gimple_assign_rhs2(assign)) ? cost_integer : 2 * cost_multiply;
	CASE_CONVERT:
		return real ? cost_real : cost_move;
	default:
		if (get_gimple_rhs_class(code) == GIMPLE_SINGLE_RHS)
			return cost_move;
		return real ? cost_real : cost_integer;
	}
}

/* Whether a store or fence is sequentially consistent. An unknown order counts as the strictest. */
bool is_ordered(tree order)
{
	return !tree_fits_uhwi_p(order) || is_mm_seq_cst(memmodel_from_int(tree_to_uhwi(order)));
}

/* Returns the cost of an atomic operation. Those that lock the bus are expensive. */
int atomic_cost(const gcall *call, built_in_function code)
{
	if (code >= BUILT_IN_ATOMIC_LOAD && code <= BUILT_IN_ATOMIC_LOAD_16)
		return cost_load;
	if (code >= BUILT_IN_ATOMIC_STORE && code <= BUILT_IN_ATOMIC_STORE_16)
		return is_ordered(gimple_call_arg(call, gimple_call_num_args(call) - 1)) ? cost_atomic : cost_store;
	if (code == BUILT_IN_ATOMIC_CLEAR)
		return is_ordered(gimple_call_arg(call, 1)) ? cost_atomic : cost_store;
	if (code >= BUILT_IN_SYNC_LOCK_RELEASE_N && code <= BUILT_IN_SYNC_LOCK_RELEASE_16)
		return cost_store;
	if (code == BUILT_IN_ATOMIC_THREAD_FENCE)
		return is_ordered(gimple_call_arg(call, 0)) ? cost_atomic : cost_move;
	return code > BUILT_IN_ATOMIC_FETCH_OR_16 ? cost_move : cost_atomic;
}

int internal_cost(const gcall *call)
{
	switch (gimple_call_internal_fn(call)) {
	case IFN_SQRT:
		return cost_real_root;
	case IFN_ATOMIC_BIT_TEST_AND_SET:
	case IFN_ATOMIC_BIT_TEST_AND_COMPLEMENT:
	case IFN_ATOMIC_BIT_TEST_AND_RESET:
	case IFN_ATOMIC_COMPARE_EXCHANGE:
	case IFN_ATOMIC_ADD_FETCH_CMP_0:
	case IFN_ATOMIC_SUB_FETCH_CMP_0:
	case IFN_ATOMIC_AND_FETCH_CMP_0:
	case IFN_ATOMIC_OR_FETCH_CMP_0:
	case IFN_ATOMIC_XOR_FETCH_CMP_0:
		return cost_atomic;
	case IFN_DEFERRED_INIT: /* -ftrivial-auto-var-init */
		return block_cost(gimple_call_arg(call, 0), cost_store);
	default:
		return cost_integer;
	}
}

int call_cost(const gcall *call)
{
	if (gimple_call_internal_p(call))
		return internal_cost(call);
	tree callee = gimple_call_fndecl(call);
	if (!callee)
		return cost_call_pointer;
	if (!gimple_call_builtin_p(call, BUILT_IN_NORMAL))
		return is_inexpensive_builtin(callee) ? cost_integer : cost_call;
	built_in_function code = DECL_FUNCTION_CODE(callee);
	if (code >= BUILT_IN_SYNC_FETCH_AND_ADD_N && code <= BUILT_IN_ATOMIC_SIGNAL_FENCE)
		return atomic_cost(call, code);
	switch (code) {
	case BUILT_IN_MEMCPY:
	case BUILT_IN_MEMPCPY:
	case BUILT_IN_MEMMOVE:
		return block_cost(gimple_call_arg(call, 2), cost_load + cost_store);
	case BUILT_IN_MEMSET:
		return block_cost(gimple_call_arg(call, 2), cost_store);
	default:
		return is_inexpensive_builtin(callee) ? cost_integer : cost_call;
	}
}

/* Returns the cost of a branch, by how often the rarer way is taken: the processor predicts the other one. */
int branch_cost(basic_block block)
{
	double rarer = 0.5;
	edge way;
	edge_iterator i;
	FOR_EACH_EDGE(way, i, block->succs)
	if (way->probability.initialized_p())
		rarer = std::fmin(rarer, way->probability.to_reg_br_prob_base() / double(REG_BR_PROB_BASE));
	return cost_branch + int(std::lround(2 * rarer * cost_surprise));
}

int statement_cost(gimple *statement)
{
	switch (gimple_code(statement)) {
	case GIMPLE_ASSIGN:
		if (gimple_clobber_p(statement))
			return 0;
		if (is_block(statement))
			return aggregate_cost(as_a<gassign *>(statement));
		return operation_cost(as_a<gassign *>(statement)) +
		       (gimple_vdef(statement)   ? memory_cost(gimple_assign_lhs(statement), cost_store)
		        : gimple_vuse(statement) ? memory_cost(gimple_assign_rhs1(statement), cost_load)
		                                 : 0);
	case GIMPLE_CALL:
		return call_cost(as_a<gcall *>(statement)) + by_value_cost(as_a<gcall *>(statement));
	case GIMPLE_COND:
		return branch_cost(gimple_bb(statement));
	case GIMPLE_SWITCH:
	case GIMPLE_GOTO:
		return cost_jump;
	case GIMPLE_ASM:
		return cost_assembly;
	default:
		return 0;
	}
}

} // namespace

int price_of(basic_block block)
{
	int cost = 0;
	for (gimple_stmt_iterator i = gsi_start_bb(block); !gsi_end_p(i); gsi_next(&i))
		cost += statement_cost(gsi_stmt(i));
	return cost;
}

bool price_has_call(basic_block block)
{
	for (gimple_stmt_iterator i = gsi_start_bb(block); !gsi_end_p(i); gsi_next(&i)) {
		gimple *statement = gsi_stmt(i);
		bool call = is_gimple_call(statement);
		if ((call && !gimple_call_internal_p(statement)) || is_large_block(statement))
			return true;
		if ((call || is_block(statement)) && statement_cost(statement) > small_block)
			return true;
	}
	return false;
}
