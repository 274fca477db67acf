/* SPDX-License-Identifier: MIT */
/* Steps of a program that may wait in a loop: any registers and code, and answers that nobody asked for. */
#include "abi/doorbell.h"
#include "abi/linux_view.h"
#include "abi/tables.h"
#include "run/spin.h"
#include "tests/fuzz/fuzz.h"

#define CODE 0x400000UL /* a page, in the program's own tables, as its stack is */
#define STACK 0x500000UL
#define KERNEL 0x200000UL

static struct engine_registers processor;

static int get_registers(struct engine *engine, struct engine_registers *registers)
{
	(void)engine;
	*registers = processor;
	return 0;
}

static int set_registers(struct engine *engine, const struct engine_registers *registers)
{
	(void)engine;
	(void)registers;
	return 0;
}

static const struct engine_ops ops = {.name = "fake", .set_registers = set_registers, .get_registers = get_registers};

static void map(uint64_t va, uint64_t *next)
{
	uint64_t *entry = tables_walk(guest_memory_at(&memory, gpa(TABLES_WINDOW), TABLES_WINDOW_BYTES), next, va, 12);
	*entry = va | PTE_LEAF | PTE_WRITE;
}

/* Registers that are like those of a loop: few, near each other. */
static uint64_t take_register(struct fuzz_input *input)
{
	uint64_t number = fuzz_number(input, 1);
	return number & 128 ? STACK + (number & 127) * 8 : number;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct spin spin;
	struct fuzz_input input = fuzz_begin(data, size);
	const struct image image = {.header = {.kernel_text = KERNEL, .kernel_text_end = KERNEL + PAGE_SIZE}};
	const struct linux_view view = {.magic = LINUX_VIEW_MAGIC, .tables = LAYOUT_PAGE_TABLES};
	uint64_t next = LAYOUT_PAGE_TABLES + PAGE_SIZE, now = 1;
	map(CODE, &next);
	map(STACK, &next);
	guest_memory_write(&memory, gpa(LAYOUT_LINUX_VIEW), &view, sizeof(view));
	fuzz_take(&input, guest_memory_at(&memory, gpa(CODE), 64), 64);
	spin_init(&spin, &ops, NULL, &memory, &image);
	for (unsigned turn = 0; turn < 512 && input.left; turn++) {
		uint64_t kind = fuzz_number(&input, 1),
			 length = kind & 64 ? fuzz_number(&input, kind & 128 ? 8 : 1) : 0;
		uint64_t rip = CODE + (kind & 31), frame = kind == 255 ? fuzz_address(&input) : ARENA;
		if (kind & 32) {
			const struct progress_sight sight = {.decisions = turn / 64};
			processor.general[ENGINE_RIP] = rip;
			processor.rflags = fuzz_number(&input, 1) << 8;
			spin_look(&spin, &sight, true, now += 10000000000UL);
			spin_look(&spin, &sight, true, now);
			continue;
		}
		struct view_frame registers = {.rip = rip, .rsp = STACK + 0x800, .rflags = 0x302};
		registers.rax = take_register(&input);
		registers.rdi = take_register(&input);
		guest_memory_write(&memory, gpa(frame), &registers, sizeof(registers));
		spin_step(&spin, frame, length, now += 35000);
		fuzz_take(&input, guest_memory_at(&memory, gpa(STACK + (registers.rdi & 0x3f8)), 8), kind & 1);
	}
	return 0;
}
