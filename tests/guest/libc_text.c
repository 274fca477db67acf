/* SPDX-License-Identifier: MIT */
/* Text: strings, characters, wide characters, regular expressions, patterns, sorting and searching, options. */
#include <ctype.h>
#include <fnmatch.h>
#include <getopt.h>
#include <libgen.h>
#include <locale.h>
#include <regex.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <uchar.h>
#include <wchar.h>
#include <wctype.h>

static void strings(void)
{
	char buf[64] = "one,two,,three", *rest = buf, *part, copy[16];
	while ((part = strsep(&rest, ",")) != NULL)
		printf("[%s]", part);
	strcpy(buf, "a b  c");
	for (part = strtok_r(buf, " ", &rest); part; part = strtok_r(NULL, " ", &rest))
		printf("<%s>", part);
	printf("\n%zu %zu %zu\n", strspn("aabbc", "ab"), strcspn("hello", "lo"), strnlen("hello", 3));
	printf("%s %s %s\n", strstr("hello world", "o w"), strrchr("a/b/c", '/'), strpbrk("hello", "xl"));
	printf("%d %d %d\n", strcmp("a", "b") < 0, strcasecmp("HeLLo", "hEllO"), strncmp("abc", "abd", 2));
	printf("%s %zu\n", stpncpy(copy, "hi", 5) == copy + 2 ? copy : "?", strxfrm(NULL, "abc", 0));
	printf("%d %s\n", memcmp("a\0b", "a\0c", 3) < 0, (char *)memchr("hello", 'l', 5));
	memmove(buf, "overlap", 8);
	memmove(buf + 2, buf, 5);
	printf("%.7s %s\n", buf, strdup("copied"));
	printf("%s %s %d\n", strerror(2), strsignal(11), ffs(8));
	strcpy(buf, "/usr/lib/x.c");
	printf("%s ", basename(buf));
	printf("%s\n", dirname(buf));
	printf("%d%d%d%d %c\n", isalpha('x') != 0, isdigit('x') != 0, isspace('\t') != 0, ispunct('!') != 0,
	       toupper('q'));
}

static void wide(void)
{
	wchar_t out[32];
	char bytes[32];
	mbstate_t state = {0};
	char16_t half;
	printf("%s\n", setlocale(LC_ALL, "C.UTF-8") ? "utf-8" : "no locale");
	size_t count = mbstowcs(out, "gr\xc3\xbc\xc3\x9f \xe2\x82\xac", 32);
	printf("%zu %x %x %x\n", count, (unsigned)out[2], (unsigned)out[3], (unsigned)out[5]);
	printf("%zu %d\n", wcstombs(bytes, out, 32), strcmp(bytes, "gr\xc3\xbc\xc3\x9f \xe2\x82\xac"));
	printf("%zd %d\n", (ssize_t)mbstowcs(NULL, "\xff", 0), wcscmp(L"a", L"b") < 0);
	printf("%d %lc\n", iswalpha(L'x') != 0, towupper(L'x'));
	printf("%zu", mbrtoc16(&half, "\xf0\x9f\x98\x80", 4, &state));
	printf(" %x", half);
	printf(" %zd", (ssize_t)mbrtoc16(&half, "", 0, &state));
	printf(" %x\n", half);
	wchar_t *end;
	printf("%ld", wcstol(L"123abc", &end, 10));
	printf(" %ls\n", end);
	setlocale(LC_ALL, "C");
}

static void patterns(void)
{
	regex_t regex;
	regmatch_t match[3];
	char message[64];
	printf("%d\n", regcomp(&regex, "([a-z]+)([0-9]{2,})", REG_EXTENDED));
	printf("%d", regexec(&regex, "..abc123..", 3, match, 0));
	for (int i = 0; i < 3; i++)
		printf(" %d-%d", (int)match[i].rm_so, (int)match[i].rm_eo);
	printf("\n%d\n", regexec(&regex, "abc1", 0, NULL, 0) == REG_NOMATCH);
	regfree(&regex);
	printf("%d", regcomp(&regex, "^h.*[[:digit:]]\\{1,2\\}$", REG_ICASE));
	printf(" %d\n", regexec(&regex, "Hello 42", 0, NULL, 0));
	regfree(&regex);
	printf("%d\n", regcomp(&regex, "(", REG_EXTENDED) != 0);
	printf("%d\n", regerror(REG_EPAREN, NULL, message, sizeof(message)) > 0);
	printf("%d %d %d %d\n", fnmatch("*.c", "x.c", 0), fnmatch("[!a]*", "abc", 0) != 0,
	       fnmatch("*", ".x", FNM_PERIOD) != 0, fnmatch("a/*", "a/b/c", FNM_PATHNAME) != 0);
}

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static int depth;

static void visit(const void *node, VISIT order, int level)
{
	if (order == postorder || order == leaf)
		printf("%d ", **(int *const *)node);
	depth = level > depth ? level : depth;
}

static void searching(void)
{
	int numbers[200], key;
	unsigned seed = 7;
	for (int i = 0; i < 200; i++)
		numbers[i] = (int)((seed = seed * 1103515245 + 12345) >> 8) % 1000;
	qsort(numbers, 200, sizeof(int), compare);
	for (int i = 1; i < 200; i++)
		if (numbers[i] < numbers[i - 1])
			printf("unsorted\n");
	key = numbers[77];
	int *found = bsearch(&key, numbers, 200, sizeof(int), compare);
	printf("%d %d\n", found && *found == key, numbers[0]);
	void *root = NULL;
	static int values[] = {5, 2, 8, 1, 9, 3};
	for (int i = 0; i < 6; i++)
		tsearch(&values[i], &root, compare);
	twalk(root, visit);
	printf("%d\n", tfind(&values[2], &root, compare) != NULL);
	hcreate(32);
	hsearch((ENTRY){(char *)"key", values}, ENTER);
	ENTRY *entry = hsearch((ENTRY){(char *)"key", NULL}, FIND);
	printf("%d %d\n", entry && entry->data == values, hsearch((ENTRY){(char *)"none", NULL}, FIND) == NULL);
}

static void options(void)
{
	char *argv[] = {(char *)"prog",     (char *)"-a",   (char *)"-b", (char *)"value",
	                (char *)"--long=5", (char *)"rest", NULL};
	const struct option long_options[] = {{"long", required_argument, NULL, 'l'}, {NULL, 0, NULL, 0}};
	for (int c; (c = getopt_long(6, argv, "ab:", long_options, NULL)) != -1;)
		printf("%c %s\n", c, optarg ? optarg : "-");
	printf("%s\n", argv[optind]);
}

int main(void)
{
	strings();
	wide();
	patterns();
	searching();
	options();
	return 0;
}
