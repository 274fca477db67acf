/* SPDX-License-Identifier: MIT */
/* memfd_create(2) with seals, and inotify(7) while nothing happens. */
#include <fcntl.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/guest/say.h"

static void *map(int fd, int prot, int flags)
{
	void *at = mmap(NULL, 4096, prot, flags, fd, 0);
	printf("map %d %d: %s\n", prot, flags, at == MAP_FAILED ? errno_name(errno) : "ok");
	return at;
}

static void plain(void)
{
	char long_name[300], buf[16] = "";
	struct stat st;
	memset(long_name, 'x', sizeof(long_name));
	long_name[249] = 0;
	SAY(memfd_create("name", 0x800));
	SAY(memfd_create((void *)8, 0));
	SAY(close(memfd_create(long_name, 0)));
	long_name[249] = 'x';
	long_name[250] = 0;
	SAY(memfd_create(long_name, 0));
	int fd = memfd_create("", MFD_CLOEXEC);
	SAY(fcntl(fd, F_GETFD));
	SAY(fcntl(fd, F_GETFL));
	SAY(fcntl(fd, F_GET_SEALS));
	SAY(fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE));
	SAY(write(fd, "hello", 5));
	SAY(lseek(fd, 0, SEEK_END));
	SAY(pread(fd, buf, 16, 1));
	SAY(ftruncate(fd, 10000));
	fstat(fd, &st);
	printf("mode %o, %ld bytes, %lu links, %s\n", st.st_mode, st.st_size, (long)st.st_nlink, buf);
	char *at = map(fd, PROT_READ | PROT_WRITE, MAP_SHARED);
	at[0] = 'J';
	SAY(pread(fd, buf, 5, 0));
	printf("%.5s\n", buf);
	SAY(fsync(fd));
	close(fd);
	munmap(at, 4096);
}

/* What /proc knows such a file by. */
static void names(void)
{
	static const char *const given[] = {"name", "", "a name/with all", "(deleted)"};
	char path[40], text[300], line[400];
	for (size_t i = 0; i < sizeof(given) / sizeof(*given); i++) {
		int fd = memfd_create(given[i], 0);
		ftruncate(fd, 4096);
		sprintf(path, "/proc/self/fd/%d", fd);
		ssize_t length = readlink(path, text, sizeof(text) - 1);
		text[length < 0 ? 0 : length] = 0;
		void *at = map(fd, PROT_READ, MAP_SHARED);
		int found = 0;
		FILE *maps = fopen("/proc/self/maps", "r");
		while (maps && fgets(line, sizeof(line), maps))
			found += strstr(line, text) != NULL;
		fclose(maps);
		printf("%s: %s, mapped %d\n", given[i], text, found);
		munmap(at, 4096);
		close(fd);
	}
}

static void seals(void)
{
	int fd = memfd_create("sealed", MFD_ALLOW_SEALING);
	SAY(fcntl(fd, F_GET_SEALS));
	SAY(ftruncate(fd, 8192));
	SAY(fcntl(fd, F_ADD_SEALS, 0x100));
	SAY(fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK));
	SAY(ftruncate(fd, 4096));
	SAY(ftruncate(fd, 10000));
	SAY(fcntl(fd, F_ADD_SEALS, F_SEAL_GROW));
	SAY(fcntl(fd, F_GET_SEALS));
	SAY(ftruncate(fd, 20000));
	SAY(ftruncate(fd, 10000));
	SAY(pwrite(fd, "x", 1, 9999));
	SAY(pwrite(fd, "x", 1, 10000));
	SAY(fallocate(fd, 0, 0, 20000));
	SAY(fallocate(fd, 0, 0, 10000));
	void *at = map(fd, PROT_READ | PROT_WRITE, MAP_SHARED);
	SAY(fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE));
	munmap(at, 4096);
	SAY(fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE));
	SAY(write(fd, "x", 1));
	SAY(write(fd, "x", 0));
	SAY(fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4096));
	map(fd, PROT_READ | PROT_WRITE, MAP_SHARED);
	map(fd, PROT_READ | PROT_WRITE, MAP_PRIVATE);
	at = map(fd, PROT_READ, MAP_SHARED);
	SAY(mprotect(at, 4096, PROT_READ | PROT_WRITE));
	SAY(fcntl(fd, F_ADD_SEALS, F_SEAL_SEAL));
	SAY(fcntl(fd, F_ADD_SEALS, F_SEAL_GROW));
	SAY(fcntl(fd, F_GET_SEALS));
	close(fd);
	fd = memfd_create("future", MFD_ALLOW_SEALING);
	ftruncate(fd, 4096);
	char *kept = map(fd, PROT_READ | PROT_WRITE, MAP_SHARED);
	SAY(fcntl(fd, F_ADD_SEALS, F_SEAL_FUTURE_WRITE));
	kept[0] = 1;
	SAY(write(fd, "x", 1));
	map(fd, PROT_READ | PROT_WRITE, MAP_SHARED);
	close(fd);
}

static void inotify(void)
{
	char buf[64];
	SAY(inotify_init1(1));
	int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	struct pollfd pollfd = {fd, POLLIN | POLLOUT, 0};
	SAY(fcntl(fd, F_GETFL));
	SAY(fcntl(fd, F_GETFD));
	SAY(inotify_add_watch(fd, "nothing", IN_CREATE));
	SAY(inotify_add_watch(fd, "/", 0));
	SAY(inotify_add_watch(0, "/", IN_CREATE));
	SAY(inotify_add_watch(99, "/", IN_CREATE));
	close(open("file", O_CREAT | O_WRONLY, 0600));
	SAY(inotify_add_watch(fd, "file", IN_CREATE | IN_ONLYDIR));
	SAY(inotify_add_watch(fd, "file", IN_DELETE_SELF));
	SAY(inotify_add_watch(fd, "/", IN_CREATE));
	SAY(inotify_add_watch(fd, "file", IN_DELETE_SELF));
	SAY(inotify_add_watch(fd, "file", IN_DELETE_SELF | IN_MASK_CREATE));
	SAY(inotify_rm_watch(fd, 77));
	SAY(inotify_rm_watch(0, 1));
	SAY(read(fd, buf, sizeof(buf)));
	SAY(poll(&pollfd, 1, 10));
	SAY(inotify_rm_watch(fd, 1));
	close(fd);
	unlink("file");
}

int main(void)
{
	plain();
	seals();
	names();
	inotify();
	return 0;
}
