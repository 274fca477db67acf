/* SPDX-License-Identifier: MIT */
/* Prints the accounts of threads, which the guest keeps in the schedule area. */
#include "report/summary_threads.h"

#include <inttypes.h>

#include "abi/sched_account.h"
#include "library/cjson.h"
#include "sched/from_option.h"
#include "sched/preempt_option.h"
#include "sched/schedule_window.h"

#define DESCRIPTION_BYTES 160

static const char *const cause_names[] = {
#define NAME(name, text) #name,
	SCHED_CAUSE_LIST(NAME)
#undef NAME
};

/* Returns how many threads have no account because their numbers are too high. Sets *first to the first such number. */
static uint64_t left_out(const struct run_result *result, uint64_t *first)
{
	*first = SCHED_ACCOUNTS + 1;
	return result->sched.youngest > SCHED_ACCOUNTS ? result->sched.youngest - SCHED_ACCOUNTS : 0;
}

static void write_seconds(FILE *to, uint64_t ns)
{
	fprintf(to, "%" PRIu64 ".%09" PRIu64 " s", ns / 1000000000, ns % 1000000000);
}

static void write_thread(FILE *to, const struct sched_account *account)
{
	char head[48];
	const char *separator = ", waited: ";
	snprintf(head, sizeof(head), "thread %" PRIu32 "%s%s", account->thread, account->name[0] ? " " : "",
	         account->name);
	fprintf(to, "%-15s %" PRIu64 " decisions, %" PRIu64 " switches, ran ", head, account->points,
	        account->switches);
	write_seconds(to, account->ran_ns);
	for (unsigned cause = 0; cause < SCHED_CAUSES; cause++) {
		if (!account->blocked_ns[cause])
			continue;
		fprintf(to, "%s%s ", separator, cause_names[cause]);
		write_seconds(to, account->blocked_ns[cause]);
		separator = ", ";
	}
	fprintf(to, "%s\n", account->ended ? ", ended" : "");
}

void summary_threads_text(FILE *to, const struct run_config *config, const struct run_result *result)
{
	char description[DESCRIPTION_BYTES], preempt[PREEMPT_TEXT], from[FROM_TEXT];
	uint64_t first, without = left_out(result, &first);
	sched_option_describe(&config->sched.boot, description, sizeof(description));
	fprintf(to, "scheduling      %s, seed 0x%" PRIx64 ", %" PRIu64 " decisions\n", description,
	        config->sched.boot.seed, schedule_window_decisions(&result->sched));
	from_option_describe(&config->sched.from, from);
	if (config->sched.from.kind != SCHED_FROM_START)
		fprintf(to, "policy from     %s\n", from);
	preempt_option_describe(&config->sched.points, preempt);
	if (*preempt)
		fprintf(to, "preemption      %s\n", preempt);
	if (config->sched.points.ticks)
		fprintf(to, "clock           work\n");
	if (result->unused_files)
		fprintf(to, "not used        %" PRIu64 " of %" PRIu64 " file%s in the list of --preempt\n",
		        result->unused_files, result->listed_files, result->listed_files == 1 ? "" : "s");
	if (result->without_accounts) {
		fprintf(to, "threads         unknown: the run was stopped while the kernel was at work\n");
		return;
	}
	for (unsigned i = 0; i < result->account_count; i++)
		write_thread(to, &result->accounts[i]);
	if (without)
		fprintf(to, "threads         %" PRIu64 " to %" PRIu64 " are left out\n", first, first + without - 1);
}

static void add_thread(cJSON *threads, const struct sched_account *account)
{
	cJSON *thread = cjson.CreateObject();
	cjson.AddItemToArray(threads, thread);
	cjson.AddNumberToObject(thread, "thread", account->thread);
	if (account->name[0])
		cjson.AddStringToObject(thread, "name", account->name);
	cjson.AddBoolToObject(thread, "ended", account->ended != 0);
	cjson.AddNumberToObject(thread, "decisions", (double)account->points);
	cjson.AddNumberToObject(thread, "switches", (double)account->switches);
	cjson.AddNumberToObject(thread, "ran_ns", (double)account->ran_ns);
	cJSON *waited = cjson.AddObjectToObject(thread, "waited_ns");
	for (unsigned cause = 0; cause < SCHED_CAUSES; cause++)
		if (account->blocked_ns[cause])
			cjson.AddNumberToObject(waited, cause_names[cause], (double)account->blocked_ns[cause]);
}

void summary_threads_json(cJSON *json, const struct run_config *config, const struct run_result *result)
{
	char text[DESCRIPTION_BYTES];
	uint64_t first, without = left_out(result, &first);
	const struct boot_sched *boot = &config->sched.boot;
	cJSON *sched = cjson.AddObjectToObject(json, "sched");
	cjson.AddStringToObject(sched, "policy", sched_option_policy_name(boot->policy));
	sched_option_describe(boot, text, sizeof(text));
	cjson.AddStringToObject(sched, "option", text);
	snprintf(text, sizeof(text), "0x%" PRIx64, boot->seed);
	cjson.AddStringToObject(sched, "seed", text);
	from_option_describe(&config->sched.from, text);
	if (config->sched.from.kind != SCHED_FROM_START)
		cjson.AddStringToObject(sched, "from", text);
	preempt_option_describe(&config->sched.points, text);
	if (*text)
		cjson.AddStringToObject(sched, "preempt", text);
	if (result->listed_files) {
		cJSON *files = cjson.AddObjectToObject(sched, "preempt_files");
		cjson.AddNumberToObject(files, "listed", (double)result->listed_files);
		cjson.AddNumberToObject(files, "unused", (double)result->unused_files);
	}
	cjson.AddNumberToObject(sched, "decisions", (double)schedule_window_decisions(&result->sched));
	if (result->without_accounts) {
		cjson.AddNullToObject(json, "threads");
		return;
	}
	cJSON *threads = cjson.AddArrayToObject(json, "threads");
	for (unsigned i = 0; i < result->account_count; i++)
		add_thread(threads, &result->accounts[i]);
	if (!without)
		return;
	cJSON *range = cjson.AddObjectToObject(sched, "threads_left_out");
	cjson.AddNumberToObject(range, "first", (double)first);
	cjson.AddNumberToObject(range, "last", (double)(first + without - 1));
}
