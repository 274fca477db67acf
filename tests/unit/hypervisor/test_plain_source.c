/* SPDX-License-Identifier: MIT */
/* Lines of C that access a variable in plain sight, and lines that may do it by an atomic operation. */
#include "tests/unit/fakes/tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/plain_source.h"

#define NOTHING ""

static void test_plain(void **state)
{
	(void)state;
	assert_true(plain_source_is("\tx = 1;\n", NOTHING, "x"));
	assert_true(plain_source_is("x++;", "}", "x"));
	assert_true(plain_source_is("if (x == 0 && y)", "f(); // (", "x"));
	assert_true(plain_source_is("if (x == 0 && y) {", "f(); // (", "x"));
	assert_true(plain_source_is("members[self] = counter++;", "else", "counter"));
	assert_true(plain_source_is("members[self] = counter++;", "do", "members[1]"));
	assert_true(plain_source_is("state.is_open = 0; /* atomic */", "{", "state.is_open"));
	assert_true(plain_source_is("all.slots[i[2]].busy[k]= g(3);", "/* y */", "all.slots[2].busy[1]"));
	assert_true(plain_source_is("x = (long)y + \"atomic(x\"[0];", "case 1:", "x"));
	assert_true(plain_source_is("return x;", "#ifdef A", "x"));
}

static void test_hidden(void **state)
{
	static const char *const lines[] = {"LOAD(x);",
	                                    "y = load(x);",
	                                    "y = f[0](x);",
	                                    "y = f()(x);",
	                                    "store(&x, 1);",
	                                    "p = &x;",
	                                    "*(volatile int *)&x = 1;",
	                                    "__atomic_x = x;",
	                                    "x = y_acquire;",
	                                    "y = 1;",
	                                    "xx = 1;",
	                                    "// x = 1;",
	                                    "\"x\";",
	                                    "x, 1);",
	                                    "f(1,",
	                                    "x =",
	                                    "y = '\\'x';",
	                                    "#define x y;",
	                                    "asm(\"\"); x = 1;",
	                                    "/* x = 1; */",
	                                    "y = x & 1;",
	                                    "",
	                                    ")(;",
	                                    "x = READ_ONCE(z);",
	                                    "/* x = 1;",
	                                    "f((x));",
	                                    "g(y, (int)x);"};
	(void)state;
	for (unsigned i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		if (plain_source_is(lines[i], NOTHING, "x"))
			fail_msg("plain: %s", lines[i]);
	/* A pointer may be one to volatile. */
	assert_false(plain_source_is("s->slots[2].busy = g(3);", NOTHING, "all.slots[2].busy"));
	assert_false(plain_source_is("busy = 1;", NOTHING, "all.busy"));
	assert_false(plain_source_is("all->busy = 1;", NOTHING, "all.busy"));
	assert_false(plain_source_is("p->all.busy = 1;", NOTHING, "all.busy"));
	assert_false(plain_source_is("p->x = 1;", NOTHING, "x"));
	assert_false(plain_source_is("y.x = 1;", NOTHING, "x"));
	assert_false(plain_source_is("x.y = p->x;", NOTHING, "x"));
	assert_false(plain_source_is("x = 1;", "store(", "x"));
	assert_false(plain_source_is("x = 1;", "a = b,", "x"));
	assert_false(plain_source_is("x = 1;", NOTHING, "x+0x4"));
	assert_false(plain_source_is("x = 1;", NOTHING, ""));
	assert_false(plain_source_is("x = 1;", NOTHING, "[1]"));
	assert_false(plain_source_is("x = 1;", NOTHING, "]"));
	assert_false(plain_source_is("x = 1;", NOTHING, "0x404060"));
}

static bool is_at(const char *dir, const char *file, unsigned line, const char *object)
{
	char place[300];
	snprintf(place, sizeof(place), "%s/%s:%u and more", dir, file, line);
	return plain_source_is_at(place, strlen(place) - strlen(" and more"), object);
}

static void test_files(void **state)
{
	char dir[] = "/tmp/plain_source.XXXXXX", path[300];
	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/a.c", dir);
	FILE *to = fopen(path, "w");
	assert_non_null(to);
	fputs("int x, y;\n#  define y f(y)\n\nx = 1;\ny = 1;\nf(\n\nx);\nx = 2;", to);
	assert_int_equal(fclose(to), 0);
	assert_true(is_at(dir, "a.c", 4, "x"));
	assert_true(is_at(dir, "a.c", 9, "x"));
	assert_false(is_at(dir, "a.c", 5, "y")); /* a macro */
	assert_false(is_at(dir, "a.c", 8, "x"));
	assert_false(is_at(dir, "a.c", 0, "x"));
	assert_false(is_at(dir, "a.c", 10, "x"));
	assert_false(is_at(dir, "b.c", 4, "x"));
	assert_false(plain_source_is_at("", 0, "x"));
	assert_false(plain_source_is_at("/dev/zero:1", 11, "x"));
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_false(is_at(dir, "a.c", 1, "x"));
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rmdir(dir), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_hidden),
		cmocka_unit_test(test_files),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
