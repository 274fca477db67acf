/* SPDX-License-Identifier: MIT */
/* Files that list mounts, a line each (getmntent(3)). */
#include <mntent.h>
#include <stdlib.h>
#include <string.h>

FILE *setmntent(const char *path, const char *mode)
{
	return fopen(path, mode);
}

int endmntent(FILE *stream)
{
	if (stream)
		fclose(stream);
	return 1;
}

static int octal(const char *at)
{
	for (int i = 0; i < 3; i++)
		if (at[i] < '0' || at[i] > '7')
			return -1;
	return (at[0] - '0') * 64 + (at[1] - '0') * 8 + at[2] - '0';
}

/* Takes the next field of a line. Blanks in a field are written as octal escapes such as \040. */
static char *next_field(char **rest)
{
	char *field = *rest + strspn(*rest, " \t"), *to = field;
	char *end = field + strcspn(field, " \t");
	*rest = *end ? end + 1 : end;
	*end = 0;
	for (const char *from = field; *from; to++) {
		int code = *from == '\\' ? octal(from + 1) : -1;
		*to = code < 0 ? *from : (char)code;
		from += code < 0 ? 1 : 4;
	}
	*to = 0;
	return field;
}

struct mntent *getmntent_r(FILE *restrict stream, struct mntent *restrict entry, char *restrict buf, int size)
{
	char *rest;
	do {
		if (!fgets(buf, size, stream))
			return NULL;
		if (!strchr(buf, '\n'))
			for (int c; (c = getc(stream)) != EOF && c != '\n';)
				;
		buf[strcspn(buf, "\n")] = 0;
		rest = buf + strspn(buf, " \t");
	} while (!*rest || *rest == '#');
	entry->mnt_fsname = next_field(&rest);
	entry->mnt_dir = next_field(&rest);
	entry->mnt_type = next_field(&rest);
	entry->mnt_opts = next_field(&rest);
	entry->mnt_freq = atoi(next_field(&rest));
	entry->mnt_passno = atoi(next_field(&rest));
	return entry;
}

struct mntent *getmntent(FILE *stream)
{
	static struct mntent entry;
	static char line[4096];
	return getmntent_r(stream, &entry, line, sizeof(line));
}

char *hasmntopt(const struct mntent *entry, const char *option)
{
	size_t length = strlen(option);
	for (char *at = entry->mnt_opts; at && *at; at = strchr(at, ','), at += at != NULL)
		if (!strncmp(at, option, length) && (!at[length] || at[length] == ',' || at[length] == '='))
			return at;
	return NULL;
}
