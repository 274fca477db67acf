/* SPDX-License-Identifier: MIT */
/* regcomp and regexec: patterns by texts, basic and extended, without case and by lines; every group's place. */
#include <regex.h>
#include <stdio.h>

static const char *const patterns[] = {"a",
                                       "a*",
                                       "a+",
                                       "a?",
                                       "ab|cd",
                                       "(a|b)*c",
                                       "^a$",
                                       "^",
                                       "$",
                                       "[abc]",
                                       "[^abc]",
                                       "[a-z]+",
                                       "[[:digit:]]+",
                                       "[[:alpha:]_][[:alnum:]_]*",
                                       "a{2}",
                                       "a{2,}",
                                       "a{2,3}",
                                       "a{,3}",
                                       "(ab){2}",
                                       "(a|ab)(c|bcd)",
                                       "x*y*",
                                       "\\.",
                                       "\\(a\\)",
                                       "(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)",
                                       "()",
                                       "*a",
                                       "+a",
                                       "?a",
                                       "{1}a",
                                       "[]a]",
                                       "[^]a]",
                                       "[a-]",
                                       "[-a]",
                                       "[z-a]",
                                       "[[:foo:]]",
                                       "(",
                                       "(a",
                                       "a{1",
                                       "a{1,",
                                       "a{2,1}",
                                       "\\",
                                       "[[.a.]]",
                                       "[[=a=]]",
                                       "\\<a",
                                       "a\\>",
                                       "\\w+",

                                       "\\s",
                                       "\\S+",
                                       "a.c",
                                       "^b",
                                       "a$",
                                       "(^a)",
                                       "(a$)",
                                       "a^b",
                                       "a$b",
                                       "(^|x)a",
                                       "x(a|^)",
                                       "(a+|b+)*c",
                                       "[0-9]{3}-[0-9]{4}",
                                       "([0-9]+)\\.([0-9]+)",
                                       "^([^:]*):([^:]*):?",
                                       "\\$",
                                       "[.]",
                                       "[\\]",
                                       "\\/",
                                       "(a|b|c|d)+",
                                       "[A-Z][a-z]*",
                                       "[[:upper:]]",
                                       "[[:space:]]+",
                                       "[[:punct:]]",
                                       "(a)|(b)",
                                       "(a)|b",
                                       "x?x?x?xxx",
                                       ".*foo.*",
                                       "^.*$",
                                       "\\n",
                                       "a\\{2\\}",
                                       "[a\\]]",
                                       "(?:a)",
                                       "a{0,0}b",
                                       "(a{0}b)",
                                       "(){2}",
                                       "(a?){3}",
                                       "[[:alpha:][:digit:]]",
                                       "[a-c-e]",
                                       "[%--]",
                                       "(((a)))",
                                       "\\(",
                                       "^*a",
                                       "(*a)",
                                       "a|*b",
                                       "\\?",
                                       "\\+",
                                       "\\{",
                                       "\\(a\\)\\(b\\)",
                                       "a\\+",
                                       "a\\?",
                                       "\\(\\)",
                                       "\\(^a\\)",
                                       "\\(a$\\)",
                                       "a*\\{2\\}",
                                       "*",
                                       "\\(*a\\)",
                                       "^*",
                                       "x\\{1,\\}",
                                       "\\{1\\}",
                                       "[[:alpha:]",
                                       "[[.-.]]",
                                       "a{3}b|c",
                                       "(a{1,3}){2}",
                                       "[\\w]",
                                       "\\w\\+@\\w\\+",
                                       "\\+a",
                                       "\\(\\+a\\)",
                                       "a\\{,2\\}b",
                                       "(\\w+) (\\w+)",
                                       "^\\s*$",
                                       "[[:alpha:]\\]+\\w",
                                       "\\<foo\\>",
                                       "a{,2}b"};

static const char *const texts[] = {"",     "a",    "b",       "ab",         "abc",  "aab",      "aaa",  "aaaa",
                                    "abcd", "cd",   "foo bar", "foobar",     "x.y",  "123-4567", "3.14", "root:x:0",
                                    "a\nb", "A1_b", "abab",    "xx",         "xyy",  "a]",       "a-b",  "$5",
                                    "a\\b", "((",   "a^b",     "abcdefghij", "{1}a", "*a",       "+a",   "a||b"};

static void show(const char *pattern, int flags)
{
	regex_t compiled;
	regmatch_t match[10];
	int result = regcomp(&compiled, pattern, flags);
	printf("%s: %d", pattern, result);
	if (result == 0) {
		printf(" %zu", compiled.re_nsub);
		for (size_t t = 0; t < sizeof(texts) / sizeof(texts[0]); t++) {
			result = regexec(&compiled, texts[t], 10, match, 0);
			printf(" |");
			for (size_t i = 0; result == 0 && i <= compiled.re_nsub && i < 10; i++)
				printf(" %d,%d", (int)match[i].rm_so, (int)match[i].rm_eo);
		}
		regfree(&compiled);
	}
	printf("\n");
}

int main(void)
{
	static const int flags[] = {0, REG_ICASE, REG_NEWLINE};
	for (size_t p = 0; p < sizeof(patterns) / sizeof(patterns[0]); p++)
		for (int f = 0; f < 3; f++) {
			show(patterns[p], flags[f]);
			show(patterns[p], flags[f] | REG_EXTENDED);
		}
	return 0;
}
