/* SPDX-License-Identifier: MIT */
/* Changes as a guest tells of them, applied to a folder: all conflicts are found first, and a process that is killed
 * meanwhile leaves each file old or new. KILLS=200 kills so often (20). */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <setjmp.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "abi/doorbell.h"
#include "base/error.h"
#include "save/changes.h"
#include "save/save_apply.h"
#include "save/save_plan.h"
#include "tests/unit/fakes/folder.h"

#define MEMORY 0x100000UL
#define FILES 40

static struct error error;
static char base[64];
static struct guest_memory memory;
static struct host_files files;
static struct save_dir save;
static struct changes changes;
static struct save_plan plan;
static struct host_tree tree;

static const char *host(const char *name)
{
	static char path[200];
	snprintf(path, sizeof(path), "%s/%s", base, name);
	return path;
}

static void put(const char *name, const char *text)
{
	FILE *to = fopen(host(name), "w");
	assert_non_null(to);
	fputs(text, to);
	fclose(to);
}

static bool holds(const char *name, const char *text)
{
	char got[64] = "";
	FILE *from = fopen(host(name), "r");
	if (!from)
		return !text;
	bool is_read = fgets(got, sizeof(got), from);
	fclose(from);
	return text && is_read && !strcmp(got, text);
}

static bool never(void)
{
	return false;
}

static void look_at(const char *name)
{
	struct host_file_request request = {
		.op = HOST_FILE_LOOK, .buffer = 0x1000, .buffer_bytes = HOST_FILE_LIST_BYTES};
	strcpy(request.name, name);
	guest_memory_write(&memory, gpa(0), &request, sizeof(request));
	assert_true(host_files_serve(&files, &memory, gpa(0)) > 0);
}

static void begin(void)
{
	tree = (struct host_tree){.host = base, .guest = "/d"};
	files = (struct host_files){0};
	plan = (struct save_plan){0};
	changes = (struct changes){.dir = &save};
	assert_int_equal(save_dir_open(&save, base, &error), 0);
	changes.spool = save.spool;
	assert_int_equal(host_files_open(&files, &tree, 1, &error), 0);
	assert_int_equal(host_files_begin(&files), 0);
}

static void tell(uint32_t what, const char *path, const char *text)
{
	static struct change change;
	change = (struct change){.what = what, .kind = text ? S_IFREG : 0, .mode = 0644, .nlink = 1};
	change.bytes = text ? strlen(text) : 0;
	strcpy(change.path, path);
	guest_memory_write(&memory, gpa(0), &change, sizeof(change));
	int result = changes_take(&changes, &memory, gpa(0));
	assert_int_equal(result, text ? 1 : 0);
	if (!text)
		return;
	const struct out_piece piece = {0x9000, change.bytes};
	guest_memory_write(&memory, gpa(0x9000), text, change.bytes);
	guest_memory_write(&memory, gpa(0x8000), &piece, sizeof(piece));
	assert_int_equal(changes_take_data(&changes, &memory, gpa(0x8000), 1), 0);
}

static int apply(void)
{
	int result = changes_end(&changes);
	if (!result)
		result = save_plan_make(&plan, &changes, &error);
	if (!result)
		result = save_plan_check(&plan, &error);
	return result ? result : save_apply(&plan, &error);
}

static void end(void)
{
	save_plan_fini(&plan);
	changes_fini(&changes);
	host_files_close(&files);
	save_dir_close(&save);
}

static int set_up(void **state)
{
	(void)state;
	return !folder_make(base) || guest_memory_init(&memory, MEMORY);
}

static int tear_down(void **state)
{
	(void)state;
	guest_memory_fini(&memory);
	folder_remove(base);
	return 0;
}

/* A file that is changed, one that is created and one that is removed; then the host does something. */
static int after(void (*host_does)(void))
{
	put("changed", "old");
	put("removed", "old");
	begin();
	changes_begin(&changes, &files, MEMORY, never);
	look_at("changed");
	look_at("removed");
	tell(CHANGE_CONTENTS, "changed", "new");
	tell(CHANGE_CREATED, "created", "new");
	tell(CHANGE_REMOVED, "removed", NULL);
	if (host_does)
		host_does();
	int result = apply();
	end();
	return result;
}

static void change(void)
{
	put("changed", "other");
}

static void appear(void)
{
	put("created", "other");
}

static void vanish(void)
{
	unlink(host("removed"));
}

static void test_conflicts(void **state)
{
	(void)state;
	assert_int_equal(after(change), -ESTALE);
	assert_true(holds("changed", "other") && holds("created", NULL) && holds("removed", "old"));
	assert_int_equal(after(appear), -ESTALE);
	assert_true(holds("changed", "old") && holds("created", "other") && holds("removed", "old"));
	unlink(host("created"));
	assert_int_equal(after(vanish), -ESTALE);
	assert_true(holds("changed", "old") && holds("created", NULL));
	assert_int_equal(after(NULL), 0);
	assert_true(holds("changed", "new") && holds("created", "new") && holds("removed", NULL));
}

static void tell_many(void)
{
	char name[20];
	begin();
	changes_begin(&changes, &files, MEMORY, never);
	for (unsigned i = 0; i < FILES; i++) {
		snprintf(name, sizeof(name), "f%u", i);
		look_at(name);
		tell(CHANGE_CONTENTS, name, "new");
		snprintf(name, sizeof(name), "n%u", i);
		tell(CHANGE_CREATED, name, "new");
	}
}

static void test_kill(void **state)
{
	const unsigned kills = getenv("KILLS") ? (unsigned)atoi(getenv("KILLS")) : 20;
	unsigned struck = 0;
	int status;
	char name[20];
	(void)state;
	srand(kills);
	for (unsigned k = 0; k < kills; k++) {
		for (unsigned i = 0; i < FILES; i++) {
			snprintf(name, sizeof(name), "n%u", i);
			unlink(host(name));
			snprintf(name, sizeof(name), "f%u", i);
			put(name, "old");
		}
		tell_many();
		pid_t pid = fork();
		if (!pid)
			_exit(apply() != 0);
		/* The moments of the kills are what is tried, so there is nothing to wait for. */
		const struct timespec moment = {.tv_nsec = rand() % 40000000};
		nanosleep(&moment, NULL);
		kill(pid, SIGKILL);
		waitpid(pid, &status, 0);
		struck += WIFSIGNALED(status);
		assert_true(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
		end();
		for (unsigned i = 0; i < FILES; i++) {
			snprintf(name, sizeof(name), "f%u", i);
			assert_true(holds(name, "old") || holds(name, "new"));
			snprintf(name, sizeof(name), "n%u", i);
			assert_true(holds(name, NULL) || holds(name, "new"));
		}
	}
	print_message("# %u of %u were killed before they had ended\n", struck, kills);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_conflicts, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_kill, set_up, tear_down),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("tests", tests, NULL, NULL);
}
