/* SPDX-License-Identifier: MIT */
/* Ticks are handled before the point: a thread that is replaced at a tick has not passed the point yet. As in
 * kernel/sched/ask.S, asking leaves no trace, and work that is to be done is the same in a replay. */
#include "kernel/linux/entry/linux_point.h"

#include "abi/sched_note.h"
#include "abi/sched_plan.h"
#include "kernel/arch/trap_register.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/string.h"
#include "kernel/linux/debug/debug.h"
#include "kernel/linux/entry/entry.h"
#include "kernel/linux/entry/rseq.h"
#include "kernel/linux/patch/patch.h"
#include "kernel/linux/signal/deliver.h"
#include "kernel/linux/strace/strace.h"
#include "kernel/mm/brk.h"
#include "kernel/sched/ask.h"
#include "kernel/sched/context.h"
#include "kernel/sched/notes.h"
#include "kernel/sched/policy.h"
#include "kernel/sched/reads_from.h"
#include "kernel/signal/signal.h"
#include "kernel/time/vclock.h"
#include "kernel/mm/space.h"

/* The work for linux_point_act is an answer of sched_point_asked or, with this bit, of sched_ticks_asked. */
#define OF_TICKS 2UL

struct question {
	uint16_t op;
	const void *object;
	uint64_t place; /* while reads are noted: the address of the instruction */
	const struct stub_point *point;
};

/* The value of a register; 0 for CODE_NO_REGISTER. */
static uint64_t register_of(const struct trap_frame *frame, unsigned number)
{
	return number < TRAP_REGISTERS ? trap_register_get(frame, number) : 0;
}

/* The address of the instruction's memory operand; NULL when it is not known. */
static void *operand_of(const struct trap_frame *frame, const struct stub_point *point)
{
	unsigned base = CODE_BASE(point->operand), at = CODE_DISPLACEMENT_AT(point->operand);
	uint64_t address = base == CODE_RIP ? point->go_on + point->length : register_of(frame, base);
	int32_t word = 0;
	int8_t byte = 0;
	if (base == CODE_UNKNOWN)
		return NULL;
	address += register_of(frame, CODE_INDEX(point->operand)) << CODE_SCALE(point->operand);
	switch (CODE_DISPLACEMENT_BYTES(point->operand)) {
	case 1:
		if (copy_from_user(&byte, (const void *)(point->go_on + at), sizeof(byte)))
			return NULL;
		break;
	case 4:
		if (copy_from_user(&word, (const void *)(point->go_on + at), sizeof(word)))
			return NULL;
		break;
	default:
		break;
	}
	return (void *)(address + (uint64_t)(int64_t)byte + (uint64_t)(int64_t)word);
}

static struct question question_of(const struct trap_frame *frame, const struct stub_point *point)
{
	uint16_t op = point->kind == CODE_ATOMIC                             ? SCHED_OP_atomic
	              : point->kind == CODE_WAIT || point->kind == CODE_LOAD ? SCHED_OP_load
	                                                                     : SCHED_OP_store;
	return (struct question){op, operand_of(frame, point), reads_from_is_noted() ? stub_original(point->go_on) : 0,
	                         point};
}

/* The operation, as sched_point_asked takes it. */
static uint64_t what_of(const struct question *question)
{
	return question->op | (question->point->kind == CODE_UPDATE ? SCHED_LOOK_LOADED : 0);
}

/* Copies the stub's data, which the program may have changed. */
static struct stub_point read_point(const struct stub_point *at)
{
	struct stub_point point;
	if (copy_from_user(&point, at, sizeof(point)))
		point = (struct stub_point){.operand = {CODE_UNKNOWN}};
	return point;
}

/* Notes the access, for --shared-out and searches. */
static void note_access(const struct stub_point *point, const void *object)
{
	const bool is_first = sched_shared()->youngest <= 1, is_last = !is_first && thread_count() < 2;
	uint64_t file, offset;
	if (is_last && (point->kind == CODE_LOAD || point->kind == CODE_WAIT))
		return; /* all others have ended */
	if (!object || !patch_place(stub_original(point->go_on), &file, &offset))
		return;
	const struct sched_note note = {
		.object = (uint64_t)object,
		.file = file,
		.offset = (uint32_t)offset,
		.thread = thread_current->number,
		.process = thread_current->process->id,
		.kind = point->kind,
		.bytes = (uint8_t)CODE_OPERAND_BYTES(point->operand),
		.flags = (is_first ? SCHED_NOTE_ALONE : 0) |
	                 ((uint64_t)object < space_current->brk.start ? SCHED_NOTE_STATIC : 0),
	};
	notes_add(&note);
}

void linux_point_forget(void)
{
	linux_point_rax = linux_point_rcx = 0;
}

void linux_point_end(void)
{
	const struct sched_note note = {
		.object = thread_current->fs_base, .thread = thread_current->number, .kind = SCHED_NOTE_END};
	if (notes_are_made())
		notes_add(&note);
}

static uint64_t ask_at_point(const struct trap_frame *frame, const struct stub_point *at)
{
	if (vclock_is_due()) {
		strace_ticks(frame);
		uint64_t what = sched_ticks_asked();
		if (what)
			return what | OF_TICKS;
		if (--sched_shared()->points_left >= 0)
			return 0;
	}
	const struct stub_point point = read_point(at);
	const struct question question = question_of(frame, &point);
	if (notes_are_made())
		note_access(&point, question.object);
	return sched_point_asked(what_of(&question), question.object, question.place);
}

uint64_t linux_point_asked(const struct trap_frame *frame, const struct stub_point *at)
{
	const uint64_t what = ask_at_point(frame, at);
	if (!what)
		debug_note(DEBUG_AT_PLACE, frame->rip - LINUX_POINT_LAST_BYTES, NULL);
	return what;
}

static uint64_t count_point(const void *argument)
{
	const struct question *question = argument;
	if (--sched_shared()->points_left >= 0)
		return 0;
	if (notes_are_made())
		note_access(question->point, question->object);
	return sched_point_asked(what_of(question), question->object, question->place);
}

/* An instruction that loads and stores without a lock is two steps, and another thread may store in between. This
 * thread has already loaded: it continues with the value loaded, and overwrites what was stored meanwhile. */
void linux_point_act(struct trap_frame *frame, uint64_t what)
{
	const struct stub_point point = read_point((const struct stub_point *)frame->address);
	const struct question question = question_of(frame, &point);
	void *object = (void *)question.object;
	uint64_t loaded = 0;
	unsigned bytes = CODE_OPERAND_BYTES(point.operand);
	bool is_update = point.kind == CODE_UPDATE && object && bytes <= sizeof(loaded) &&
	                 !copy_from_user(&loaded, object, bytes);
	const uint64_t switches = thread_current->switches;
	frame->address = 0;
	if (what & OF_TICKS) {
		sched_ticks_act(what & ~OF_TICKS);
		what = context_on_policy_stack(count_point, &question);
	}
	if (what)
		sched_call_act(what);
	if (thread_current->switches != switches)
		rseq_interrupted(frame);
	if (is_update)
		copy_to_user(object, &loaded, bytes); /* if that fails, the instruction will fail, too */
	if (signal_pending())
		linux_deliver(frame);
	debug_note(DEBUG_AT_PLACE, frame->rip, NULL);
}

uint64_t linux_tick_asked(const struct trap_frame *frame)
{
	const bool is_due = vclock_is_due();
	if (is_due)
		strace_ticks(frame);
	const uint64_t what = is_due ? sched_ticks_asked() : 0;
	if (!what)
		debug_note(DEBUG_AT_PLACE, frame->rip, NULL);
	return what;
}

void linux_tick_act(struct trap_frame *frame, uint64_t what)
{
	const uint64_t switches = thread_current->switches;
	sched_ticks_act(what);
	if (thread_current->switches != switches)
		rseq_interrupted(frame);
	if (signal_pending())
		linux_deliver(frame);
	debug_note(DEBUG_AT_PLACE, frame->rip, NULL);
}
