/* SPDX-License-Identifier: MIT */
/* Core files of guests: what arrives is what was sent, with holes, and a hostile guest gets no further than its memory
 * and its limits. */
#include "tests/unit/fakes/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi/doorbell.h"
#include "abi/layout.h"
#include "save/core_out.h"

#define MEMORY_BYTES (1UL << 20)
#define LIST_AT 0x1000UL
#define DATA_AT 0x10000UL

static struct guest_memory memory;

static int init_memory(void **state)
{
	(void)state;
	return guest_memory_init(&memory, MEMORY_BYTES);
}

static struct core_out begin_core(void)
{
	return (struct core_out){.fd = memfd_create("core", MFD_CLOEXEC), .is_regular = true, .data_max = MEMORY_BYTES};
}

static int take(struct core_out *core, const struct out_piece *pieces, uint64_t count, uint64_t total)
{
	assert_int_equal(guest_memory_write(&memory, gpa(LIST_AT), pieces, count * sizeof(*pieces)), 0);
	return core_out_take(core, &memory, gpa(LIST_AT), count, total, 0);
}

static void fill(uint64_t at, uint8_t byte, uint64_t bytes)
{
	memset(guest_memory_at(&memory, gpa(at), bytes), byte, bytes);
}

/* The pieces arrive in order, also those that begin and end within pages, and zeros take no room. */
static void test_pieces(void **state)
{
	const uint64_t total = 3 * PAGE_SIZE + 100 + 7 * PAGE_SIZE + 5;
	struct core_out core = begin_core();
	uint8_t *read = malloc(total);
	struct stat st;
	(void)state;
	fill(DATA_AT, 'a', 10 * PAGE_SIZE);
	fill(DATA_AT + PAGE_SIZE, 0, PAGE_SIZE);
	const struct out_piece first[] = {{DATA_AT, 3 * PAGE_SIZE}, {DATA_AT + 50, 100}};
	const struct out_piece second[] = {{OUT_HOLE, 7 * PAGE_SIZE}, {DATA_AT, 5}};
	assert_int_equal(take(&core, first, 2, total), 0);
	core_out_end(&core);
	assert_false(core.is_complete);
	core.why_not[0] = 0;
	assert_int_equal(take(&core, second, 2, total), 0);
	core_out_end(&core);
	assert_true(core.is_complete);
	assert_int_equal(fstat(core.fd, &st), 0);
	assert_int_equal(st.st_size, total);
	assert_int_equal(pread(core.fd, read, total, 0), total);
	for (uint64_t i = 0; i < total; i++) {
		const bool is_hole = i / PAGE_SIZE == 1 || (i >= 3 * PAGE_SIZE + 100 && i < 10 * PAGE_SIZE + 100);
		assert_int_equal(read[i], is_hole ? 0 : 'a');
	}
	free(read);
	close(core.fd);
}

/* A hole at the end of the file, and a file of nothing but zeros. */
static void test_holes(void **state)
{
	struct core_out core = begin_core();
	struct stat st;
	(void)state;
	fill(DATA_AT, 0, PAGE_SIZE);
	const struct out_piece pieces[] = {{DATA_AT, PAGE_SIZE}, {OUT_HOLE, 1UL << 40}};
	assert_int_equal(take(&core, pieces, 2, PAGE_SIZE + (1UL << 40)), 0);
	core_out_end(&core);
	assert_true(core.is_complete);
	assert_int_equal(fstat(core.fd, &st), 0);
	assert_int_equal(st.st_size, PAGE_SIZE + (1UL << 40));
	assert_int_equal(st.st_blocks, 0);
	close(core.fd);
}

/* A pipe gets the zeros, too. */
static void test_pipe(void **state)
{
	int ends[2];
	uint8_t read_back[200];
	(void)state;
	assert_int_equal(pipe(ends), 0);
	struct core_out core = {.fd = ends[1], .data_max = MEMORY_BYTES};
	fill(DATA_AT, 'b', 100);
	const struct out_piece pieces[] = {{OUT_HOLE, 100}, {DATA_AT, 100}};
	assert_int_equal(take(&core, pieces, 2, 200), 0);
	core_out_end(&core);
	assert_true(core.is_complete);
	assert_int_equal(read(ends[0], read_back, sizeof(read_back)), 200);
	for (unsigned i = 0; i < 200; i++)
		assert_int_equal(read_back[i], i < 100 ? 0 : 'b');
	close(ends[0]);
	close(ends[1]);
}

static void test_full(void **state)
{
	struct core_out core = {.fd = open("/dev/full", O_WRONLY | O_CLOEXEC), .data_max = MEMORY_BYTES};
	(void)state;
	fill(DATA_AT, 'c', 100);
	const struct out_piece piece = {DATA_AT, 100};
	assert_int_equal(take(&core, &piece, 1, 100), -ENOSPC);
	core_out_end(&core);
	assert_int_equal(core.error, -ENOSPC);
	assert_false(core.is_complete);
	close(core.fd);
}

/* What no kernel sends is refused, and says why. */
static void refuse(const struct out_piece *piece, uint64_t count, uint64_t total)
{
	struct core_out core = begin_core();
	core.data_max = 2 * PAGE_SIZE;
	assert_int_equal(take(&core, piece, 1, total), count == 1 ? -EPROTO : 0);
	if (count != 1)
		assert_int_equal(core_out_take(&core, &memory, gpa(LIST_AT), count, total, 0), -EPROTO);
	core_out_end(&core);
	assert_true(core.why_not[0] && !core.error && !core.is_complete);
	close(core.fd);
}

static void test_hostile(void **state)
{
	const struct out_piece beyond = {MEMORY_BYTES - 1, 2}, wraps = {UINT64_MAX - 5, 10}, empty = {DATA_AT, 0},
			       large = {DATA_AT, PAGE_SIZE}, huge = {OUT_HOLE, UINT64_MAX},
			       most = {DATA_AT, 3 * PAGE_SIZE}, fine = {DATA_AT, 1};
	struct core_out core = begin_core();
	(void)state;
	refuse(&beyond, 1, 100);
	refuse(&wraps, 1, 100);
	refuse(&empty, 1, 100);
	refuse(&large, 1, PAGE_SIZE - 1);
	refuse(&huge, 1, 100);
	refuse(&huge, 1, UINT64_MAX);
	refuse(&most, 1, 3 * PAGE_SIZE);
	refuse(&fine, OUT_PIECES_MAX + 1, 100);
	refuse(&fine, UINT64_MAX, 100);
	assert_int_equal(take(&core, &fine, 1, 100), 0);
	assert_int_equal(take(&core, &fine, 1, 101), -EPROTO);
	assert_int_equal(core_out_take(&core, &memory, gpa(MEMORY_BYTES), 1, 100, 0), -EPROTO);
	close(core.fd);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_setup(test_pieces, init_memory),
	cmocka_unit_test(test_holes),
	cmocka_unit_test(test_pipe),
	cmocka_unit_test(test_full),
	cmocka_unit_test(test_hostile),
};

TAP_MAIN(tests)
