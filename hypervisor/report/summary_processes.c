/* SPDX-License-Identifier: MIT */
/* The guest wrote the numbers; they are added up as they are. */
#include "report/summary_processes.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "abi/sched_account.h"

/** What the threads of a process did. */
struct process_sum {
	uint32_t process; /**< its number, that of its first thread */
	char name[16];    /**< of that thread, or of the first one that has a name */
	uint64_t ran_ns;
	unsigned threads, ended;
};

/* The sum of a process, which is new if its number is. Numbers mostly ascend, so the search begins at the end. */
static struct process_sum *find_sum(struct process_sum *sums, unsigned *count, uint32_t process)
{
	for (unsigned i = *count; i--;)
		if (sums[i].process == process)
			return &sums[i];
	struct process_sum *sum = &sums[(*count)++];
	*sum = (struct process_sum){.process = process};
	return sum;
}

/* Adds the accounts of threads up by process, in the order of their first threads. Returns the number of processes; 0:
 * the guest's kernel does not tell them. */
static unsigned add_up(const struct run_result *result, struct process_sum sums[SCHED_ACCOUNTS])
{
	unsigned count = 0;
	for (unsigned i = 0; i < result->account_count && i < SCHED_ACCOUNTS; i++) {
		const struct sched_account *account = &result->accounts[i];
		const struct sched_account_process *of = &result->account_processes[i];
		if (!of->process)
			return 0;
		struct process_sum *sum = find_sum(sums, &count, of->process);
		if (!sum->name[0])
			memcpy(sum->name, of->name, sizeof(sum->name));
		sum->ran_ns += account->ran_ns;
		sum->threads++;
		sum->ended += account->ended != 0;
	}
	return count;
}

void summary_processes_text(FILE *to, const struct run_result *result)
{
	static struct process_sum sums[SCHED_ACCOUNTS];
	const unsigned count = add_up(result, sums);
	for (unsigned i = 0; count > 1 && i < count; i++) {
		char head[48];
		snprintf(head, sizeof(head), "process %" PRIu32 "%s%s", sums[i].process, sums[i].name[0] ? " " : "",
		         sums[i].name);
		fprintf(to, "%-15s ran %" PRIu64 ".%09" PRIu64 " s in %u thread%s%s\n", head,
		        sums[i].ran_ns / 1000000000, sums[i].ran_ns % 1000000000, sums[i].threads,
		        sums[i].threads == 1 ? "" : "s", sums[i].ended == sums[i].threads ? ", ended" : "");
	}
}

void summary_processes_json(cJSON *json, const struct run_result *result)
{
	static struct process_sum sums[SCHED_ACCOUNTS];
	const unsigned count = add_up(result, sums);
	cJSON *array = count ? cjson.AddArrayToObject(json, "processes") : NULL;
	for (unsigned i = 0; i < count; i++) {
		cJSON *process = cjson.CreateObject();
		cjson.AddItemToArray(array, process);
		cjson.AddNumberToObject(process, "process", sums[i].process);
		if (sums[i].name[0])
			cjson.AddStringToObject(process, "name", sums[i].name);
		cjson.AddBoolToObject(process, "ended", sums[i].ended == sums[i].threads);
		cjson.AddNumberToObject(process, "threads", sums[i].threads);
		cjson.AddNumberToObject(process, "ran_ns", (double)sums[i].ran_ns);
	}
}
