/* SPDX-License-Identifier: MIT */
/* A try starts where begin_tries was called, and ends where it would tell the host of its end. In between, the kernel
 * works as in any run. The host that it sees has no files, keeps standard input in the area, and drops output. */
#include "kernel/tries/tries.h"

#include "abi/errno.h"
#include "abi/sched_area.h"
#include "kernel/arch/selectors.h"
#include "kernel/arch/stack.h"
#include "kernel/arch/uaccess.h"
#include "kernel/dev/doorbell.h"
#include "kernel/dev/host.h"
#include "kernel/end.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/string.h"
#include "kernel/mm/pagetable.h"
#include "kernel/sched/begin.h"
#include "kernel/sched/policy.h"
#include "kernel/sched/thread_segments.h"
#include "kernel/tries/area.h"
#include "kernel/tries/guard.h"

/* In DWARF order. */
#define RSP 7
#define RIP 16

/* Words of a stack that are looked at for return addresses: some frames of an ordinary program. */
#define STACK_WORDS 128

/* --- the boot area --- */

/* Bytes of the buffer of standard input that a try can change: its positions alone if there is no input. */
static size_t stdin_bytes(void)
{
	return area_shared()->input_bytes ? LAYOUT_STDIN_BUFFER_SIZE : 2 * sizeof(uint64_t);
}

/* The part of the policies' stack that is in use at the point. */
static uint64_t policy_stack_bytes(void)
{
	return LAYOUT_DIRECT_MAP + LAYOUT_SCHED_STACK_TOP - area()->place.rsp;
}

static void save_boot_area(void)
{
	struct area *area_ = area();
	assert(policy_stack_bytes() <= sizeof(area_->policy_stack));
	memcpy(area_->policy_stack, (const void *)area_->place.rsp, policy_stack_bytes());
	memcpy(area_->sched, phys_to_virt(LAYOUT_SCHED), sizeof(area_->sched));
	memcpy(&area_->stats, phys_to_virt(LAYOUT_STATS), sizeof(area_->stats));
	memcpy(area_->stdin_buffer, phys_to_virt(LAYOUT_STDIN_BUFFER), stdin_bytes());
	area_->first_input_at = area_->input_at;
	memcpy(area_->first_output, area_->output, sizeof(area_->output));
	memcpy(area_->first_output_bytes, area_->output_bytes, sizeof(area_->output_bytes));
}

static void restore_boot_area(void)
{
	struct area *area_ = area();
	memcpy((void *)area_->place.rsp, area_->policy_stack, policy_stack_bytes());
	memcpy(phys_to_virt(LAYOUT_SCHED), area_->sched, sizeof(area_->sched));
	memcpy(phys_to_virt(LAYOUT_STATS), &area_->stats, sizeof(area_->stats));
	memcpy(phys_to_virt(LAYOUT_STDIN_BUFFER), area_->stdin_buffer, stdin_bytes());
	area_->input_at = area_->first_input_at;
	memcpy(area_->output, area_->first_output, sizeof(area_->output));
	memcpy(area_->output_bytes, area_->first_output_bytes, sizeof(area_->output_bytes));
	area_->deadlock = TRIES_HASH_START;
}

/* --- one try after another --- */

/* Restores the state at the point, also the segment registers of its thread. */
static void restore_point(void)
{
	const uint64_t selectors = selectors_read();
	thread_segments_note();
	const uint64_t fs = thread_current->fs_base, gs = thread_current->gs_base;
	guard_restore();
	restore_boot_area();
	thread_segments_load(thread_current, selectors, fs, gs);
}

/* Returns the next request. When all are used up, it waits until the monitor gives more. */
static const struct try_request *next_request(void)
{
	struct tries_shared *shared = area_shared();
	while (area()->at == shared->requests) {
		doorbell_ring(DOORBELL_TRIES, 0, 0);
		area()->at = 0;
		area()->pairs_at = 0;
		shared->results = 0;
	}
	assert(area()->at < TRIES_BATCH);
	return &shared->request[area()->at];
}

static void set_schedule(const struct try_request *request)
{
	const struct tries_shared *shared = area_shared();
	sched_shared()->then = request->sched;
	if (request->sched.policy == SCHED_near) {
		assert(request->sched.counts <= TRIES_PLANS);
		assert(request->counts_at <= TRIES_PLANS - request->sched.counts);
		memcpy(sched_area()->plan, &shared->plan[request->counts_at],
		       request->sched.counts * sizeof(shared->plan[0]));
		return;
	}
	if (request->sched.policy != SCHED_surw && request->sched.policy != SCHED_pos)
		return;
	assert(request->sched.counts <= sizeof(sched_area()->counts) / sizeof(sched_area()->counts[0]));
	assert(request->counts_at <= TRIES_COUNTS - request->sched.counts);
	memcpy(sched_area()->counts, &shared->counts[request->counts_at],
	       request->sched.counts * sizeof(shared->counts[0]));
}

/* On the stack of the area. */
static void next_try(void)
{
	struct area *area_ = area();
	if (!area_->begun) {
		save_boot_area();
		guard_begin();
		area_->begun = true;
	} else {
		restore_point();
	}
	set_schedule(next_request());
	enter_resume(&area_->place);
}

static void begin_tries_at(struct boot_sched *boot)
{
	(void)boot; /* next_try sets it for each try */
	enter_leave(&area()->place, area_stack_top(), next_try);
}

/* --- the host that tries see --- */

static int console_write_nowhere(int stream, const void *from, size_t bytes)
{
	struct area *area_ = area();
	uint8_t piece[128];
	const uint8_t *at = from;
	for (size_t part; bytes; bytes -= part, at += part) {
		part = bytes < sizeof(piece) ? bytes : sizeof(piece);
		if (copy_from_user(piece, at, part))
			return -EFAULT;
		area_->output[stream - 1] = tries_hash(area_->output[stream - 1], piece, part);
		area_->output_bytes[stream - 1] += part;
	}
	return 0;
}

static int64_t console_fill_from_area(void *to, size_t bytes)
{
	struct area *area_ = area();
	const uint64_t left = area_shared()->input_bytes - area_->input_at;
	if (bytes > left)
		bytes = left;
	memcpy(to, phys_to_virt(LAYOUT_TRIES + TRIES_INPUT + area_->input_at), bytes);
	area_->input_at += bytes;
	return (int64_t)bytes;
}

static uint64_t hash_word(uint64_t hash, uint64_t word)
{
	return tries_hash(hash, &word, sizeof(word));
}

extern const char __kernel_text_start[], __kernel_text_end[]; /* image.ld */

/* Whether there is code of the program at an address, behind a call: e8, or ff with 2 in the middle of its next byte
 * (SDM 2A, CALL). */
static bool is_return_address(uint64_t address)
{
	uint8_t code[7];
	bool large;
	if (address >= (uint64_t)__kernel_text_start && address < (uint64_t)__kernel_text_end)
		return false;
	const uint64_t *entry = pagetable_entry(address, false, &large);
	if (!entry || !(*entry & PTE_PRESENT) || *entry & PTE_NO_EXECUTE ||
	    copy_from_user(code, (const void *)(address - sizeof(code)), sizeof(code)))
		return false;
	for (unsigned length = 2; length <= sizeof(code); length++)
		if (code[sizeof(code) - length] == 0xff && (code[sizeof(code) - length + 1] & 0x38) == 0x10)
			return true;
	return code[2] == 0xe8;
}

/* Continues a hash with what seem to be the return addresses on a stack. There may be more than the callers have left,
 * so that one place may have several hashes, but seldom two places the same one. */
static uint64_t hash_stack(uint64_t hash, uint64_t stack)
{
	uint64_t word;
	for (unsigned i = 0; i < STACK_WORDS; i++) {
		if (copy_from_user(&word, (const void *)(stack + i * sizeof(word)), sizeof(word)))
			break;
		if (word >= LAYOUT_IMAGE && word < LAYOUT_DIRECT_MAP && is_return_address(word))
			hash = hash_word(hash, word);
	}
	return hash;
}

static void note_thread(const struct thread_report *report)
{
	uint64_t hash = area()->deadlock;
	hash = hash_word(hash, (uint64_t)report->thread << 32 | report->holder);
	hash = hash_word(hash, report->object);
	hash = hash_stack(hash_word(hash, report->registers[RIP]), report->registers[RSP]);
	area()->deadlock = tries_hash(hash, report->waits_for, strnlen(report->waits_for, sizeof(report->waits_for)));
}

static uint64_t place_of(enum end_reason reason, const struct fault_report *report)
{
	if (reason == END_DEADLOCK)
		return area()->deadlock;
	if (reason != END_SIGNAL || !report)
		return 0;
	return hash_stack(hash_word(TRIES_HASH_START, report->registers[RIP]), report->registers[RSP]);
}

/* Lists the pairs of a try behind those of the tries before it in the batch. Returns how many. */
static uint64_t list_pairs(void)
{
	const struct sched_reads *reads = &sched_area()->reads;
	const uint64_t count = reads->pairs < SCHED_PAIRS_LISTED ? reads->pairs : SCHED_PAIRS_LISTED;
	assert(area()->pairs_at <= TRIES_PAIRS - count);
	memcpy(&area_shared()->pair[area()->pairs_at], reads->listed, count * sizeof(reads->listed[0]));
	area()->pairs_at += count;
	return count;
}

/* Copies what became of the plan of a try. */
static void list_uses(const struct try_request *request)
{
	struct sched_plan *to = &area_shared()->plan[request->counts_at];
	assert(request->counts_at <= TRIES_PLANS && request->sched.counts <= TRIES_PLANS - request->counts_at);
	for (uint64_t i = 0; i < request->sched.counts; i++)
		to[i].use = sched_area()->plan[i].use;
}

static void next_try_on_stack(void *unused)
{
	(void)unused;
	next_try();
}

static void end_try(enum end_reason reason, int status, const struct fault_report *report)
{
	struct area *area_ = area();
	struct tries_shared *shared = area_shared();
	const struct run_stats *stats = phys_to_virt(LAYOUT_STATS);
	if (!area_->begun || (reason != END_EXIT && reason != END_SIGNAL && reason != END_DEADLOCK)) {
		host_monitor.end(reason, status, report);
		return;
	}
	struct try_result *result = &shared->result[area_->at];
	*result = (struct try_result){
		.number = shared->request[area_->at].number,
		.end = reason,
		.status = (uint32_t)status,
		.place = place_of(reason, report),
		.output = {area_->output[0], area_->output[1]},
		.output_bytes = {area_->output_bytes[0], area_->output_bytes[1]},
		.decisions = sched_shared()->decision,
		.virtual_ns = stats->virtual_ns,
		.events = stats->events,
		.chain = {stats->chain[0], stats->chain[1]},
	};
	if (sched_boot()->flags & SCHED_FLAG_READS) {
		result->signature = sched_area()->reads.signature;
		result->pairs = list_pairs();
	}
	if (sched_boot()->policy == SCHED_near)
		list_uses(&shared->request[area_->at]);
	shared->results = ++area_->at;
	stack_switch(area_stack_top(), next_try_on_stack, NULL);
}

static const struct host_ops host_tries = {
	.console_write = console_write_nowhere,
	.console_fill = console_fill_from_area,
	.thread = note_thread,
	.end = end_try,
};

void tries_init(void)
{
	struct area *area_ = area();
	host = &host_tries;
	begin_tries = begin_tries_at;
	area_->output[0] = area_->output[1] = TRIES_HASH_START;
}
