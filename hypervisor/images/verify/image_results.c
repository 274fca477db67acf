/* SPDX-License-Identifier: MIT */
/* Texts are printable UTF-8 already, so each format has to escape only its own characters. */
#include "verify/image_results.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/printable.h"
#include "base/text.h"
#include "library/cjson.h"
#include "library/json_out.h"

static const char *const verdict_names[] = {"pass", "fail", "error", "timeout"};

/* Returns a text of the manifest as printable UTF-8. It is never freed. */
static const char *shown_name(const char *text)
{
	return printable(text, strlen(text));
}

/* --- text --- */

/* The unit of a value. */
static const char *difference_unit(const char *name)
{
	return !strcmp(name, "events") ? " kernel calls and thread switches" : !strcmp(name, "virtual_ns") ? " ns" : "";
}

static void put_difference(FILE *to, const struct difference *difference)
{
	const char *unit = difference_unit(difference->name);
	fprintf(to, "    %s: ", difference->name);
	switch (difference->kind) {
	case DIFFERENCE_MISSING:
		fputs("missing; the image has it\n", to);
		break;
	case DIFFERENCE_NEW:
		fputs("new; the image does not have it\n", to);
		break;
	case DIFFERENCE_CONTENTS:
		fprintf(to,
		        "differs first at byte %" PRIu64 " (counted from 0), line %" PRIu64 "\n"
		        "      image:    \"%s\"\n      this run: \"%s\"\n",
		        difference->offset, difference->line, difference->expected, difference->actual);
		break;
	case DIFFERENCE_VALUE:
	case DIFFERENCE_MODE:
	case DIFFERENCE_TARGET:
		fprintf(to, "%s%s%s in the image, %s%s in this run\n",
		        difference->kind == DIFFERENCE_MODE     ? "mode "
		        : difference->kind == DIFFERENCE_TARGET ? "leads to "
		                                                : "",
		        difference->expected, unit, difference->actual, unit);
		break;
	}
}

/* Writes the differences of one step. */
static void put_step(FILE *to, const struct verified_step *step)
{
	const struct comparison *comparison = &step->comparison;
	bool has_events = false;
	if (!comparison->count)
		return;
	fprintf(to, "  step %s, run %u:%s%s\n", shown_name(step->step->name), step->runs,
	        comparison->parts[0] ? " the digest differs in " : "", comparison->parts);
	for (size_t i = 0; i < comparison->count; i++) {
		put_difference(to, &comparison->all[i]);
		has_events = has_events || !strcmp(comparison->all[i].name, "events");
	}
	if (!has_events && strstr(comparison->parts, "events"))
		fprintf(to, "    events: %" PRIu64 " kernel calls and thread switches in both, with other results\n",
		        step->step->events);
	if (!step->event)
		return;
	fprintf(to, "    first event that differs: %s\n", step->event);
	results_format_lines(to, "      ", step->stacks);
}

static void put_details(FILE *to, const struct verified *verified)
{
	for (unsigned i = 0; i < verified->step_count; i++)
		put_step(to, &verified->steps[i]);
	for (unsigned i = 0; i < verified->note_count; i++)
		fprintf(to, "  note: %s\n", verified->notes[i]);
	if (verified->kernel)
		fprintf(to, "  kernel: %s\n", verified->kernel);
}

/* The names of the steps that differ. */
static void put_steps(FILE *to, const struct verified *verified)
{
	const char *before = "differs from the image in the step ";
	for (unsigned i = 0; i < verified->step_count; i++) {
		if (!verified->steps[i].comparison.count)
			continue;
		fprintf(to, "%s%s", before, shown_name(verified->steps[i].step->name));
		before = ", ";
	}
}

/* What was checked, and each step: for --verbose. */
static void put_more(FILE *to, const struct verified *verified)
{
	const struct eri_check_progress *progress = &verified->shared->progress;
	const struct eri_manifest *manifest = &verified->image.manifest;
	if (manifest->version)
		fprintf(to, "  made by: eremite %s on the engine %s\n", shown_name(manifest->version),
		        shown_name(manifest->engine));
	if (verified->kernel)
		fprintf(to, "  files: %" PRIu64 " with %" PRIu64 " bytes have the SHA-256 that the identity covers\n",
		        progress->files, progress->bytes);
	for (unsigned i = 0; i < verified->step_count && verified->steps[i].step; i++) {
		const struct verified_step *step = &verified->steps[i];
		fprintf(to, "  step %s: %s %d after %" PRIu64 " events; %u run%s on the engine %s in %.2f s\n",
		        shown_name(step->step->name), shown_name(step->step->end), step->step->status,
		        step->step->events, step->runs, step->runs == 1 ? "" : "s", verified->engine, step->seconds);
	}
}

/* What a reader has to know of an image beside the result. */
static void put_about(FILE *to, const struct verified *verified)
{
	fprintf(to, "  identity: %s\n", verified->image.identity);
	if (verified->signer)
		fprintf(to, "  signed by: %s\n", verified->signer);
	fprintf(to, "  kernel: %s\n", verified->kernel);
}

static void put_verify_text(FILE *to, const struct verified *verified, const struct image_results_how *how)
{
	static const char *const words[] = {"PASS", "FAIL", "ERROR", "TIMEOUT"};
	const unsigned count = verified->step_count;
	const bool passes = verified->verdict == VERDICT_PASS;
	if (passes && how->is_quiet && !verified->is_suspect)
		return;
	fprintf(to, "%s %s", words[verified->verdict], verified->name);
	if (verified->error) {
		fprintf(to, ": %s\n", verified->error);
	} else if (!passes) {
		fputs(": ", to);
		put_steps(to, verified);
		fputc('\n', to);
	} else {
		fprintf(to, " (digest %s", shown_name(verified->steps[count - 1].step->digest));
		if (count > 1)
			fprintf(to, " of the last of %u steps", count);
		fputs(")\n", to);
		put_about(to, verified);
	}
	if (how->is_verbose)
		put_more(to, verified);
	if (!passes)
		put_details(to, verified);
}

/* Returns the details as a text, for the caller to free. */
static char *verify_details(const struct verified *verified)
{
	struct text_made made;
	FILE *to = text_open(&made);
	put_verify_text(to, verified, &(struct image_results_how){0});
	return text_close(&made);
}

/* --- TAP 14 and JUnit --- */

static void put_verify_tap(FILE *to, const struct verified *verified, unsigned number)
{
	fprintf(to, "%sok %u - ", verified->verdict == VERDICT_PASS ? "" : "not ", number);
	results_format_escape(to, verified->name, "#\\");
	fputc('\n', to);
	if (verified->verdict == VERDICT_PASS) {
		fprintf(to, "  ---\n  identity: %s\n  kernel: \"%s\"\n  ...\n", verified->image.identity,
		        verified->kernel);
		return;
	}
	char *text = verify_details(verified);
	fprintf(to, "  ---\n  severity: %s\n  message: |\n", verdict_names[verified->verdict]);
	results_format_lines(to, "    ", text);
	fputs("  ...\n", to);
	free(text);
}

static void put_verify_junit(FILE *to, const struct verified *verified)
{
	const char *element = verified->verdict == VERDICT_DIFFERS ? "failure" : "error";
	fputs("    <testcase classname=\"eremite.verify\" name=\"", to);
	results_format_xml(to, verified->name);
	fprintf(to, "\" time=\"%.3f\"", verified->seconds);
	if (verified->verdict == VERDICT_PASS) {
		fprintf(to, ">\n      <system-out>identity: %s\n", verified->image.identity);
		fputs("kernel: ", to);
		results_format_xml(to, verified->kernel);
		fputs("</system-out>\n    </testcase>\n", to);
		return;
	}
	char *text = verify_details(verified), *message = text_of("%.*s", (int)strcspn(text, "\n"), text);
	fprintf(to, ">\n      <%s message=\"", element);
	results_format_xml(to, message);
	fprintf(to, "\" type=\"%s\">", verdict_names[verified->verdict]);
	results_format_xml(to, text);
	fprintf(to, "</%s>\n    </testcase>\n", element);
	free(message);
	free(text);
}

/* --- JSON --- */

static void add_result_text(cJSON *object, const char *name, const char *text)
{
	if (text)
		cjson.AddStringToObject(object, name, text);
	else
		cjson.AddNullToObject(object, name);
}

static void add_difference(cJSON *array, const struct difference *difference)
{
	cJSON *json = json_out_append(array);
	add_result_text(json, "what", difference->name);
	add_result_text(json, "kind", image_compare_kinds[difference->kind]);
	add_result_text(json, "expected", difference->expected);
	add_result_text(json, "actual", difference->actual);
	if (difference->kind != DIFFERENCE_CONTENTS)
		return;
	cjson.AddNumberToObject(json, "offset", (double)difference->offset);
	cjson.AddNumberToObject(json, "line", (double)difference->line);
}

static void add_parts(cJSON *json, const char *parts)
{
	cJSON *array = cjson.AddArrayToObject(json, "digest_parts");
	for (char *copy = strdup(parts), *part; (part = strsep(&copy, ","));)
		if (*part)
			cjson.AddItemToArray(array, cjson.CreateString(part + strspn(part, " ")));
}

static void add_steps(cJSON *json, const struct verified *verified)
{
	cJSON *array = cjson.AddArrayToObject(json, "steps");
	for (unsigned i = 0; i < verified->step_count && verified->steps[i].step; i++) {
		const struct verified_step *step = &verified->steps[i];
		cJSON *object = json_out_append(array);
		add_result_text(object, "name", shown_name(step->step->name));
		cjson.AddNumberToObject(object, "runs", step->runs);
		cjson.AddNumberToObject(object, "events", (double)step->step->events);
		add_result_text(object, "digest", shown_name(step->step->digest));
		add_parts(object, step->comparison.parts);
		cJSON *differences = cjson.AddArrayToObject(object, "differences");
		for (size_t j = 0; j < step->comparison.count; j++)
			add_difference(differences, &step->comparison.all[j]);
		if (!step->event)
			continue;
		add_result_text(object, "first_event", step->event);
		add_result_text(object, "stacks", step->stacks);
	}
}

static void put_verify_json(FILE *to, const struct verified *verified)
{
	const struct eri_manifest *manifest = &verified->image.manifest;
	cJSON *json = memory_or_die(cjson.CreateObject());
	add_result_text(json, "image", verified->name);
	add_result_text(json, "result", verdict_names[verified->verdict]);
	add_result_text(json, "error", verified->error);
	cjson.AddBoolToObject(json, "lacks_feature", verified->lacks_feature);
	add_result_text(json, "identity", *verified->image.identity ? shown_name(verified->image.identity) : NULL);
	add_result_text(json, "kernel", verified->kernel);
	if (verified->kernel)
		cjson.AddBoolToObject(json, "kernel_is_known", !verified->is_suspect);
	else
		cjson.AddNullToObject(json, "kernel_is_known");
	add_result_text(json, "signed_by", verified->signer);
	add_result_text(json, "sealed_by", manifest->version ? shown_name(manifest->version) : NULL);
	add_result_text(json, "sealed_engine", manifest->engine ? shown_name(manifest->engine) : NULL);
	add_result_text(json, "engine", *verified->engine ? verified->engine : NULL);
	cjson.AddNumberToObject(json, "seconds", verified->seconds);
	add_steps(json, verified);
	cJSON *notes = cjson.AddArrayToObject(json, "notes");
	for (unsigned i = 0; i < verified->note_count; i++)
		cjson.AddItemToArray(notes, cjson.CreateString(verified->notes[i]));
	char *text = memory_or_die(cjson.Print(json));
	fputs(text, to);
	cjson.free(text);
	cjson.Delete(json);
}

/* --- all --- */

void image_results_put(FILE *to, enum results_format format, const struct verified *verified, unsigned number,
                       const struct image_results_how *how)
{
	switch (format) {
	case RESULTS_TEXT:
		put_verify_text(to, verified, how);
		break;
	case RESULTS_TAP:
		put_verify_tap(to, verified, number);
		break;
	case RESULTS_JUNIT:
		put_verify_junit(to, verified);
		break;
	case RESULTS_JSON:
		fputs(number > 1 ? ",\n" : "", to);
		put_verify_json(to, verified);
		break;
	}
}

void image_results_all(FILE *to, enum results_format format, const struct results_total *total, const char *results)
{
	switch (format) {
	case RESULTS_TEXT:
		fputs(results, to);
		break;
	case RESULTS_TAP:
		fprintf(to, "TAP version 14\n1..%u\n%s", total->images, results);
		break;
	case RESULTS_JUNIT:
		fprintf(to,
		        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		        "<testsuites tests=\"%u\" failures=\"%u\" errors=\"%u\" time=\"%.3f\">\n"
		        "  <testsuite name=\"eremite verify\" tests=\"%u\" failures=\"%u\" errors=\"%u\" skipped=\"0\" "
		        "time=\"%.3f\">\n%s  </testsuite>\n</testsuites>\n",
		        total->images, total->failures, total->errors, total->seconds, total->images, total->failures,
		        total->errors, total->seconds, results);
		break;
	case RESULTS_JSON:
		fprintf(to, "[%s]\n", results);
		break;
	}
}
