/* SPDX-License-Identifier: MIT */
/* Answers to requests that are to come: for a guest or a list that lies, and for files that change meanwhile. That runs
 * with and without them are the same is test_hostfs.c's. */
#include "tests/unit/hypervisor/host_files_fixture.h"

#include <semaphore.h>

#include "base/beside.h"
#include "hostfs/host_ahead.h"
#include "hostfs/host_check.h"

#define AREA LAYOUT_HOST_AHEAD

static struct host_ahead ahead;
static sem_t waits; /* one for each time that the thread begins to wait until answers are old */

int __real_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *lock, const struct timespec *until);
int __wrap_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *lock, const struct timespec *until);

int __wrap_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *lock, const struct timespec *until)
{
	sem_post(&waits);
	return __real_pthread_cond_timedwait(condition, lock, until);
}

/* Also where there is one processor. */
bool beside_has_processor(void)
{
	return true;
}

bool beside_start(pthread_t *thread, void *(*function)(void *), void *argument)
{
	return !pthread_create(thread, NULL, function, argument);
}

static int begin(void **state)
{
	ahead.life_ns = 1UL << 60;
	return set_up(state);
}

static int end(void **state)
{
	host_ahead_end(&ahead);
	host_ahead_close(&ahead);
	memset(&ahead, 0, sizeof(ahead));
	return tear_down(state);
}

static void expect(uint32_t op, const char *path, const char *name, uint64_t offset)
{
	host_asked_add(&ahead.before, &(struct host_asked){.op = op,
	                                                   .offset = offset,
	                                                   .path = path,
	                                                   .key = name,
	                                                   .key_bytes = name ? (uint32_t)strlen(name) + 1 : 0});
}

static int64_t ask_for(const char *name)
{
	request = (struct host_file_request){.op = HOST_FILE_LOOK, .buffer = BUFFER, .buffer_bytes = BUFFER_BYTES};
	strncpy(request.name, name, sizeof(request.name) - 1);
	guest_memory_write(&memory, gpa(REQUEST), &request, sizeof(request));
	bool failed;
	return host_ahead_serve(&ahead, gpa(REQUEST), &failed);
}

static struct host_file_ahead *head(void)
{
	return guest_memory_at(&memory, gpa(AREA), sizeof(struct host_file_ahead));
}

/* Waits for so many answers. The thread puts them into guest memory and wakes nobody, so this looks, as a guest does.
 */
static void wait_for(uint32_t count)
{
	while (__atomic_load_n(&head()->count, __ATOMIC_ACQUIRE) < count)
		usleep(100);
}

/* The first request of each list, as the guest that takes the answer; so many are to follow. */
static void ask_first(uint32_t more)
{
	wait_for(1 + more);
	head()->taken = 1;
}

static void test_taken(void **state)
{
	(void)state;
	uint32_t before = files.objects.count;
	expect(HOST_FILE_LOOK, "", "", 0);
	expect(HOST_FILE_LOOK, "", "file", 0);
	expect(HOST_FILE_LOAD, "file", NULL, 0);
	expect(HOST_FILE_LOOK, "", "dir", 0);
	expect(HOST_FILE_LIST, "dir", NULL, 0);
	host_ahead_begin(&ahead, &files, &memory, gpa(AREA));
	ask_first(4);
	head()->taken = 3; /* the guest has looked at the file, and read it */
	assert_int_equal(ask_for("none"), -ENOENT);
	host_ahead_end(&ahead);
	assert_int_equal(files.objects.count, before + 1);
	assert_in_range(ahead.vain, 1, 2); /* the thread may look the directory up again before host_ahead_end() */
	char *text = NULL;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);
	assert_int_equal(host_notes_write(&files.notes, to), 0);
	fclose(to);
	assert_non_null(strstr(text, "/data/file\n"));
	assert_null(strstr(text, "/data/dir/"));
	free(text);
	expect_no_error();
}

/* What is the next entry's is not served, but has to be taken. */
static void test_again(void **state)
{
	(void)state;
	expect(HOST_FILE_LOOK, "", "", 0);
	expect(HOST_FILE_LOOK, "", "file", 0);
	host_ahead_begin(&ahead, &files, &memory, gpa(AREA));
	ask_first(1);
	uint32_t known = files.objects.count;
	assert_true(ask_for("file") == HOST_FILE_AGAIN);
	assert_int_equal(head()->count, 2);
	assert_int_equal(files.objects.count, known);
	assert_int_equal(ask_for("file"), 1); /* to a guest that asks and asks */
	assert_int_equal(files.objects.count, known);
	assert_int_equal(ask_for("dir"), 1);
	host_ahead_end(&ahead);
	assert_int_equal(files.objects.count, known + 1);
	expect_no_error();
}

static void test_guest_lies(void **state)
{
	(void)state;
	expect(HOST_FILE_LOOK, "", "", 0);
	expect(HOST_FILE_LOOK, "", "file", 0);
	expect(HOST_FILE_LOAD, "file", NULL, 0);
	host_ahead_begin(&ahead, &files, &memory, gpa(AREA));
	ask_first(2);
	memset(head(), 0xff, HOST_FILE_AHEAD_BYTES);
	assert_int_equal(ask_for("none"), -ENOENT);
	memset(head(), 0x7f, HOST_FILE_AHEAD_BYTES);
	host_ahead_stop(&ahead);
	memset(head(), 0x80, HOST_FILE_AHEAD_BYTES);
	bool failed;
	assert_int_equal(host_ahead_serve(&ahead, gpa(UINT64_MAX - 8), &failed), -EPROTO);
	assert_true(failed);
	expect_error("outside its memory");
}

/* A guest that changes its request when the monitor has read it. */
static bool request_changes;
int __real_guest_memory_read(const struct guest_memory *from, gpa_t address, void *to, uint64_t bytes);
int __wrap_guest_memory_read(const struct guest_memory *from, gpa_t address, void *to, uint64_t bytes);

int __wrap_guest_memory_read(const struct guest_memory *from, gpa_t address, void *to, uint64_t bytes)
{
	int result = __real_guest_memory_read(from, address, to, bytes);
	if (request_changes && address.value == REQUEST) {
		const struct host_file_request other = {
			.op = HOST_FILE_LOOK, .buffer = BUFFER, .buffer_bytes = BUFFER_BYTES, .name = "dir"};
		request_changes = false;
		guest_memory_write(from, gpa(REQUEST), &other, sizeof(other));
	}
	return result;
}

/* What is served is what was understood, so that a later run expects it. */
static void test_request_changes(void **state)
{
	(void)state;
	host_ahead_begin(&ahead, &files, &memory, gpa(AREA));
	request_changes = true;
	assert_int_equal(ask_for("none"), -ENOENT);
	assert_false(request_changes);
	expect_no_error();
}

/* A guest that changes its memory when the monitor is about to hash what it has read into it. */
static bool data_changes;
void __real_digest_add(struct digest_sum *sum, const void *data, size_t bytes);
void __wrap_digest_add(struct digest_sum *sum, const void *data, size_t bytes);

void __wrap_digest_add(struct digest_sum *sum, const void *data, size_t bytes)
{
	if (data_changes)
		memset(guest_memory_at(&memory, gpa(DATA), 8), 'x', 8);
	__real_digest_add(sum, data, bytes);
}

/* The sum is that of the file. */
static void test_load_changes(void **state)
{
	char *text = NULL;
	size_t bytes;
	(void)state;
	assert_int_equal(look(0, "file"), 2);
	data_changes = true;
	assert_int_equal(load(2, 8), 0);
	data_changes = false;
	FILE *to = open_memstream(&text, &bytes);
	assert_int_equal(host_notes_write(&files.notes, to), 0);
	fclose(to);
	assert_non_null(strstr(text, "d1b2a59fbea7e20077af9f91b27e95e865061b270be03ff539ab3b73587882e8"));
	free(text);
}

/* Whatever a list expects, the run goes on, and knows of nothing that it did not ask for. */
static void test_list_lies(void **state)
{
	static const char *const names[] = {"..", "a/../b", "/", "file/", "//", ".", "file/none", "link/inner", ""};
	static const char *const paths[] = {"file", "none", "dir/..", "../outside", "//", "dir/", "link"};
	(void)state;
	for (uint32_t op = 0; op < 6; op++)
		for (unsigned path = 0; path < 7; path++)
			for (unsigned name = 0; name < 9; name++) {
				struct host_asked asked = {.op = op,
				                           .root = name == 8 ? 77 : 0,
				                           .offset = name % 3 ? name : UINT64_MAX,
				                           .path = paths[path],
				                           .key = names[name],
				                           .key_bytes = (uint32_t)strlen(names[name]) + 1};
				host_ahead_close(&ahead);
				expect(HOST_FILE_LOOK, "", "", 0);
				expect(HOST_FILE_LOOK, "", "file", 0);
				expect(HOST_FILE_LOOK, "", "link", 0);
				host_asked_add(&ahead.before, &asked);
				uint32_t known = files.objects.count;
				host_ahead_begin(&ahead, &files, &memory, gpa(AREA));
				ask_first(2);
				host_ahead_end(&ahead);
				expect_no_error();
				assert_int_equal(files.objects.count, known);
				assert_int_equal(files.absent.count, 0);
			}
}

static void test_adopted(void **state)
{
	(void)state;
	expect(HOST_FILE_LOOK, "dir", "inner", 1);
	expect(HOST_FILE_LOAD, "dir/inner", NULL, 0);
	size_t bytes = ahead.before.used;
	for (unsigned i = 0; i < MANY; i++) {
		uint8_t *copy = malloc(bytes);
		memcpy(copy, ahead.before.bytes, bytes);
		for (unsigned changes = i ? 1 + i % 3 : 0; changes; changes--)
			copy[(size_t)random() % bytes] = (uint8_t)random();
		struct host_asked_list list = {0};
		struct host_asked asked;
		size_t at = 0, used = i ? bytes - (size_t)random() % 2 * 16 : bytes;
		int result = host_asked_adopt(&list, copy, used);
		assert_true(i || !result);
		while (!result && host_asked_next(&list, &at, &asked))
			assert_true(strlen(asked.path) <= bytes && at <= used);
		if (result)
			free(copy);
		host_asked_fini(&list);
	}
}

/* Files that change after the answer was found: what the guest has taken is checked, all else is nobody's. */
static void test_changes(void **state)
{
	(void)state;
	for (unsigned taken = 1; taken <= 3; taken += 2) {
		host_ahead_close(&ahead);
		put("file", "contents");
		assert_int_equal(host_files_begin(&files), 0);
		expect(HOST_FILE_LOOK, "", "", 0);
		expect(HOST_FILE_LOOK, "", "file", 0);
		expect(HOST_FILE_LOAD, "file", NULL, 0);
		host_ahead_begin(&ahead, &files, &memory, gpa(AREA));
		ask_first(2);
		put("file", "others, longer");
		head()->taken = taken;
		host_ahead_end(&ahead);
		assert_int_equal(host_notes_check(&files.notes, &error), taken == 3 ? -ESTALE : 0);
		expect_no_error();
	}
}

/* An object that the guest calls unused may change; all others may not. A page outside the guest's memory says nothing.
 */
static void test_unused(void **state)
{
	(void)state;
	const struct {
		uint64_t page;
		bool is_unused;
		int result;
	} cases[] = {
		{BUFFER, true, 0}, {BUFFER, false, -ESTALE}, {0, true, -ESTALE}, {UINT64_MAX - 4095, true, -ESTALE}};
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint8_t *bits = guest_memory_at(&memory, gpa(BUFFER), HOST_FILE_UNUSED_HANDLES / 8);
		host_ahead_close(&ahead); /* nothing is expected of this run */
		put("unused", "contents");
		assert_int_equal(host_files_begin(&files), 0);
		host_ahead_begin(&ahead, &files, &memory, gpa(AREA));
		uint32_t handle = files.objects.count;
		assert_int_equal(ask_for("unused"), 1);
		memset(bits, 0, HOST_FILE_UNUSED_HANDLES / 8);
		bits[handle / 8] = (uint8_t)(cases[i].is_unused << handle % 8);
		head()->unused[0] = cases[i].page;
		host_ahead_end(&ahead);
		put("unused", "others, longer");
		assert_int_equal(host_files_check(&files), cases[i].result);
		files.error.text[0] = 0;
	}
}

/* A name that comes after time has passed is there. */
static void test_stop(void **state)
{
	(void)state;
	expect(HOST_FILE_LOOK, "", "", 0);
	expect(HOST_FILE_LOOK, "", "new", 0);
	host_ahead_begin(&ahead, &files, &memory, gpa(AREA));
	ask_first(1);
	assert_int_equal(head()->count, 2);
	host_ahead_stop(&ahead);
	assert_int_equal(head()->count, 0);
	put("new", "");
	assert_int_equal(ask_for("new"), 1);
	expect_no_error();
}

/* What is not taken soon is revoked, but not from a guest that is about to take it. */
static void test_revoked(void **state)
{
	(void)state;
	ahead.life_ns = 1000000;
	sem_init(&waits, 0, 0);
	expect(HOST_FILE_LOOK, "", "", 0);
	expect(HOST_FILE_LOOK, "", "new", 0);
	head()->taking = 1;
	host_ahead_begin(&ahead, &files, &memory, gpa(AREA));
	host_ahead_go_on(&ahead);
	ask_first(1);
	for (int i = 0; i < 4; i++) /* between two waits the thread has tried to revoke */
		sem_wait(&waits);
	assert_int_equal(__atomic_load_n(&head()->count, __ATOMIC_ACQUIRE), 2);
	__atomic_store_n(&head()->taking, 0, __ATOMIC_SEQ_CST);
	while (!__atomic_load_n(&head()->revoked, __ATOMIC_SEQ_CST))
		usleep(100);
	put("new", "");
	assert_int_equal(ask_for("new"), 1);
	assert_int_equal(head()->revoked, 0);
	expect_no_error();
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

static const struct CMUnitTest tests[] = {
	TEST(test_taken),           TEST(test_again),        TEST(test_guest_lies), TEST(test_list_lies),
	TEST(test_adopted),         TEST(test_changes),      TEST(test_stop),       TEST(test_revoked),
	TEST(test_request_changes), TEST(test_load_changes), TEST(test_unused),
};

TAP_MAIN(tests)
