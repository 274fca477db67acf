/* SPDX-License-Identifier: MIT */
#include "kernel/linux/debug/debug_condition.h"

#include "kernel/lib/string.h"
#include "kernel/linux/debug/debug_memory.h"
#include "kernel/linux/patch/stub.h"

#define STACK_MAX 64    /* values, as gdb's own agent has 100 */
#define STEPS_MAX 10000 /* instructions of an expression, which may have a loop */
#define LENGTH_BYTES 2  /* before an expression */
#define REGISTER_RIP 16 /* gdb's numbers of registers */
#define REGISTER_EFLAGS 17

/* gdb's ax.def. What is left out, such as floating point and variables of traces, cannot be evaluated. */
enum {
	AX_ADD = 0x02,
	AX_SUB,
	AX_MUL,
	AX_DIV_SIGNED,
	AX_DIV_UNSIGNED,
	AX_REM_SIGNED,
	AX_REM_UNSIGNED,
	AX_LSH,
	AX_RSH_SIGNED,
	AX_RSH_UNSIGNED,
	AX_LOG_NOT = 0x0e,
	AX_BIT_AND,
	AX_BIT_OR,
	AX_BIT_XOR,
	AX_BIT_NOT,
	AX_EQUAL,
	AX_LESS_SIGNED,
	AX_LESS_UNSIGNED,
	AX_EXT,
	AX_REF8,
	AX_REF16,
	AX_REF32,
	AX_REF64,
	AX_IF_GOTO = 0x20,
	AX_GOTO,
	AX_CONST8,
	AX_CONST16,
	AX_CONST32,
	AX_CONST64,
	AX_REG,
	AX_END,
	AX_DUP,
	AX_POP,
	AX_ZERO_EXT,
	AX_SWAP,
	AX_PICK = 0x32,
	AX_ROT,
};

/* An expression that is being evaluated. */
struct evaluation {
	const uint8_t *code;
	size_t bytes, at;
	const struct trap_frame *frame;
	uint64_t stack[STACK_MAX];
	size_t depth;
	bool has_failed;
};

static void push_value(struct evaluation *now, uint64_t value)
{
	if (now->depth == STACK_MAX)
		now->has_failed = true;
	else
		now->stack[now->depth++] = value;
}

static uint64_t pop_value(struct evaluation *now)
{
	if (now->depth)
		return now->stack[--now->depth];
	now->has_failed = true;
	return 0;
}

/* The next bytes of the code, highest first. */
static uint64_t take_constant(struct evaluation *now, unsigned bytes)
{
	uint64_t value = 0;
	if (now->bytes - now->at < bytes) {
		now->has_failed = true;
		return 0;
	}
	while (bytes--)
		value = value << 8 | now->code[now->at++];
	return value;
}

static void go_to(struct evaluation *now, bool goes)
{
	const uint64_t at = take_constant(now, 2);
	if (at >= now->bytes)
		now->has_failed = true;
	else if (goes)
		now->at = at;
}

static void push_memory(struct evaluation *now, unsigned bytes)
{
	uint64_t value = 0;
	const uint64_t address = pop_value(now);
	if (!debug_memory_peek(address, &value, bytes))
		now->has_failed = true;
	push_value(now, value);
}

static void push_register(struct evaluation *now)
{
	const struct trap_frame *frame = now->frame;
	const uint64_t general[] = {frame->rax, frame->rbx, frame->rcx, frame->rdx, frame->rsi, frame->rdi,
	                            frame->rbp, frame->rsp, frame->r8,  frame->r9,  frame->r10, frame->r11,
	                            frame->r12, frame->r13, frame->r14, frame->r15};
	const uint64_t number = take_constant(now, 2);
	if (number < REGISTER_RIP)
		push_value(now, general[number]);
	else if (number == REGISTER_RIP)
		push_value(now, stub_original(frame->rip));
	else if (number == REGISTER_EFLAGS)
		push_value(now, frame->rflags);
	else
		now->has_failed = true;
}

/* Division as the processor does it would trap in two cases. */
static uint64_t divide_signed(struct evaluation *now, int64_t a, int64_t b, bool wants_rest)
{
	if (!b)
		now->has_failed = true;
	if (!b || b == -1)
		return wants_rest ? 0 : 0 - (uint64_t)a;
	return (uint64_t)(wants_rest ? a % b : a / b);
}

static uint64_t divide_unsigned(struct evaluation *now, uint64_t a, uint64_t b, bool wants_rest)
{
	if (b)
		return wants_rest ? a % b : a / b;
	now->has_failed = true;
	return 0;
}

/* The result of an operation of two values. */
static uint64_t combine(struct evaluation *now, uint8_t op, uint64_t a, uint64_t b)
{
	const bool is_far = b > 63; /* a shift by more than all bits */
	switch (op) {
	case AX_ADD:
		return a + b;
	case AX_SUB:
		return a - b;
	case AX_MUL:
		return a * b;
	case AX_DIV_SIGNED:
		return divide_signed(now, (int64_t)a, (int64_t)b, false);
	case AX_REM_SIGNED:
		return divide_signed(now, (int64_t)a, (int64_t)b, true);
	case AX_DIV_UNSIGNED:
		return divide_unsigned(now, a, b, false);
	case AX_REM_UNSIGNED:
		return divide_unsigned(now, a, b, true);
	case AX_LSH:
		return is_far ? 0 : a << b;
	case AX_RSH_SIGNED:
		return (uint64_t)((int64_t)a >> (is_far ? 63 : b));
	case AX_RSH_UNSIGNED:
		return is_far ? 0 : a >> b;
	case AX_BIT_AND:
		return a & b;
	case AX_BIT_OR:
		return a | b;
	case AX_BIT_XOR:
		return a ^ b;
	case AX_EQUAL:
		return a == b;
	case AX_LESS_SIGNED:
		return (int64_t)a < (int64_t)b;
	case AX_LESS_UNSIGNED:
		return a < b;
	default:
		now->has_failed = true;
		return 0;
	}
}

static void push_combined(struct evaluation *now, uint8_t op)
{
	const uint64_t b = pop_value(now), a = pop_value(now);
	push_value(now, combine(now, op, a, b));
}

/* Extends the lowest bits of a value. */
static void push_extended(struct evaluation *now, bool is_signed)
{
	const uint64_t bits = take_constant(now, 1), value = pop_value(now);
	if (!bits)
		now->has_failed = true;
	if (!bits || bits >= 64)
		push_value(now, value);
	else if (is_signed)
		push_value(now, (uint64_t)((int64_t)(value << (64 - bits)) >> (64 - bits)));
	else
		push_value(now, value & ((1UL << bits) - 1));
}

/* Changes the order of the values on the stack. */
static void move_values(struct evaluation *now, uint8_t op)
{
	const uint64_t c = op == AX_ROT ? pop_value(now) : 0, b = pop_value(now), a = pop_value(now);
	if (op == AX_ROT)
		push_value(now, c);
	else
		push_value(now, b);
	push_value(now, a);
	if (op == AX_ROT)
		push_value(now, b);
}

static void push_picked(struct evaluation *now)
{
	const uint64_t below = take_constant(now, 1);
	if (below >= now->depth)
		now->has_failed = true;
	else
		push_value(now, now->stack[now->depth - 1 - below]);
}

/* Performs an instruction. */
static void evaluate_one(struct evaluation *now, uint8_t op)
{
	switch (op) {
	case AX_LOG_NOT:
		push_value(now, !pop_value(now));
		break;
	case AX_BIT_NOT:
		push_value(now, ~pop_value(now));
		break;
	case AX_EXT:
	case AX_ZERO_EXT:
		push_extended(now, op == AX_EXT);
		break;
	case AX_REF8:
	case AX_REF16:
	case AX_REF32:
	case AX_REF64:
		push_memory(now, 1U << (op - AX_REF8));
		break;
	case AX_IF_GOTO:
		go_to(now, pop_value(now) != 0);
		break;
	case AX_GOTO:
		go_to(now, true);
		break;
	case AX_CONST8:
	case AX_CONST16:
	case AX_CONST32:
	case AX_CONST64:
		push_value(now, take_constant(now, 1U << (op - AX_CONST8)));
		break;
	case AX_REG:
		push_register(now);
		break;
	case AX_DUP:
		push_value(now, now->depth ? now->stack[now->depth - 1] : pop_value(now));
		break;
	case AX_POP:
		pop_value(now);
		break;
	case AX_SWAP:
	case AX_ROT:
		move_values(now, op);
		break;
	case AX_PICK:
		push_picked(now);
		break;
	default:
		push_combined(now, op);
	}
}

/* Whether an expression is false. */
static bool is_false(struct evaluation *now)
{
	for (unsigned steps = 0; steps < STEPS_MAX && !now->has_failed; steps++) {
		const uint8_t op = (uint8_t)take_constant(now, 1);
		if (now->has_failed)
			break;
		if (op == AX_END)
			return !pop_value(now) && !now->has_failed;
		evaluate_one(now, op);
	}
	return false;
}

static size_t length_of(const uint8_t *at)
{
	return (size_t)(at[0] | at[1] << 8);
}

bool debug_condition_is_list(const uint8_t *list, size_t bytes)
{
	size_t at = 0;
	while (bytes - at >= LENGTH_BYTES && bytes - at - LENGTH_BYTES >= length_of(list + at))
		at += LENGTH_BYTES + length_of(list + at);
	return at == bytes;
}

bool debug_condition_is_false(const uint8_t *list, size_t bytes, const struct trap_frame *frame)
{
	for (size_t at = 0; at < bytes; at += LENGTH_BYTES + length_of(list + at)) {
		struct evaluation now = {
			.code = list + at + LENGTH_BYTES, .bytes = length_of(list + at), .frame = frame};
		if (!is_false(&now))
			return false;
	}
	return bytes != 0;
}
