/* SPDX-License-Identifier: MIT */
/* More work, of the kinds that programs consist of: sorting, a tree on the heap, text, and packing of repetitions. What
 * ticks cost, and how near virtual time comes to real time, is measured with it. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RECORDS 20000
#define NODES 20000
#define TEXT 100000
#define WINDOW_BITS 12

static uint64_t state;

/* xorshift64 (Marsaglia 2003). */
static uint32_t number(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 20);
}

struct record {
	uint32_t key, value;
};

static int by_key(const void *left, const void *right)
{
	const struct record *a = left, *b = right;
	return a->key < b->key ? -1 : a->key > b->key;
}

static unsigned long sort(void)
{
	static struct record records[RECORDS];
	for (uint32_t i = 0; i < RECORDS; i++)
		records[i] = (struct record){number(), i};
	qsort(records, RECORDS, sizeof(records[0]), by_key);
	return records[RECORDS / 2].value;
}

struct node {
	uint32_t key, count;
	struct node *less, *more;
};

static void insert(struct node **at, uint32_t key)
{
	while (*at && (*at)->key != key)
		at = key < (*at)->key ? &(*at)->less : &(*at)->more;
	if (!*at) {
		*at = calloc(1, sizeof(**at));
		(*at)->key = key;
	}
	(*at)->count++;
}

static unsigned long fell(struct node *node)
{
	if (!node)
		return 0;
	unsigned long sum = node->count + fell(node->less) + 3 * fell(node->more);
	free(node);
	return sum;
}

static unsigned long tree(void)
{
	struct node *root = NULL;
	for (int i = 0; i < NODES; i++)
		insert(&root, number() % NODES);
	return fell(root);
}

static void write_text(char *text)
{
	static const char *const words[] = {"a",    "thread", "runs",  "until", "it",   "blocks", "or",  "yields",
	                                    "then", "the",    "other", "goes",  "on",   "and",    "so",  "forth",
	                                    "time", "is",     "work",  "done",  "here", "3.25",   "-17", "1e6"};
	size_t at = 0;
	while (at < TEXT - 16) {
		const char *word = words[number() % (sizeof(words) / sizeof(words[0]))];
		strcpy(text + at, word);
		at += strlen(word);
		text[at++] = number() % 8 ? ' ' : '\n';
	}
	text[at] = 0;
}

/* Lines and words are taken apart, numbers read, and a report is printed. */
static unsigned long text(void)
{
	static char from[TEXT], line[256];
	unsigned long sum = 0;
	write_text(from);
	for (char *save, *at = strtok_r(from, "\n", &save); at; at = strtok_r(NULL, "\n", &save)) {
		char *word_save;
		for (char *word = strtok_r(at, " ", &word_save); word; word = strtok_r(NULL, " ", &word_save)) {
			char *end;
			double value = strtod(word, &end);
			if (!*end)
				sum += (unsigned long)snprintf(line, sizeof(line), "%.3f %d", value, (int)value);
			else if (strstr(word, "th") || strchr(word, 'k') || !strcmp(word, "time"))
				sum += (unsigned long)snprintf(line, sizeof(line), "%-12s|%lu", word, sum);
		}
	}
	return sum;
}

/* Repetitions are found by a hash of three bytes, as LZ77 (Ziv and Lempel 1977) programs do. */
static unsigned long pack(void)
{
	static char from[TEXT];
	static uint8_t to[2 * TEXT];
	static uint32_t last[1 << WINDOW_BITS];
	size_t size = 0, at = 0;
	memset(last, 0, sizeof(last));
	write_text(from);
	while (at + 3 < TEXT) {
		uint32_t three = (uint8_t)from[at] | (uint32_t)(uint8_t)from[at + 1] << 8 |
		                 (uint32_t)(uint8_t)from[at + 2] << 16;
		uint32_t *slot = &last[three * 2654435761U >> (32 - WINDOW_BITS)];
		size_t earlier = *slot, length = 0;
		*slot = (uint32_t)at;
		if (earlier < at)
			while (length < 255 && at + length < TEXT && from[earlier + length] == from[at + length])
				length++;
		if (length > 3) {
			to[size++] = (uint8_t)length;
			to[size++] = (uint8_t)(at - earlier);
			at += length;
		} else {
			to[size++] = (uint8_t)from[at++];
		}
	}
	return size + to[size / 2];
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	unsigned long sum = 0;
	for (unsigned long i = 0, count = strtoul(argv[2], NULL, 0); i < count; i++) {
		state = 0x9e3779b97f4a7c15 + i;
		sum += !strcmp(argv[1], "sort")   ? sort()
		       : !strcmp(argv[1], "tree") ? tree()
		       : !strcmp(argv[1], "text") ? text()
		                                  : pack();
	}
	printf("%lu\n", sum);
	return 0;
}
