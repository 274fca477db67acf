/* SPDX-License-Identifier: MIT */
/* chroot(2): names, "..", links, the working directory, other processes. */
/* natively: root */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/guest/say.h"

static void show_directory(const char *what)
{
	char path[4096] = "";
	long length = getcwd(path, sizeof(path)) ? (long)strlen(path) : -1;
	printf("%s: %s%s\n", what, length < 0 ? errno_name(errno) : "", path[0] == '(' ? "unreachable" : path);
}

static void show_file(const char *path)
{
	char text[32] = "";
	int fd = open(path, O_RDONLY);
	if (fd >= 0 && read(fd, text, sizeof(text) - 1) < 0)
		text[0] = 0;
	printf("%s: %s\n", path, fd < 0 ? errno_name(errno) : text);
	close(fd);
}

static void make_file(const char *path, const char *text)
{
	int fd = open(path, O_CREAT | O_WRONLY, 0644);
	if (write(fd, text, strlen(text)) < 0)
		perror(path);
	close(fd);
}

static void make_tree(void)
{
	char base[] = "/tmp/chroot.XXXXXX";
	if (!mkdtemp(base) || chmod(base, 0755) || chdir(base))
		exit(1);
	mkdir("root", 0755);
	mkdir("root/in", 0755);
	make_file("file", "outside");
	make_file("root/file", "inside");
	make_file("root/in/file", "deep");
	if (symlink("/file", "root/in/link") || symlink("../../../file", "root/in/up"))
		exit(1);
}

static void remove_tree(void)
{
	static const char *const names[] = {"root/in/up", "root/in/link", "root/in/file", "root/file", "file"};
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		unlink(names[i]);
	rmdir("root/in");
	rmdir("root");
	char path[4096];
	if (getcwd(path, sizeof(path)))
		rmdir(path);
}

static void use_root(void)
{
	int outside = open(".", O_RDONLY);
	SAY(chroot("file"));
	SAY(chroot("absent"));
	SAY(chroot("root"));
	show_directory("still here");
	show_file("file");
	show_file("/file");
	show_file("/../file");
	show_file("/in/link");
	show_file("/in/up");
	SAY(chdir("/in"));
	show_directory("below");
	show_file("../../../../file");
	pid_t child = fork();
	if (!child) {
		show_file("/in/file");
		SAY(chroot("/in"));
		show_file("/file");
		show_file("/in/file");
		SAY(chdir("/"));
		show_directory("child");
		fflush(stdout);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	show_file("/in/file");
	SAY(fchdir(outside)); /* a way out, as on Linux */
	show_file("file");
	SAY(chroot("."));
	show_file("/file");
	SAY(access("/root", F_OK));
	SAY(setuid(1));
	SAY(chroot("/"));
}

int main(void)
{
	setvbuf(stdout, NULL, _IONBF, 0);
	make_tree();
	pid_t child = fork();
	if (!child) {
		use_root();
		_exit(0);
	}
	int status;
	waitpid(child, &status, 0);
	remove_tree();
	printf("%d\n", WEXITSTATUS(status));
	return 0;
}
