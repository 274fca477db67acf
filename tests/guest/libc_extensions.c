/* SPDX-License-Identifier: MIT */
/* Headers beyond ISO C that newlib lacks: asynchronous I/O, shared memory, messages, mounts, process names, errors. */
#include <aio.h>
#include <error.h>
#include <fcntl.h>
#include <fmtmsg.h>
#include <fnmatch.h>
#include <libintl.h>
#include <limits.h>
#include <locale.h>
#include <mntent.h>
#include <search.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <ulimit.h>
#include <unistd.h>
#include <utmpx.h>
#include <values.h>

#include "say.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* sigset is old, and still there */

static void asynchronous(void)
{
	char out[] = "asynchronous text", in[64] = "";
	int fd = open("aio", O_CREAT | O_RDWR | O_TRUNC, 0644);
	sigset_t set;
	siginfo_t info;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, NULL);
	struct aiocb put = {.aio_fildes = fd, .aio_buf = out, .aio_nbytes = sizeof(out) - 1, .aio_offset = 3};
	put.aio_sigevent = (struct sigevent){
		.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR2, .sigev_value = {.sival_int = 77}};
	SAY(aio_write(&put));
	const struct aiocb *list[] = {&put, NULL};
	while (aio_error(&put) == EINPROGRESS)
		aio_suspend(list, 2, NULL);
	SAY(aio_error(&put));
	SAY(aio_return(&put));
	sigwaitinfo(&set, &info);
	printf("%d %d %d\n", info.si_signo, info.si_code == SI_ASYNCIO, info.si_value.sival_int);
	struct aiocb get = {.aio_fildes = fd, .aio_buf = in, .aio_nbytes = 10, .aio_offset = 16};
	get.aio_sigevent.sigev_notify = SIGEV_NONE;
	get.aio_lio_opcode = LIO_READ;
	struct aiocb *requests[] = {NULL, &get};
	SAY(lio_listio(LIO_WAIT, requests, 2, NULL));
	printf("%d %s\n", (int)aio_return(&get), in);
	get.aio_fildes = 77;
	SAY(lio_listio(LIO_WAIT, requests, 2, NULL));
	SAY(aio_error(&get) == EBADF);
	SAY(aio_cancel(77, NULL));
	SAY(aio_cancel(fd, NULL));
	get.aio_fildes = fd;
	SAY(aio_fsync(O_SYNC, &get));
	while (aio_error(&get) == EINPROGRESS)
		;
	SAY(aio_return(&get));
	close(fd);
}

static void shared_memory(void)
{
	shm_unlink("/eremite-libc-test");
	SAY(shm_open("/eremite-libc-test", O_RDWR, 0));
	int fd = shm_open("/eremite-libc-test", O_RDWR | O_CREAT | O_EXCL, 0600);
	SAY(shm_open("/eremite-libc-test", O_RDWR | O_CREAT | O_EXCL, 0600));
	SAY(ftruncate(fd, 8192));
	char *one = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	char *two = mmap(NULL, 8192, PROT_READ, MAP_SHARED, fd, 0);
	strcpy(one + 5000, "seen twice");
	puts(two + 5000);
	close(fd);
	SAY(shm_unlink("/eremite-libc-test"));
	SAY(shm_unlink("/eremite-libc-test"));
	SAY(shm_open("a/b", O_RDWR | O_CREAT, 0600));
	SAY(shm_open("/", O_RDWR | O_CREAT, 0600));
	SAY_TRUE(ftok(".", 7) != -1 && ftok(".", 7) == ftok(".", 7) && ftok(".", 7) != ftok(".", 8));
	SAY(ftok("missing", 1));
}

static void messages(void)
{
	puts(gettext("as it is"));
	printf("%s %s\n", ngettext("one", "many", 1), ngettext("one", "many", 2));
	printf("%s %s %s\n", dgettext("d", "domain"), dcgettext("d", "category", LC_MESSAGES),
	       dngettext("d", "1", "n", 0));
	printf("%s\n", textdomain(NULL));
	printf("%s %s\n", textdomain("program"), textdomain(NULL));
	printf("%s", bindtextdomain("program", "/usr/x/locale"));
	printf(" %s\n", bindtextdomain("program", NULL));
	printf("%s\n", bind_textdomain_codeset("program", "UTF-8"));
	SAY(fmtmsg(MM_PRINT, "app:part", MM_ERROR, "the text", "do this", "app:part:001"));
	SAY(fmtmsg(MM_PRINT, "app:part", MM_NOSEV, "the text", MM_NULLACT, MM_NULLTAG));
	SAY(fmtmsg(MM_PRINT, MM_NULLLBL, MM_HALT, MM_NULLTXT, "do this", MM_NULLTAG));
	SAY(fmtmsg(MM_PRINT, "too-long-a-label:part", MM_ERROR, "x", "y", "z"));
}

static void say_name(void)
{
	fprintf(stderr, "<name>");
}

static void errors(void)
{
	error_print_progname = say_name;
	error(0, ENOENT, "message %d", 1);
	error_at_line(0, 0, "file.c", 12, "at a line");
	error_one_per_line = 1;
	error_at_line(0, EPERM, "file.c", 13, "once");
	error_at_line(0, EPERM, "file.c", 13, "not twice");
	error_at_line(0, 0, "other.c", 13, "in another file");
	printf("%u\n", error_message_count);
}

static void mounts(void)
{
	FILE *file = fopen("mounts", "w");
	fputs("# a comment\n\n/dev/a /mnt/with\\040blank ext4 rw,noatime,size=5 1 2\n  none\t/proc proc defaults\n",
	      file);
	fclose(file);
	file = setmntent("mounts", "r");
	for (struct mntent *m; (m = getmntent(file)) != NULL;) {
		printf("<%s> <%s> <%s> <%s> %d %d", m->mnt_fsname, m->mnt_dir, m->mnt_type, m->mnt_opts, m->mnt_freq,
		       m->mnt_passno);
		printf(" %s %d\n", hasmntopt(m, "size") ? hasmntopt(m, "size") : "-", hasmntopt(m, "noat") != NULL);
	}
	SAY(endmntent(file));
}

static void patterns(void)
{
	static const char *const tests[][2] = {
		{"*.c", "a.c"},
		{"*.c", ".c"},
		{"[[:upper:]]*", "Abc"},
		{"[[:upper:]]*", "abc"},
		{"[![:digit:]]", "x"},
		{"[[:alpha:]-z]", "-"},
		{"[a-c]", "b"},
		{"[]x]", "]"},
		{"[", "["},
		{"[a", "[a"},
		{"a[", "a["},
		{"\\*", "*"},
		{"\\", "\\"},
		{"a*b*c", "aXbYbZc"},
		{"a*b*c", "aXbYbZ"},
		{"*/b", "a/b"},
		{"a/*", "a/b/c"},
		{"*", ".x"},
		{"?x", ".x"},
		{"a/*", "a/.x"},
		{"[.]x", ".x"},
		{"**", ""},
		{"", ""},
		{"?", ""},
		{"ABC", "abc"},
		{"[A-C]x", "bX"},
		{"a", "a/b"},
		{"*", "a/b"},
		{"[[.-.]a]", "-"},
		{"[[=a=]b]", "a"},
		{"[a-]", "-"},
		{"[\\]]", "]"},
		{"[[:bad:]]", "b"},
		{"[!a-c]", "d"},
		{"[^a-c]", "a"},
		{"*a*a*a*a*b", "aaaaaaaaaaaaaa"},
		{"a[/]b", "a/b"},
		{"[[:space:][:digit:]]", "5"},
		{"x*", "x"},
		{"*x", "xyx"},
	};
	static const int flags[] = {
		0, FNM_PATHNAME, FNM_PERIOD, FNM_PATHNAME | FNM_PERIOD, FNM_NOESCAPE, FNM_CASEFOLD, FNM_LEADING_DIR};
	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		printf("%s %s:", tests[i][0], tests[i][1]);
		for (size_t f = 0; f < sizeof(flags) / sizeof(flags[0]); f++)
			printf(" %d", fnmatch(tests[i][0], tests[i][1], flags[f]));
		printf("\n");
	}
	setlocale(LC_ALL, "C.UTF-8");
	printf("%d %d %d\n", fnmatch("gr?n", "gr\xc3\xbcn", 0), fnmatch("[\xc3\xa4\xc3\xbc]", "\xc3\xbc", 0),
	       fnmatch("?", "\xff", 0));
	setlocale(LC_ALL, "C");
}

static void handler(int sig)
{
	printf("handler %d\n", sig == SIGUSR1);
}

static void process(void)
{
	char name[16] = "";
	SAY(prctl(PR_SET_NAME, "a-name-that-is-too-long"));
	SAY(prctl(PR_GET_NAME, name));
	puts(name);
	SAY(ulimit(UL_SETFSIZE, 1000L));
	SAY(ulimit(UL_GETFSIZE));
	SAY_TRUE(getutxent() == NULL);
	SAY_TRUE(EX_USAGE == 64 && MAXINT == INT_MAX);
	SAY_TRUE(sigset(SIGUSR1, handler) == SIG_DFL);
	raise(SIGUSR1);
	SAY_TRUE(sigset(SIGUSR1, SIG_HOLD) == handler);
	raise(SIGUSR1);
	SAY_TRUE(sigset(SIGUSR1, handler) == SIG_HOLD);
	SAY(grantpt(0));
	SAY_TRUE(ptsname(77) == NULL);
}

static void descriptors(void)
{
	char text[32] = "";
	off_t offset = 4;
	int in = open("source", O_CREAT | O_RDWR | O_TRUNC, 0644),
	    out = open("target", O_CREAT | O_RDWR | O_TRUNC, 0644);
	dprintf(in, "text to be sent");
	SAY(sendfile(out, in, &offset, 5));
	SAY(offset);
	lseek(in, 0, SEEK_SET);
	SAY(sendfile(out, in, NULL, 100));
	SAY(pread(out, text, 31, 0));
	puts(text);
	SAY(sendfile(out, 77, NULL, 1));
	int high = dup2(in, 40);
	SAY(close_range((unsigned)high, 41, 0));
	SAY(fcntl(high, F_GETFD));
	SAY(close_range(5, 4, 0));
	closefrom(30);
	SAY(close(in));
}

int main(void)
{
	setvbuf(stdout, NULL, _IONBF, 0);
	dup2(1, 2); /* the messages are compared, too */
	asynchronous();
	shared_memory();
	messages();
	errors();
	mounts();
	patterns();
	descriptors();
	process();
	return 0;
}
