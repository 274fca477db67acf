/* SPDX-License-Identifier: MIT */
/* Loops that wait: which are found, and where; what is none; guests that tell nonsense. */
#include "tests/unit/fakes/tap.h"

#include <string.h>

#include "abi/linux_view.h"
#include "abi/tables.h"
#include "base/error.h"
#include "run/spin.h"
#include "scan/disassembler.h"

#define CODE 0x400000UL /* of the program, in its own tables, as its stack is */
#define STACK 0x500000UL
#define FRAME 0x300000UL /* where the kernel has the registers of a step */
#define KERNEL 0x200000UL

static struct guest_memory memory;
static struct image image;
static struct spin spin;
static struct engine_registers processor; /* what the engine says */
static unsigned set;                      /* how often its registers were set */
static uint64_t last_length;              /* that an answer told */
static uint64_t now;                      /* nanoseconds */
static bool has_threads;

static int get_registers(struct engine *engine, struct engine_registers *registers)
{
	(void)engine;
	*registers = processor;
	return 0;
}

static int set_registers(struct engine *engine, const struct engine_registers *registers)
{
	(void)engine;
	set++;
	assert_true(registers->rflags & 0x100);
	return 0;
}

static const struct engine_ops ops = {.name = "fake", .set_registers = set_registers, .get_registers = get_registers};

static void map(uint64_t va, uint64_t *next, uint64_t flags)
{
	uint64_t *entry = tables_walk(guest_memory_at(&memory, gpa(TABLES_WINDOW), TABLES_WINDOW_BYTES), next, va, 12);
	assert_non_null(entry);
	*entry = va | PTE_LEAF | flags;
}

static int set_up(void **state)
{
	(void)state;
	uint64_t next = LAYOUT_PAGE_TABLES + PAGE_SIZE;
	const struct linux_view view = {.magic = LINUX_VIEW_MAGIC, .tables = LAYOUT_PAGE_TABLES};
	if (guest_memory_init(&memory, LAYOUT_RAM_MIN))
		return -1;
	image = (struct image){.header = {.kernel_text = KERNEL, .kernel_text_end = KERNEL + PAGE_SIZE}};
	map(CODE, &next, 0);
	map(STACK, &next, PTE_WRITE | PTE_NO_EXECUTE);
	guest_memory_write(&memory, gpa(LAYOUT_LINUX_VIEW), &view, sizeof(view));
	spin_init(&spin, &ops, NULL, &memory, &image);
	processor = (struct engine_registers){.rflags = 0x202};
	set = 0;
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	guest_memory_fini(&memory);
	return 0;
}

static uint64_t stepping(void)
{
	const struct doorbell *page = guest_memory_at(&memory, gpa(LAYOUT_DOORBELL), sizeof(*page));
	return page->stepping;
}

/* Two looks, between which nothing has happened, at a guest at an address. Whether it is to step. */
static bool look_twice(uint64_t rip)
{
	static uint64_t decisions;
	const struct progress_sight sight = {.decisions = ++decisions};
	processor.general[ENGINE_RIP] = rip;
	now += 10000000000UL;
	spin_look(&spin, &sight, has_threads, now);
	assert_false(stepping());
	spin_look(&spin, &sight, has_threads, now);
	return stepping() && set;
}

/* One step of the program, which has led to an address. */
static enum step_answer step_to(uint64_t rip, uint64_t rax)
{
	struct view_frame frame = {.rip = rip, .rax = rax, .rsp = STACK + 0x800, .rdi = STACK, .rflags = 0x302};
	guest_memory_write(&memory, gpa(FRAME), &frame, sizeof(frame));
	int64_t answer = spin_step(&spin, FRAME, 0, now += 35000);
	last_length = (uint64_t)answer >> STEP_LENGTH_SHIFT;
	return answer & 255;
}

static void put_code(const uint8_t *code, unsigned bytes)
{
	guest_memory_write(&memory, gpa(CODE), code, bytes);
}

/* 0: mov (%rdi), %eax   2: test %eax, %eax   4: je 0 */
static const uint8_t loads[] = {0x8b, 0x07, 0x85, 0xc0, 0x74, 0xfa};

static void test_found(void **state)
{
	(void)state;
	put_code(loads, sizeof(loads));
	for (unsigned first = 0; first < 6; first += 2) {
		unsigned at = first, steps = 0;
		set_up(NULL);
		put_code(loads, sizeof(loads));
		assert_true(look_twice(CODE + first));
		for (;;) {
			at = (at + 2) % 6;
			enum step_answer answer = step_to(CODE + at, 0);
			assert_true(++steps < 12);
			if (answer == STEP_SPINS)
				break;
			assert_int_equal(answer, STEP_ON);
		}
		assert_int_equal(at, 0);
		assert_int_equal(last_length, 3);
		assert_false(stepping());
		assert_int_equal(step_to(CODE, 0), STEP_OFF);
		if (first < 4)
			tear_down(NULL);
	}
}

/* An exception that is still to be delivered would be lost. */
static void test_not_before_an_exception(void **state)
{
	static const uint8_t traps[][2] = {{0x90, 0xcc}, {0xcd, 0x03}};
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		put_code(traps[i], 2);
		guest_memory_write(&memory, gpa(CODE + 2), loads, sizeof(loads));
		assert_false(look_twice(CODE + 2));
	}
	processor.pending = 1;
	assert_false(look_twice(CODE + 4));
	assert_int_equal(set, 0);
	processor.pending = 0;
	assert_true(look_twice(CODE + 4));
}

/* Feeds steps round a loop of three instructions until the answer is another than to go on. */
static enum step_answer go_round(uint64_t (*rax)(unsigned step), void (*between)(unsigned step))
{
	for (unsigned step = 1; step < 2 * SPIN_STEPS_MAX; step++) {
		if (between)
			between(step);
		enum step_answer answer = step_to(CODE + step % 3 * 2, rax(step));
		if (answer != STEP_ON)
			return answer;
	}
	fail();
	return STEP_ON;
}

static uint64_t constant(unsigned step)
{
	(void)step;
	return 1;
}

static uint64_t counter(unsigned step)
{
	return step / 3;
}

static void test_computes(void **state)
{
	(void)state;
	put_code(loads, sizeof(loads));
	assert_true(look_twice(CODE));
	uint64_t before = now;
	assert_int_equal(go_round(counter, NULL), STEP_OFF);
	assert_false(stepping());
	/* What it took must be a small part of all. */
	struct progress_sight sight = spin.last;
	uint64_t took = now - before;
	spin_look(&spin, &sight, has_threads, now + 199 * took);
	assert_false(stepping());
	spin_look(&spin, &sight, has_threads, now + 201 * took);
	assert_true(stepping());
}

/* 0: incl (%rdi)   2: nop; nop   4: jmp 0 */
static const uint8_t stores[] = {0xff, 0x07, 0x90, 0x90, 0xeb, 0xfa};

static void increment(unsigned step)
{
	uint32_t value;
	if (step % 3 != 1)
		return;
	guest_memory_read(&memory, gpa(STACK), &value, sizeof(value));
	value++;
	guest_memory_write(&memory, gpa(STACK), &value, sizeof(value));
}

static void test_stores(void **state)
{
	(void)state;
	put_code(stores, sizeof(stores));
	assert_true(look_twice(CODE));
	assert_int_equal(go_round(constant, increment), STEP_OFF); /* memory changes */
	assert_true(look_twice(CODE));
	assert_int_equal(go_round(constant, NULL), STEP_SPINS); /* it does not */
}

static void test_refused(void **state)
{
	(void)state;
	static const uint8_t others[][4] = {
		{0x0f, 0x05},       /* syscall */
		{0x9c},             /* pushf: the trap flag would show */
		{0x9d},             /* popf */
		{0x0f, 0x58, 0xc1}, /* addps: sets bits of MXCSR */
		{0xa4},             /* movsb */
		{0x65, 0x89, 0x00}, /* mov %eax, %gs:(%rax) */
		{0x0f, 0x31},       /* rdtsc */
		{0xcc},             /* int3 */
		{0xd9, 0xe8},       /* fld1 */
		{0x06},             /* no instruction */
		{0x0f, 0xc7, 0x0f}, /* cmpxchg8b */
		{0x0f, 0xab, 0x07}, /* bts %eax, (%rdi): somewhere near */
		{0x8f, 0x07},       /* pop (%rdi) */
	};
	for (unsigned i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		put_code(others[i], sizeof(others[i]));
		if (look_twice(CODE))
			fail_msg("number %u is stepped", i);
		spin_init(&spin, &ops, NULL, &memory, &image);
	}
	put_code(loads, sizeof(loads));
	assert_false(look_twice(KERNEL + 8));
	assert_false(look_twice(CODE + PAGE_SIZE)); /* nothing is mapped */
	processor.rflags |= 0x100;                  /* the program steps itself */
	assert_false(look_twice(CODE));
}

static void test_progress(void **state)
{
	(void)state;
	struct progress_sight sight = {.decisions = 5};
	uint64_t last = 0;
	put_code(loads, sizeof(loads));
	processor.general[ENGINE_RIP] = CODE;
	for (unsigned i = 0; i < 40; i++) {
		sight.doorbells++;
		uint64_t next = spin_look(&spin, &sight, has_threads, now);
		assert_true(next >= last && next <= 1000000000UL);
		last = next;
		assert_int_equal(set, 0);
	}
}

/* A thread goes on where it has made way, in a loop of three steps. */
static enum step_answer go_on(uint64_t length)
{
	struct view_frame frame = {.rip = CODE, .rsp = STACK + 0x800, .rdi = STACK, .rflags = 0x202};
	guest_memory_write(&memory, gpa(FRAME), &frame, sizeof(frame));
	return spin_step(&spin, FRAME, length, now);
}

static void test_stays(void **state)
{
	(void)state;
	put_code(loads, sizeof(loads));
	assert_int_equal(go_on(3), STEP_ON);
	assert_int_equal(step_to(CODE + 2, 0), STEP_ON);
	assert_int_equal(step_to(CODE + 4, 0), STEP_ON);
	assert_int_equal(step_to(CODE, 0), STEP_STAYS);
	/* It finds something else, and goes on at it. */
	assert_int_equal(go_on(3), STEP_ON);
	assert_int_equal(step_to(CODE + 2, 7), STEP_ON);
	assert_int_equal(step_to(CODE + 4, 7), STEP_ON);
	assert_int_equal(step_to(CODE, 7), STEP_ON);
	assert_int_equal(step_to(CODE + 2, 7), STEP_OFF);
	/* The same registers, but other memory. */
	put_code(stores, sizeof(stores));
	assert_int_equal(go_on(3), STEP_ON);
	increment(1);
	assert_int_equal(step_to(CODE + 2, 0), STEP_ON);
	assert_int_equal(step_to(CODE + 4, 0), STEP_ON);
	assert_int_equal(step_to(CODE, 0), STEP_OFF);
	assert_int_equal(go_on(UINT64_MAX), STEP_ON);
	for (unsigned i = 0; i < SPIN_STEPS_MAX; i++)
		assert_int_equal(step_to(CODE + 2, i + 1), STEP_ON);
	assert_int_equal(step_to(CODE + 2, 0), STEP_OFF);
}

/* A long loop is found by the second search, which comes sooner where there are threads. */
static void test_long(void **state)
{
	(void)state;
	enum { NOPS = 900 };
	static uint8_t code[NOPS + 5];
	memset(code, 0x90, NOPS);
	code[NOPS] = 0xe9; /* jmp, to an address that the steps below say */
	put_code(code, sizeof(code));
	has_threads = true;
	assert_true(look_twice(CODE));
	uint64_t before = now;
	unsigned at = 0;
	do
		at++;
	while (step_to(CODE + at, 0) == STEP_ON);
	assert_in_range(at, 200, 300);
	struct progress_sight sight = spin.last;
	uint64_t took = now - before;
	spin_look(&spin, &sight, has_threads, now + 49 * took);
	assert_false(stepping());
	spin_look(&spin, &sight, has_threads, now + 51 * took);
	assert_true(stepping());
	has_threads = false;
	enum step_answer answer;
	unsigned steps = 0;
	do {
		at = (at + 1) % (NOPS + 1);
		answer = step_to(CODE + at, 0);
	} while (answer == STEP_ON && ++steps < 4 * NOPS);
	assert_int_equal(answer, STEP_SPINS);
	assert_int_equal(last_length, NOPS + 1);
	assert_int_equal(at, 0); /* the lowest address */
}

/* The kernel ends the steps at an exception of another kind, and does not tell. */
static void test_ended(void **state)
{
	(void)state;
	struct doorbell *page = guest_memory_at(&memory, gpa(LAYOUT_DOORBELL), sizeof(*page));
	put_code(loads, sizeof(loads));
	assert_true(look_twice(CODE));
	assert_int_equal(step_to(CODE + 2, 0), STEP_ON);
	page->stepping = 0;
	assert_true(look_twice(CODE));
	assert_int_equal(go_round(constant, NULL), STEP_SPINS);
}

static void test_nonsense(void **state)
{
	(void)state;
	put_code(loads, sizeof(loads));
	assert_int_equal(spin_step(&spin, FRAME, 0, now), STEP_OFF); /* nobody has asked for it */
	assert_true(look_twice(CODE));
	assert_int_equal(spin_step(&spin, UINT64_MAX - 8, 0, now), STEP_OFF);
	assert_true(look_twice(CODE));
	assert_int_equal(step_to(KERNEL, 0), STEP_OFF);
	assert_true(look_twice(CODE));
	uint64_t nowhere = UINT64_MAX;
	guest_memory_write(&memory, gpa(LAYOUT_LINUX_VIEW + 8), &nowhere, sizeof(nowhere)); /* its tables */
	assert_int_equal(step_to(CODE, 0), STEP_OFF);
}

static void test_effects(void **state)
{
	(void)state;
	static const struct {
		uint8_t code[8];
		uint64_t address, bytes;
	} all[] = {
		{{0x50}, 0x7f8, 8},                              /* push %rax */
		{{0xe8, 0, 0, 0, 0}, 0x7f8, 8},                  /* call */
		{{0xff, 0x10}, 0x7f8, 8},                        /* call *(%rax) */
		{{0xff, 0xe0}, 0, 0},                            /* jmp *%rax */
		{{0xff, 0x25, 4, 0, 0, 0}, 0, 0},                /* jmp *4(%rip) */
		{{0xc3}, 0, 0},                                  /* ret */
		{{0x89, 0x44, 0x8f, 0x10}, 0x2000 + 12 + 16, 4}, /* mov %eax, 16(%rdi,%rcx,4) */
		{{0x87, 0x07}, 0x2000, 4},                       /* xchg %eax, (%rdi) */
		{{0xf0, 0x0f, 0xb1, 0x17}, 0x2000, 4},           /* lock cmpxchg %edx, (%rdi) */
		{{0x88, 0x05, 4, 0, 0, 0}, 0x400000 + 6 + 4, 1}, /* mov %al, 4(%rip) */
		{{0x64, 0x8b, 0x00}, 0, 0},                      /* mov %fs:(%rax), %eax */
		{{0x64, 0x89, 0x07}, 0x2000, 4},                 /* mov %eax, %fs:(%rdi): the base is added later */
		{{0xc9}, 0, 0},                                  /* leave */
		{{0x3b, 0x07}, 0, 0},                            /* cmp (%rdi), %eax */
		{{0x44, 0x0f, 0x11, 0x3f}, 0x2000, 16},          /* movups %xmm15, (%rdi) */
		{{0x66, 0x0f, 0xd6, 0x07}, 0x2000, 8},           /* movq %xmm0, (%rdi) */
		{{0xc5, 0xfe, 0x7f, 0x07}, 0x2000, 32},          /* vmovdqu %ymm0, (%rdi) */
		{{0x66, 0x0f, 0x38, 0xdc, 0x07}, 0, 0},          /* aesenc (%rdi), %xmm0 */
	};
	struct error error;
	const uint64_t registers[17] = {[2] = 3, [5] = 0x2000, [ENGINE_RSP] = 0x800, [ENGINE_RIP] = 0x400000};
	assert_int_equal(disassembler_load(&error), 0);
	for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		struct instruction_effect effect;
		if (!disassembler_effect(all[i].code, sizeof(all[i].code), registers, &effect))
			fail_msg("number %u is refused", i);
		assert_int_equal(effect.bytes, all[i].bytes);
		if (effect.bytes)
			assert_int_equal(effect.address, all[i].address);
	}
}

/* The vector registers that instructions read and change. */
static void test_vectors(void **state)
{
	(void)state;
	static const struct {
		uint8_t code[8];
		bool is_refused;
		uint32_t reads, changes;
	} all[] = {
		{{0x44, 0x0f, 0x11, 0x3f}, false, 0x8000, 0},        /* movups %xmm15, (%rdi) */
		{{0x66, 0x48, 0x0f, 0x6e, 0xc7}, false, 0, 1},       /* movq %rdi, %xmm0 */
		{{0x66, 0x0f, 0x3a, 0x22, 0xc7, 1}, false, 1, 1},    /* pinsrd $1, %edi, %xmm0 */
		{{0x0f, 0x16, 0x0f}, false, 2, 2},                   /* movhps (%rdi), %xmm1 */
		{{0xf3, 0x0f, 0x10, 0xca}, false, 6, 2},             /* movss %xmm2, %xmm1 */
		{{0x66, 0x0f, 0x38, 0xdc, 0xca}, false, 6, 2},       /* aesenc %xmm2, %xmm1 */
		{{0xc5, 0xe9, 0xfc, 0xcb}, false, 0xc, 0x20002},     /* vpaddb %xmm3, %xmm2, %xmm1 */
		{{0xc5, 0xed, 0xfc, 0xcb}, false, 0xc000c, 0x20002}, /* vpaddb %ymm3, %ymm2, %ymm1 */
		{{0x66, 0x0f, 0xef, 0xc9}, false, 0, 2},             /* pxor %xmm1, %xmm1 */
		{{0x0f, 0x58, 0xca}, true, 0, 0},                    /* addps %xmm2, %xmm1 */
		{{0xf2, 0x48, 0x0f, 0x2a, 0xc7}, true, 0, 0},        /* cvtsi2sd %rdi, %xmm0 */
		{{0x66, 0x0f, 0xf7, 0xca}, true, 0, 0},              /* maskmovdqu %xmm2, %xmm1 */
		{{0x0f, 0xae, 0x17}, true, 0, 0},                    /* ldmxcsr (%rdi) */
		{{0xc5, 0xf8, 0x77}, true, 0, 0},                    /* vzeroupper */
		{{0xc4, 0xe2, 0x69, 0x90, 0x0c, 0x0f}, true, 0, 0},  /* vpgatherdd %xmm2, (%rdi,%xmm1), %xmm1 */
	};
	struct error error;
	const uint64_t registers[17] = {[5] = 0x2000};
	assert_int_equal(disassembler_load(&error), 0);
	for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		struct instruction_effect effect;
		if (disassembler_effect(all[i].code, sizeof(all[i].code), registers, &effect) == all[i].is_refused)
			fail_msg("number %u is %s", i, all[i].is_refused ? "not refused" : "refused");
		if (all[i].is_refused)
			continue;
		if (effect.vector_reads != all[i].reads || effect.vector_changes != all[i].changes)
			fail_msg("number %u reads %x, changes %x", i, effect.vector_reads, effect.vector_changes);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static const struct CMUnitTest tests[] = {TEST(test_found),   TEST(test_computes), TEST(test_stores),
                                          TEST(test_refused), TEST(test_progress), TEST(test_stays),
                                          TEST(test_long),    TEST(test_ended),    TEST(test_nonsense),
                                          TEST(test_effects), TEST(test_vectors),  TEST(test_not_before_an_exception)};

TAP_MAIN(tests)
