/* SPDX-License-Identifier: MIT */
/* The manifest of an image: what is written is read again, and each member that is missing or of another type has its
 * sentence. */
#include "tests/unit/fakes/tap.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/image.h"
#include "eri/eri_manifest.h"
#include "base/version.h"
#include "pack/manifest_text.h"

#define TEXT(macro) TEXT_OF(macro)
#define TEXT_OF(text) #text
#define SUM "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static struct eri_manifest manifest;
static struct error error;

/* Writes the identity that a text has into it. */
static void seal(char *text)
{
	uint8_t sum[DIGEST_BYTES];
	char digits[DIGEST_TEXT_BYTES];
	size_t at;
	assert_true(eri_manifest_identity(text, strlen(text), &at, sum));
	digest_text(sum, digits);
	memcpy(text + at, strchr(digits, ':') + 1, 64);
}

/* A manifest with all members. */
static char *sound(void)
{
	char *options[] = {"--seed=1", "--env=A=\303\244\n\"\\"}, *arguments[] = {"/bin/true", "", "x y"};
	char *defaults[] = {"--memory=4096"};
	struct eri_output outputs[] = {
		{"stdout", "", ".eremite/steps/a/stdout", SUM, "", 5, 0},
		{"file", "/tmp/link", "", "", "../to", 0, 0120777},
		{"file", "/tmp/gone", "", "", "", 0, 0},
	};
	struct eri_external externals[] = {{"/data/big", SUM, (1UL << 50) + 1}};
	struct eri_step steps[2] = {
		{.name = "a",
	         .is_linux = true,
	         .options = options,
	         .option_count = 2,
	         .defaults = defaults,
	         .default_count = 1,
	         .arguments = arguments,
	         .argument_count = 3,
	         .trees = {{"/", true}, {"/data", false}},
	         .tree_count = 2,
	         .names_sha256 = SUM,
	         .root_sha256 = "",
	         .kernel_sha256 = SUM,
	         .kernel_symbols_sha256 = SUM,
	         .code_sha256 = SUM,
	         .kernel_loaded_sha256 = SUM,
	         .events_sha256 = SUM,
	         .schedule_sha256 = SUM,
	         .stdin_sha256 = SUM,
	         .log_sha256 = SUM,
	         .capture_sha256 = SUM,
	         .end = "exit",
	         .status = 7,
	         .virtual_ns = 123456789012345,
	         .events = 5,
	         .digest = "sha256:" SUM,
	         .parts = {{"memory", SUM}},
	         .part_count = 1,
	         .outputs = outputs,
	         .output_count = 3},
		{.name = "b",
	         .options = options,
	         .arguments = arguments,
	         .argument_count = 1,
	         .names_sha256 = "",
	         .root_sha256 = SUM,
	         .kernel_sha256 = SUM,
	         .kernel_symbols_sha256 = "",
	         .code_sha256 = "",
	         .kernel_loaded_sha256 = "",
	         .events_sha256 = "",
	         .schedule_sha256 = "",
	         .stdin_sha256 = "",
	         .log_sha256 = "",
	         .capture_sha256 = "",
	         .end = "signal",
	         .digest = ""},
	};
	const struct eri_manifest made = {.version = "9",
	                                  .commit = "abc",
	                                  .contract = IMAGE_ABI_VERSION,
	                                  .definition = DIGEST_DEFINITION,
	                                  .host_vendor = "VENDOR",
	                                  .host_processor = "PROCESSOR",
	                                  .cpu = "CPU",
	                                  .cpu_features = "avx2 bmi2",
	                                  .engine = "kvm",
	                                  .memory_bytes = 1UL << 30,
	                                  .packages_sha256 = SUM,
	                                  .steps = steps,
	                                  .step_count = 2,
	                                  .externals = externals,
	                                  .external_count = 1};
	char *text = manifest_text(&made, &error);
	assert_non_null(text);
	seal(text);
	return text;
}

/* Reads a text from memory of exactly its size. */
static int read_bytes(const char *text, size_t bytes)
{
	char *copy = malloc(bytes ? bytes : 1);
	memcpy(copy, text, bytes);
	error.text[0] = 0;
	int result = eri_manifest_read(&manifest, copy, bytes, &error);
	free(copy);
	assert_int_equal(result != 0, error.text[0] != 0);
	if (result)
		assert_null(manifest.json);
	return result;
}

/* The sound manifest, in which the first `from` behind `after` is replaced, and its identity made anew, is refused with
 * a sentence. */
static void refused(const char *after, const char *from, const char *into, const char *why)
{
	char *text = sound(), *changed, *start = strstr(text, after), *at = start ? strstr(start, from) : NULL;
	if (!at)
		fail_msg("no %s", from);
	assert_true(asprintf(&changed, "%.*s%s%s", (int)(at - text), text, into, at + strlen(from)) > 0);
	seal(changed);
	int result = read_bytes(changed, strlen(changed));
	if (!result || strcmp(error.text, why))
		fail_msg("%s -> %s: %d, '%s', not '%s'", from, into, result, error.text, why);
	free(text);
	free(changed);
	eri_manifest_fini(&manifest);
}

static void test_round_trip(void **state)
{
	char *text = sound();
	(void)state;
	assert_int_equal(read_bytes(text, strlen(text)), 0);
	assert_string_equal(manifest.engine, "kvm");
	assert_string_equal(manifest.cpu_features, "avx2 bmi2");
	assert_string_equal(manifest.packages_sha256, SUM);
	assert_int_equal(manifest.external_count, 1);
	assert_int_equal(manifest.externals[0].bytes, (1UL << 50) + 1);
	assert_int_equal(manifest.step_count, 2);
	const struct eri_step *step = &manifest.steps[0];
	assert_true(step->is_linux && *step->stdin_sha256 && *step->schedule_sha256 && *step->log_sha256);
	assert_string_equal(step->options[1], "--env=A=\303\244\n\"\\");
	assert_null(step->options[2]);
	assert_string_equal(step->arguments[1], "");
	assert_true(step->trees[0].read_only && !step->trees[1].read_only);
	assert_string_equal(step->trees[1].guest, "/data");
	assert_int_equal(step->status, 7);
	assert_int_equal(step->virtual_ns, 123456789012345);
	assert_string_equal(step->parts[0].name, "memory");
	assert_int_equal(step->output_count, 3);
	assert_string_equal(step->outputs[1].target, "../to");
	assert_int_equal(step->outputs[1].mode, 0120777);
	assert_string_equal(step->outputs[2].stored, "");
	assert_false(manifest.steps[1].is_linux);
	assert_string_equal(manifest.steps[1].root_sha256, SUM);
	/* and what was read is written as it was */
	char *again = manifest_text(&manifest, &error);
	assert_non_null(again);
	seal(again);
	assert_string_equal(manifest.commit, "abc");
	assert_string_equal(manifest.steps[0].defaults[0], "--memory=4096");
	assert_int_equal(manifest.steps[1].default_count, 0);
	char *made = strstr(again, "\"eremite\"");
	assert_string_equal(made, strstr(text, "\"eremite\""));
	free(again);
	free(text);
	eri_manifest_fini(&manifest);
	eri_manifest_fini(&manifest);
}

static void test_missing(void **state)
{
	static const char *const of_all[] = {
		"eremite", "contract",     "digest_definition", "host_vendor", "host_processor", "engine",
		"cpu",     "cpu_features", "memory_bytes",      "external",    "steps",          "schema"};
	static const char *const of_step[] = {"name",   "program",       "options",      "defaults", "arguments",
	                                      "trees",  "kernel_sha256", "end",          "status",   "virtual_ns",
	                                      "events", "digest",        "digest_parts", "outputs"};
	static const char *const of_tree[] = {"path", "read_only"};
	static const char *const of_external[] = {"path", "sha256", "bytes"};
	static const char *const of_output[] = {"what", "bytes", "mode"};
	char from[40], why[100];
	(void)state;
#define EACH_MISSING(names, after) \
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) { \
		snprintf(from, sizeof(from), "\"%s\":", names[i]); \
		snprintf(why, sizeof(why), "its manifest is not valid: '%s' is missing", names[i]); \
		refused(after, from, "\"x\":", why); \
	}
	EACH_MISSING(of_all, "{")
	EACH_MISSING(of_step, "\"steps\"")
	EACH_MISSING(of_tree, "\"trees\"")
	EACH_MISSING(of_external, "\"external\"")
	EACH_MISSING(of_output, "\"outputs\"")
}

#define NOT_VALID "its manifest is not valid: "

static void test_types(void **state)
{
	static const struct {
		const char *after, *from, *into, *why;
	} cases[] = {
		{"{", "\"schema\":\t1", "\"schema\":\t0", NOT_VALID "'schema' is no version of a manifest"},
		{"{", "\"schema\":\t1", "\"schema\":\t\"1\"", NOT_VALID "'schema' is not a whole number"},
		{"{", "\"eremite\":\t\"9\"", "\"eremite\":\t9", NOT_VALID "'eremite' is not a string"},
		{"{", "\"cpu\":\t\"CPU\"", "\"cpu\":\tnull", NOT_VALID "'cpu' is not a string"},
		{"{", "\"memory_bytes\":\t1073741824", "\"memory_bytes\":\t-1",
	         NOT_VALID "'memory_bytes' is not a whole number"},
		{"{", "\"memory_bytes\":\t1073741824", "\"memory_bytes\":\t1.5",
	         NOT_VALID "'memory_bytes' is not a whole number"},
		{"{", "\"memory_bytes\":\t1073741824", "\"memory_bytes\":\t1e300",
	         NOT_VALID "'memory_bytes' is not a whole number"},
		{"{", "\"external\":\t[", "\"external\":\t1,\"x\":\t[", NOT_VALID "'external' is not an array"},
		{"{", "\"external\":\t[", "\"external\":\t[1,", NOT_VALID "'path' is missing"},
		{"{", "\"external\":\t[", "\"external\":\t[[1],", NOT_VALID "'path' is missing"},
		{"{", "\"steps\":\t[", "\"steps\":\t[],\"x\":\t[", NOT_VALID "'steps' has no element"},
		{"{", "\"steps\":\t[", "\"steps\":\t[null,", NOT_VALID "'name' is missing"},
		{"\"steps\"", "\"name\":\t\"a\"", "\"name\":\t\"\"", NOT_VALID "'name' is no name of a step"},
		{"\"steps\"", "\"name\":\t\"a\"", "\"name\":\t\"..\"", NOT_VALID "'name' is no name of a step"},
		{"\"steps\"", "\"name\":\t\"a\"", "\"name\":\t\"a/b\"", NOT_VALID "'name' is no name of a step"},
		{"\"steps\"", "\"name\":\t\"a\"", "\"name\":\t\"a\\u001b[7m\"",
	         NOT_VALID "'name' is no name of a step"},
		{"\"steps\"", "\"name\":\t\"a\"", "\"name\":\t\"b\"", NOT_VALID "'steps' has two steps of one name"},
		{"\"steps\"", "\"linux\"", "\"Linux\"", NOT_VALID "'program' is neither linux nor native"},
		{"\"steps\"", "\"--seed=1\"", "1", NOT_VALID "'options' has an element that is not a string"},
		{"\"steps\"", "\"options\":\t[", "\"options\":\t{\"k\":[]},\"x\":\t[",
	         NOT_VALID "'options' is not an array"},
		{"\"steps\"", "\"arguments\":\t[", "\"arguments\":\t[],\"x\":\t[",
	         NOT_VALID "'arguments' names no program"},
		{"\"trees\"", "true", "1", NOT_VALID "'read_only' is neither true nor false"},
		{"\"steps\"", "\"stdin_sha256\":\t\"", "\"stdin_sha256\":\t7, \"x\":\t\"",
	         NOT_VALID "'stdin_sha256' is not a string"},
		{"\"steps\"", "\"status\":\t7", "\"status\":\t2147483648", NOT_VALID "'status' is no exit status"},
		{"\"steps\"", "\"names_sha256\":\t\"" SUM "\"", "\"names_sha256\":\t1",
	         NOT_VALID "'names_sha256' is not a string"},
		{"\"digest_parts\"", "\"" SUM "\"", "7",
	         NOT_VALID "'digest_parts' has something else than a few named strings"},
		{"\"steps\"", "\"digest_parts\":\t{", "\"digest_parts\":\t[\"" SUM "\"],\"x\":\t{",
	         NOT_VALID "'digest_parts' has something else than a few named strings"},
		{"\"outputs\"", "\"mode\":\t0", "\"mode\":\t65536", NOT_VALID "'mode' is no mode of a file"},
		{"\"outputs\"", "\"mode\":\t0", "\"mode\":\t4294967296", NOT_VALID "'mode' is no mode of a file"},
		{"\"outputs\"", "\"bytes\":\t5", "\"bytes\":\t\"5\"", NOT_VALID "'bytes' is not a whole number"},
		{"{", "\"cpu\":", "\"new_member\":\t[1],\t\"cpu\":", NOT_VALID "'new_member' is no member of it"},
		{"{", "\"cpu\":", "\"\\u001b[7m\":\t{},\t\"cpu\":", NOT_VALID "'?' is no member of it"},
		{"{", "\"cpu\":", "\"cpu\":\t\"v2\",\t\"cpu\":", NOT_VALID "'cpu' is there twice"},
		{"{", "\"engine\":\t\"kvm\"", "\"engine\":\t\"kvm\\u001b[7m\"",
	         NOT_VALID "'engine' is no name of an engine"},
		{"{", "\"engine\":\t\"kvm\"", "\"engine\":\t\"kvm\\u0000x\"",
	         "its manifest is not JSON: a NUL is in a string"},
		{"\"outputs\"", "\"what\":\t\"", "\"what\":\t\"x", NOT_VALID "'what' has a value that no image has"},
		{"\"steps\"", "\"end\":\t\"", "\"end\":\t\"x", NOT_VALID "'end' has a value that no image has"},
		{"\"steps\"", "\"name\":\t\"b\"", "\"name\":\t\"b\",\t\"name\":\t\"c\"",
	         NOT_VALID "'name' is there twice"},
		{"\"trees\"", "\"path\":", "\"inode\":\t1,\t\"path\":", NOT_VALID "'inode' is no member of it"},
		{"\"external\"", "\"bytes\":", "\"sha1\":\t\"\",\t\"bytes\":", NOT_VALID "'sha1' is no member of it"},
		{"\"outputs\"", "\"mode\":", "\"uid\":\t0,\t\"mode\":", NOT_VALID "'uid' is no member of it"},
		{"\"digest_parts\"", "\"memory\":", "\"memory\":\t\"1\",\t\"memory\":",
	         NOT_VALID "'digest_parts' has two parts of one name"},
		{"{", "\"digest_definition\":\t1", "\"digest_definition\":\t2",
	         "its manifest says that its digests are of definition 2, and this eremite (" EREMITE_VERSION
	         ") computes definition 1; use eremite 9 or a newer one"},
		{"{", "\"contract\":\t", "\"contract\":\t9",
	         "its manifest says that it needs version 9" TEXT(
			 IMAGE_ABI_VERSION) " of the contract, and this eremite (" EREMITE_VERSION
	                                    ") has version " TEXT(IMAGE_ABI_VERSION) "; use eremite 9 or a newer one"},
		{"\"outputs\"", "\"stored\":\t\"", "\"stored\":\t[],\"x\":\t\"", NOT_VALID "'stored' is not a string"},
	};
	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		refused(cases[i].after, cases[i].from, cases[i].into, cases[i].why);
}

static void test_identity(void **state)
{
	char *text = sound(), *at = strstr(text, "\"end\"");
	uint8_t sum[DIGEST_BYTES];
	size_t bytes = strlen(text), place;
	(void)state;
	/* each byte that is changed is noticed, also of the identity itself */
	for (size_t i = 0; i < bytes; i += 7) {
		text[i] ^= 1;
		assert_true(read_bytes(text, bytes) < 0);
		text[i] ^= 1;
	}
	memcpy(at, "\"eNd\"", 5);
	assert_int_equal(read_bytes(text, bytes), -EUCLEAN);
	assert_string_equal(error.text, "its manifest was edited or damaged after the image was made");
	static const char *const without[] = {
		"{}", "[]", "1", "\"identity\"", "{\"schema\":1,\"identity\":\"0\"}", "{\"identity\":\t\"0\"}"};
	for (unsigned i = 0; i < sizeof(without) / sizeof(without[0]); i++) {
		assert_int_equal(read_bytes(without[i], strlen(without[i])), -EUCLEAN);
		assert_string_equal(error.text, "its manifest has no identity");
	}
	/* digits that end behind the text */
	for (size_t cut = (size_t)(strstr(text, "identity") - text); cut < bytes && text[cut] != ','; cut++)
		assert_false(eri_manifest_identity(text, cut, &place, sum) && place + 64 > cut);
	free(text);
}

static void test_version(void **state)
{
	char sentence[256];
	(void)state;
	static const char newer[] = "{\"schema\":\t2}";
	assert_int_equal(read_bytes(newer, strlen(newer)), -ENOTSUP);
	snprintf(sentence, sizeof(sentence), "reads versions up to %u; use a newer eremite", ERI_SCHEMA);
	assert_non_null(strstr(error.text, "its manifest has version 2, and this eremite ("));
	assert_non_null(strstr(error.text, sentence));
	static const char named[] = "{\"schema\":\t2,\"eremite\":\t\"7.5\"}";
	assert_int_equal(read_bytes(named, strlen(named)), -ENOTSUP);
	assert_non_null(strstr(error.text, "; use eremite 7.5 or a newer one"));
	static const char endless[] = "{\"schema\":1e999}";
	assert_true(read_bytes(endless, strlen(endless)) < 0);
}

static char *repeat(const char *before, const char *text, size_t count, const char *after)
{
	char *all = malloc(strlen(before) + strlen(text) * count + strlen(after) + 1), *at = stpcpy(all, before);
	for (size_t i = 0; i < count; i++)
		at = stpcpy(at, text);
	stpcpy(at, after);
	return all;
}

static void test_large(void **state)
{
	(void)state;
	static const char *const broken[] = {"", " ", "{", "nonsense", "{\"a\":\"\\u12\"}", "{\"a\" 1}", "\0{}"};
	for (unsigned i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
		assert_int_equal(read_bytes(broken[i], strlen(broken[i])), -EUCLEAN);
		assert_string_equal(error.text, "its manifest is not JSON");
	}
	char *deep = repeat("", "[", 200000, "");
	assert_int_equal(read_bytes(deep, strlen(deep)), -EUCLEAN);
	assert_string_equal(error.text, "its manifest is not JSON");
	free(deep);
	char *many = repeat("[", "1,", 9000000, "1]");
	assert_int_equal(read_bytes(many, strlen(many)), -EUCLEAN);
	assert_string_equal(error.text, "its manifest has more than 8388608 values");
	free(many);
	char *steps = repeat("\"steps\":\t[", "{},", 257, "{}],\"x\":\t[");
	refused("{", "\"steps\":\t[", steps, NOT_VALID "'steps' has too many elements");
	free(steps);
	char *trees = repeat("\"trees\":\t[", "{\"path\":\"/\",\"read_only\":true},", ERI_TREES_MAX, "");
	refused("{", "\"trees\":\t[", trees, NOT_VALID "'trees' has too many elements");
	free(trees);
	char *parts = repeat("\"digest_parts\":\t{", "\"p\":\"\",", ERI_PARTS_MAX, "");
	refused("{", "\"digest_parts\":\t{", parts,
	        NOT_VALID "'digest_parts' has something else than a few named strings");
	free(parts);
	char *options = repeat("\"options\":\t[", "1,", (1U << 20) + 1, "");
	refused("{", "\"options\":\t[", options, NOT_VALID "'options' has too many elements");
	free(options);
}

/* An option of a manifest takes no other argument, file or variable for its value. */
static void test_takes(void **state)
{
	static const char *const good[] = {"--seed=1",
	                                   "--env=A=B",
	                                   "--env=A=",
	                                   "--no-env",
	                                   "--argv0=--bind=/",
	                                   "--sched=surw:counts=1",
	                                   "--unknown-syscall=stop",
	                                   "--sched-seed=",
	                                   "--preempt=atomics",
	                                   "--file-times=host"};
	static const char *const bad[] = {"",
	                                  "-",
	                                  "--",
	                                  "--=",
	                                  "=",
	                                  "--seed",
	                                  "--env",
	                                  "--env=A",
	                                  "--env=",
	                                  "--no-env=1",
	                                  "--no-en",
	                                  "--see=1",
	                                  "--seeds=1",
	                                  "-seed=1",
	                                  "seed=1",
	                                  "--bind=/etc:/etc",
	                                  "--root=/",
	                                  "--out=/",
	                                  "--save",
	                                  "--net=live",
	                                  "--schedule=/f",
	                                  "--record=/f",
	                                  "-e=A=B",
	                                  "--sched=surw:profile=/etc/x",
	                                  "/bin/sh",
	                                  "--argv0",
	                                  "--data=/",
	                                  "--tty"};
	(void)state;
	for (unsigned i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		if (!eri_manifest_takes(good[i]))
			fail_msg("does not take %s", good[i]);
	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (eri_manifest_takes(bad[i]))
			fail_msg("takes %s", bad[i]);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_round_trip), cmocka_unit_test(test_missing), cmocka_unit_test(test_types),
	cmocka_unit_test(test_identity),   cmocka_unit_test(test_version), cmocka_unit_test(test_large),
	cmocka_unit_test(test_takes),
};

TAP_MAIN(tests)
