/* SPDX-License-Identifier: MIT */
#include "location.h"

#include <dwarf.h>

#define STACK_MAX 16
#define OPS_MAX 32

/* A machine for expressions. */
struct machine {
	const struct location_frame *frame;
	uint64_t stack[STACK_MAX];
	unsigned count;
	bool is_value;
	bool is_base; /* it computes the base of the frame, which cannot need that base */
};

static bool push_value(struct machine *machine, uint64_t value)
{
	if (machine->count == STACK_MAX)
		return false;
	machine->stack[machine->count++] = value;
	return true;
}

/* The registers that a call preserves: rbx, rbp, rsp, r12 to r15. */
static bool is_preserved(unsigned number)
{
	return number == 3 || number == 6 || number == 7 || (number >= 12 && number <= 15);
}

static bool read_register(const struct location_frame *frame, unsigned number, uint64_t *value)
{
	Dwarf_Word word;
	if ((frame->is_caller && !is_preserved(number)) || dwfl_frame_reg(frame->state, number, &word))
		return false;
	*value = word;
	return true;
}

static bool evaluate(struct machine *machine, const Dwarf_Op *ops, size_t count);

/* The address of the caller's stack pointer before the call. */
static bool find_cfa(const struct location_frame *frame, uint64_t *cfa)
{
	Dwarf_Addr bias;
	Dwarf_CFI *cfi = dwfl_module_eh_cfi(frame->module, &bias);
	Dwarf_Frame *rules = NULL;
	Dwarf_Op *ops;
	size_t count;
	struct machine machine = {.frame = frame, .is_base = true};
	if (!cfi || dwarf_cfi_addrframe(cfi, frame->place - bias, &rules))
		return false;
	if (dwarf_frame_cfa(rules, &ops, &count) || !evaluate(&machine, ops, count) || !machine.count)
		return false;
	*cfa = machine.stack[machine.count - 1];
	return true;
}

static bool find_base(const struct location_frame *frame, uint64_t *base)
{
	Dwarf_Attribute attribute;
	Dwarf_Op *ops;
	size_t count;
	struct machine machine = {.frame = frame, .is_base = true};
	if (!frame->function || !dwarf_attr_integrate(frame->function, DW_AT_frame_base, &attribute) ||
	    dwarf_getlocation_addr(&attribute, frame->place - frame->bias, &ops, &count, 1) != 1 ||
	    !evaluate(&machine, ops, count) || !machine.count)
		return false;
	*base = machine.stack[machine.count - 1];
	return true;
}

static bool add_to_top(struct machine *machine, uint64_t number)
{
	if (!machine->count)
		return false;
	machine->stack[machine->count - 1] += number;
	return true;
}

static bool read_top(struct machine *machine)
{
	uint64_t *top = &machine->stack[machine->count - 1];
	return machine->count && machine->frame->read(machine->frame->context, *top, top);
}

/* Does an operation that has no range of numbers. */
static bool do_one(struct machine *machine, const Dwarf_Op *op)
{
	uint64_t value;
	switch (op->atom) {
	case DW_OP_addr:
		return push_value(machine, op->number + machine->frame->bias);
	case DW_OP_fbreg:
		return !machine->is_base && find_base(machine->frame, &value) &&
		       push_value(machine, value + op->number);
	case DW_OP_call_frame_cfa:
		return find_cfa(machine->frame, &value) && push_value(machine, value);
	case DW_OP_bregx:
		return read_register(machine->frame, (unsigned)op->number, &value) &&
		       push_value(machine, value + op->number2);
	case DW_OP_plus_uconst:
		return add_to_top(machine, op->number);
	case DW_OP_plus:
		return machine->count > 1 && (machine->count--, add_to_top(machine, machine->stack[machine->count]));
	case DW_OP_deref:
		return read_top(machine);
	case DW_OP_const1u:
	case DW_OP_const1s:
	case DW_OP_const2u:
	case DW_OP_const2s:
	case DW_OP_const4u:
	case DW_OP_const4s:
	case DW_OP_const8u:
	case DW_OP_const8s:
	case DW_OP_constu:
	case DW_OP_consts:
		return push_value(machine, op->number);
	case DW_OP_stack_value:
		machine->is_value = true;
		return machine->count;
	default:
		return false;
	}
}

static bool evaluate(struct machine *machine, const Dwarf_Op *ops, size_t count)
{
	bool is_known = count > 0 && count <= OPS_MAX;
	for (size_t i = 0; is_known && i < count; i++) {
		const unsigned atom = ops[i].atom;
		uint64_t value = 0;
		if (atom >= DW_OP_lit0 && atom <= DW_OP_lit31) {
			is_known = push_value(machine, atom - DW_OP_lit0);
		} else if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31) {
			is_known = read_register(machine->frame, atom - DW_OP_breg0, &value) &&
			           push_value(machine, value + ops[i].number);
		} else if (atom >= DW_OP_reg0 && atom <= DW_OP_reg31) {
			is_known =
				read_register(machine->frame, atom - DW_OP_reg0, &value) && push_value(machine, value);
			machine->is_value = true;
		} else {
			is_known = do_one(machine, &ops[i]);
		}
	}
	return is_known;
}

bool location_find(struct location *location, const struct location_frame *frame, Dwarf_Die *variable)
{
	Dwarf_Attribute attribute;
	Dwarf_Op *ops;
	size_t count;
	struct machine machine = {.frame = frame};
	if (!dwarf_attr(variable, DW_AT_location, &attribute) ||
	    dwarf_getlocation_addr(&attribute, frame->place - frame->bias, &ops, &count, 1) != 1 ||
	    !evaluate(&machine, ops, count) || !machine.count)
		return false;
	*location = (struct location){machine.is_value, machine.stack[machine.count - 1]};
	return true;
}
