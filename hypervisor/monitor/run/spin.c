/* SPDX-License-Identifier: MIT */
#include "run/spin.h"

#include <limits.h>
#include <string.h>

#include "abi/layout.h"
#include "abi/linux_view.h"
#include "base/error.h"
#include "base/jitter.h"
#include "guest/guest_virtual.h"
#include "guest/linux_view.h"
#include "scan/disassembler.h"

#define RFLAGS_TF 0x100UL
#define RFLAGS_RF 0x10000UL
#define INSTRUCTION_BYTES 15
#define INT3_OPCODE 0xcc
#define INT_OPCODE 0xcd

/* Limits of a search, which spin->effort multiplies. STEPS limits its steps. OTHERS limits the pairs of states with the
 * same RIP and other registers: a loop that computes has many, a loop that waits has some if it calls a function more
 * than once. Go's sweeper has 154 steps and some 50 pairs. The first search is short, because many programs run for
 * only some milliseconds; with threads it is twice as long. After a search in vain the effort stays EFFORT_MAX. */
#define STEPS 128U
#define OTHERS 32U
#define EFFORT_THREADS 2U
#define EFFORT_MAX (SPIN_STEPS_MAX / STEPS)
#define JITTER_EFFORTS 4 /* jitter draws one of the 4 powers of two from 1 to EFFORT_MAX */

/* A step takes some 35 us. Searches in vain may take one 200th of the time; with threads, which may wait for each
 * other, one 50th. */
#define SHARE_ALONE 200U
#define SHARE_THREADS 50U
#define JITTER_SHARE 8U /* with jitter the pause after a search is at most 8 times as long as the search */

/* Addresses this close to the stack pointer, in bytes, belong to the thread's own stack. */
#define STACK_BELOW 4096UL
#define STACK_ABOVE 65536UL

/* A look costs some 50 us. While looks find nothing, the interval between them doubles up to LOOK_MAX_NS. */
#define LOOK_FIRST_NS 2000000UL
#define LOOK_SOON_NS 200000UL /* after a busy-wait was found */
#define LOOK_MAX_NS 64000000UL

void spin_init(struct spin *spin, const struct engine_ops *ops, struct engine *engine,
               const struct guest_memory *memory, const struct image *image)
{
	/* Outside of the structure, because most runs never touch these 150 KB; one run at a time (watch.h). */
	static struct engine_registers states[SPIN_STEPS_MAX];
	memset(spin, 0, sizeof(*spin));
	spin->states = states;
	spin->ops = ops;
	spin->engine = engine;
	spin->memory = memory;
	spin->image = image;
	spin->interval_ns = LOOK_FIRST_NS;
	spin->effort = 1;
}

static bool is_kernel(const struct spin *spin, uint64_t rip)
{
	return rip >= spin->image->header.kernel_text && rip < spin->image->header.kernel_text_end;
}

static struct doorbell *doorbell(const struct spin *spin)
{
	return guest_memory_at(spin->memory, gpa(LAYOUT_DOORBELL), sizeof(struct doorbell));
}

/* Sets *seen to the memory of the running process. Returns false if the guest runs no Linux program. */
static bool see(const struct spin *spin, struct guest_memory *seen)
{
	struct linux_view view;
	if (!linux_view_read(&view, spin->memory))
		return false;
	*seen = linux_view_memory(&view, spin->memory);
	return true;
}

static bool is_same(const struct engine_registers *a, const struct engine_registers *b)
{
	return !memcmp(a, b, sizeof(*a));
}

static bool is_of_stack(const struct engine_registers *state, uint64_t address)
{
	return address - (state->general[ENGINE_RSP] - STACK_BELOW) < STACK_BELOW + STACK_ABOVE;
}

/* Called before an instruction writes at most 8 bytes. At the first write, keeps the old value. At a later write, sets
 * spin->changes if the value differs from the kept one and is not on the thread's stack. Returns false if the loop
 * cannot be a busy-wait: it writes overlapping memory in different sizes, or too many values. */
static bool keep(struct spin *spin, const struct guest_memory *seen, const struct engine_registers *state,
                 uint64_t address, uint64_t bytes)
{
	for (unsigned i = 0; i < spin->write_count; i++) {
		const struct spin_write *write = &spin->writes[i];
		uint64_t now = 0;
		if (write->address == address && write->bytes == bytes) {
			if (guest_virtual_read(seen, write->address, &now, write->bytes))
				return false;
			spin->changes |= now != write->value && !is_of_stack(state, write->address);
			return true;
		}
		if (write->address < address + bytes && address < write->address + write->bytes)
			return false;
	}
	if (spin->write_count == SPIN_WRITES_MAX)
		return false;
	struct spin_write *write = &spin->writes[spin->write_count++];
	*write = (struct spin_write){address, bytes, 0};
	return !guest_virtual_read(seen, address, &write->value, bytes);
}

/* The same for what an instruction writes, and notes the vector registers that it uses. */
static bool keep_all(struct spin *spin, const struct guest_memory *seen, const struct engine_registers *state,
                     const struct instruction_effect *effect)
{
	spin->vector_carried |= effect->vector_reads & ~spin->vector_written;
	spin->vector_written |= effect->vector_changes;
	for (uint64_t at = 0; at < effect->bytes; at += sizeof(uint64_t)) {
		uint64_t left = effect->bytes - at;
		if (!keep(spin, seen, state, effect->address + at, left < sizeof(uint64_t) ? left : sizeof(uint64_t)))
			return false;
	}
	return true;
}

/* Forgets the iteration before. */
static void begin_iteration(struct spin *spin)
{
	spin->count = spin->write_count = 0;
	spin->vector_written = spin->vector_carried = 0;
}

/* Whether the iteration has restored all memory that it wrote, and its vector registers get the same values again:
 * general registers are compared at each step. */
static bool is_undone(const struct spin *spin)
{
	struct guest_memory seen;
	if ((spin->vector_carried & spin->vector_written) || !see(spin, &seen))
		return false;
	for (unsigned i = 0; i < spin->write_count; i++) {
		const struct spin_write *write = &spin->writes[i];
		uint64_t now = 0;
		if (guest_virtual_read(&seen, write->address, &now, write->bytes) || now != write->value)
			return false;
	}
	return true;
}

static bool add_fs_base(const struct spin *spin, struct instruction_effect *effect)
{
	struct linux_view view;
	uint64_t base;
	if (!linux_view_read(&view, spin->memory) || !linux_view_fs_base(&view, spin->memory, spin->image, &base))
		return false;
	effect->address += base;
	return true;
}

/* Whether the monitor can step over the next instruction and keep the memory that it writes. */
static bool can_step(struct spin *spin, const struct engine_registers *state)
{
	uint8_t code[INSTRUCTION_BYTES];
	struct error error;
	struct instruction_effect effect;
	struct guest_memory seen;
	uint64_t rip = state->general[ENGINE_RIP];
	if (is_kernel(spin, rip) || disassembler_load(&error) || !see(spin, &seen))
		return false;
	uint64_t left = guest_virtual_read_some(&seen, rip, code, sizeof(code));
	if (!disassembler_effect(code, left, state->general, &effect))
		return false;
	bool keeps = spin->phase == SPIN_PROVING || spin->phase == SPIN_STAYING;
	if (!keeps)
		return true;
	return (!effect.is_fs || add_fs_base(spin, &effect)) && keep_all(spin, &seen, state, &effect);
}

/* Adds a state to the search. Returns false if the search has reached a limit. */
static bool search(struct spin *spin, const struct engine_registers *state)
{
	for (unsigned i = spin->count; i--;) {
		const struct engine_registers *known = &spin->states[i];
		if (is_same(known, state) && spin->count - i > spin->shorter) {
			spin->length = spin->count - i;
			memmove(spin->states, known, spin->length * sizeof(*known));
			begin_iteration(spin);
			spin->phase = SPIN_PROVING;
			return true;
		}
		if (known->general[ENGINE_RIP] == state->general[ENGINE_RIP] && ++spin->others > OTHERS * spin->effort)
			return false;
	}
	if (spin->count == STEPS * spin->effort)
		return false;
	spin->states[spin->count++] = *state;
	return true;
}

/* Searches again, for a longer loop: a loop that calls a function at several places is in equal states there, but for
 * the return addresses in memory. */
static bool search_longer(struct spin *spin, const struct engine_registers *state)
{
	spin->shorter = spin->length;
	spin->changes = false;
	begin_iteration(spin);
	spin->phase = SPIN_SEARCHING;
	return search(spin, state);
}

/* Compares the next state with that of the last iteration. Returns false if the thread does not repeat the loop. */
static bool prove(struct spin *spin, const struct engine_registers *state)
{
	if (!is_same(&spin->states[++spin->count % spin->length], state))
		return search_longer(spin, state);
	if (spin->count < spin->length)
		return true;
	spin->phase = SPIN_PLACING;
	return is_undone(spin);
}

/* Whether the thread yields in this state: the state of the loop with the lowest RIP. If several have that RIP, memcmp
 * chooses one; the choice does not depend on where the search entered the loop. */
static bool is_place(const struct spin *spin, const struct engine_registers *state)
{
	for (unsigned i = 0; i < spin->length; i++) {
		const struct engine_registers *other = &spin->states[i];
		uint64_t rip = state->general[ENGINE_RIP], others = other->general[ENGINE_RIP];
		if (others < rip || (others == rip && memcmp(other, state, sizeof(*state)) < 0))
			return false;
	}
	return true;
}

static int64_t end(struct spin *spin, enum step_answer answer)
{
	spin->phase = SPIN_OFF;
	doorbell(spin)->stepping = 0;
	return answer;
}

/* Reads the registers in a frame on a stack of the kernel, which is in the image or in the direct map. */
static bool read_frame(const struct spin *spin, uint64_t frame, struct engine_registers *state)
{
	struct view_frame f;
	gpa_t at = frame >= LAYOUT_DIRECT_MAP ? gpa(frame - LAYOUT_DIRECT_MAP) : image_physical(spin->image, frame);
	if (guest_memory_read(spin->memory, at, &f, sizeof(f)))
		return false;
	*state = (struct engine_registers){
		{f.rax, f.rdx, f.rcx, f.rbx, f.rsi, f.rdi, f.rbp, f.rsp, f.r8, f.r9, f.r10, f.r11, f.r12, f.r13, f.r14,
	         f.r15, f.rip},
		f.rflags & ~(RFLAGS_TF | RFLAGS_RF),
		0,
	};
	return true;
}

/* Ends a search that found no busy-wait, `at_limit` or because a step cannot be made, and sets when the next one may
 * begin. */
static int64_t give_up(struct spin *spin, bool at_limit, uint64_t now_ns)
{
	const uint64_t share = spin->has_threads ? SHARE_THREADS : SHARE_ALONE;
	uint64_t spent_ns = now_ns - spin->began_ns;
	spin->not_before_ns = now_ns + jitter_instead(share * spent_ns, JITTER_SHARE * spent_ns + 1);
	spin->effort = EFFORT_MAX;
	spin->seen = spin->phase == SPIN_SEARCHING ? spin->count : spin->length;
	spin->saw_part = !at_limit;
	return end(spin, STEP_OFF);
}

/* Steps a thread that continues at `state`, where it yielded, in a loop of `length` steps. */
static int64_t go_on(struct spin *spin, const struct engine_registers *state, uint64_t length)
{
	spin->states[0] = *state;
	spin->length = length < SPIN_STEPS_MAX ? (unsigned)length : SPIN_STEPS_MAX;
	begin_iteration(spin);
	spin->changes = false;
	spin->phase = SPIN_STAYING;
	doorbell(spin)->stepping =
		1; /* before the kernel continues, so that a look before its first step finds it set */
	return can_step(spin, state) ? STEP_ON : end(spin, STEP_OFF);
}

/* Handles a step after the place where the thread yielded. If two loops change memory and restore it, each may always
 * yield in a state that keeps the other waiting. So such a thread yields one instruction later each time. */
static int64_t stay(struct spin *spin, const struct engine_registers *state)
{
	if (spin->phase == SPIN_MOVING)
		return end(spin, STEP_STAYS | STEP_CHANGES);
	if (++spin->count > spin->length)
		return end(spin, STEP_OFF);
	if (is_same(&spin->states[0], state)) {
		spin->found = true;
		if (!is_undone(spin))
			return end(spin, STEP_OFF);
		if (!spin->changes)
			return end(spin, STEP_STAYS);
		spin->phase = SPIN_MOVING;
	}
	return can_step(spin, state) ? STEP_ON : end(spin, STEP_OFF);
}

int64_t spin_step(struct spin *spin, uint64_t frame, uint64_t length, uint64_t now_ns)
{
	struct engine_registers state;
	bool goes_on = read_frame(spin, frame, &state);
	if (!goes_on || (!length && !spin->phase)) /* neither the monitor nor the kernel asked for this step */
		return end(spin, STEP_OFF);
	if (length)
		return go_on(spin, &state, length);
	switch (spin->phase) {
	case SPIN_SEARCHING:
		goes_on = search(spin, &state);
		break;
	case SPIN_PROVING:
		goes_on = prove(spin, &state);
		break;
	case SPIN_STAYING:
	case SPIN_MOVING:
		return stay(spin, &state);
	default:
		spin->count++;
		goes_on = is_same(&spin->states[spin->count % spin->length], &state);
	}
	if (!goes_on || !--spin->patience)
		return give_up(spin, !goes_on, now_ns);
	if (spin->phase == SPIN_PLACING && is_place(spin, &state)) {
		spin->found = true;
		return end(spin, STEP_SPINS) | (spin->changes ? STEP_CHANGES : 0) |
		       (int64_t)spin->length << STEP_LENGTH_SHIFT;
	}
	return can_step(spin, &state) ? STEP_ON : give_up(spin, false, now_ns);
}

/* Whether the guest may be about to take the exception of an `int3` or `int n` directly before RIP. KVM does not report
 * it (KVM_GET_VCPU_EVENTS leaves out software exceptions), and setting registers would drop it. */
static bool may_have_trapped(const struct spin *spin, uint64_t rip)
{
	uint8_t before[2];
	struct guest_memory seen;
	return !see(spin, &seen) || (!guest_virtual_read(&seen, rip - 1, &before[1], 1) && before[1] == INT3_OPCODE) ||
	       (!guest_virtual_read(&seen, rip - 2, before, 2) && before[0] == INT_OPCODE);
}

/* Starts to single-step the guest from its current instruction. */
static void begin(struct spin *spin)
{
	struct engine_registers registers;
	if (spin->ops->get_registers(spin->engine, &registers))
		return;
	spin->phase = SPIN_SEARCHING;
	if (spin->has_threads && spin->effort < EFFORT_THREADS)
		spin->effort = EFFORT_THREADS;
	begin_iteration(spin);
	spin->others = spin->shorter = spin->seen = 0;
	spin->effort = jitter_is_on() ? 1U << jitter_below(JITTER_EFFORTS) : spin->effort;
	spin->patience = jitter_one_in(2) ? (unsigned)jitter_instead(1, STEPS) : UINT_MAX;
	spin->changes = false;
	if (registers.pending || (registers.rflags & RFLAGS_TF) || !can_step(spin, &registers) ||
	    may_have_trapped(spin, registers.general[ENGINE_RIP])) {
		spin->phase = SPIN_OFF;
		return;
	}
	registers.rflags |= RFLAGS_TF;
	doorbell(spin)->stepping = 1;
	if (spin->ops->set_registers(spin->engine, &registers))
		end(spin, STEP_OFF);
}

void spin_interrupt(struct spin *spin)
{
	if (!doorbell(spin)->stepping)
		begin(spin);
}

uint64_t spin_look(struct spin *spin, const struct progress_sight *sight, bool has_threads, uint64_t now_ns)
{
	spin->has_threads = has_threads;
	if (!doorbell(spin)->stepping) /* another exception ended the stepping */
		spin->phase = SPIN_OFF;
	/* After one busy-wait others soon follow, so the counts need not stand still. */
	bool stands = (spin->found || jitter_is_on() || !memcmp(sight, &spin->last, sizeof(*sight))) && !spin->phase;
	spin->last = *sight;
	if (spin->found)
		spin->interval_ns = LOOK_SOON_NS;
	else if (spin->interval_ns < LOOK_MAX_NS)
		spin->interval_ns *= 2;
	spin->found = false;
	if (stands && now_ns >= spin->not_before_ns) {
		spin->began_ns = now_ns;
		begin(spin);
	}
	return spin->interval_ns;
}
