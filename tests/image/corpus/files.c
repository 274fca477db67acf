/* SPDX-License-Identifier: MIT */
/* Files in memory and in /out, the clock, random numbers, the environment and standard input. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int list(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	if (!dir)
		return 1;
	while ((entry = readdir(dir)))
		printf("%s/%s\n", path, entry->d_name);
	return closedir(dir);
}

static int copy_input(const char *path)
{
	char line[100];
	FILE *to = fopen(path, "w");
	if (!to)
		return 1;
	while (fgets(line, sizeof(line), stdin))
		fputs(line, to);
	return fclose(to);
}

int main(void)
{
	unsigned char bytes[8];
	struct timespec now;
	struct stat st;
	if (mkdir("/tmp/a", 0755) || copy_input("/tmp/a/input") || rename("/tmp/a/input", "/tmp/a/renamed") ||
	    symlink("renamed", "/tmp/a/link") || stat("/tmp/a/link", &st) || list("/tmp/a"))
		return 1;
	if (mkdir("/out/results", 0755) || copy_input("/out/results/empty"))
		return 1;
	if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes) || clock_gettime(CLOCK_REALTIME, &now))
		return 1;
	printf("%ld bytes, time %lld.%09ld, home %s, random", (long)st.st_size, (long long)now.tv_sec, now.tv_nsec,
	       getenv("HOME"));
	for (unsigned i = 0; i < sizeof(bytes); i++)
		printf(" %02x", bytes[i]);
	printf("\n");
	FILE *to = fopen("/out/results/random", "w");
	if (!to || fwrite(bytes, 1, sizeof(bytes), to) != sizeof(bytes))
		return 1;
	return fclose(to);
}
