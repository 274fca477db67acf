/* SPDX-License-Identifier: MIT */
/* Makes system calls of all kinds, whose arguments and results are the same everywhere, for strace/decoding. The calls
 * are between two of getpgid(4711). */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

static void use_files(void)
{
	char buffer[100];
	struct stat stat_buffer;
	struct statx statx_buffer;
	mkdir("dir", 0755);
	int fd = open("dir/file", O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0640);
	struct iovec parts[] = {{"one\n", 4}, {"\1\0022\xff tab\t\"quote\" back\\slash", 26}, {"", 0}};
	write(fd, "a text that is longer than 32 bytes, which are shown", 52);
	writev(fd, parts, 3);
	pwrite(fd, "at the end", 10, 100);
	lseek(fd, 2, SEEK_SET);
	read(fd, buffer, 5);
	pread(fd, buffer, 60, 0);
	parts[0] = (struct iovec){buffer, 3};
	parts[1] = (struct iovec){buffer + 10, 40};
	lseek(fd, -6, SEEK_END);
	readv(fd, parts, 2);
	read(fd, buffer, 10);
	fstat(fd, &stat_buffer);
	syscall(SYS_stat, "dir/file", &stat_buffer);
	syscall(SYS_lstat, "/dev/null", &stat_buffer);
	fstatat(AT_FDCWD, "/nowhere", &stat_buffer, AT_SYMLINK_NOFOLLOW);
	statx(AT_FDCWD, "/nowhere", AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS | STATX_BTIME, &statx_buffer);
	fcntl(fd, F_GETFD);
	fcntl(fd, F_SETFD, 0);
	fcntl(fd, F_GETFL);
	fcntl(fd, F_SETFL, O_RDWR | O_NONBLOCK);
	fcntl(fd, F_DUPFD_CLOEXEC, 20);
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 3, .l_len = 4};
	fcntl(fd, F_SETLK, &lock);
	lock.l_type = F_RDLCK;
	fcntl(fd, F_GETLK, &lock);
	flock(fd, LOCK_EX | LOCK_NB);
	ftruncate(fd, 7);
	truncate("dir/file", 6);
	fchmod(fd, 04711);
	chmod("dir/file", 0);
	fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, 4096);
	posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
	fsync(fd);
	dup2(fd, 30);
	dup3(fd, 31, O_CLOEXEC);
	ioctl(fd, TIOCGWINSZ, buffer);
	ioctl(fd, FIOCLEX);
	ioctl(fd, 0x12345678, 7);
	close(31);
	close(30);
	close(20);
	close(fd);
	access("dir/file", R_OK | W_OK);
	faccessat(AT_FDCWD, "dir/none", F_OK, AT_EACCESS);
	symlink("a target", "dir/link");
	readlink("dir/link", buffer, sizeof(buffer));
	readlink("dir/file", buffer, sizeof(buffer));
	rename("dir/link", "dir/other");
	syscall(SYS_renameat2, AT_FDCWD, "dir/other", AT_FDCWD, "dir/file", 1);
	link("dir/file", "dir/second");
	unlink("dir/second");
	unlinkat(AT_FDCWD, "dir", AT_REMOVEDIR);
	mkfifo("dir/fifo", 0600);
	struct timespec times[2] = {{1, 2}, {.tv_nsec = UTIME_OMIT}};
	utimensat(AT_FDCWD, "dir/file", times, AT_SYMLINK_NOFOLLOW);
	umask(027);
	umask(022);
	chdir("dir");
	chdir("..");
	open("dir/none\n", O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
	open((const char *)1, O_WRONLY);
	close(77);
	unlink("dir/file");
	unlink("dir/fifo");
	unlink("dir/other");
	rmdir("dir");
}

/* Times, owners and locks of files. */
static void use_more_of_files(void)
{
	int fd = open("file", O_RDWR | O_CREAT | O_SYNC, 0600);
	struct timespec times[2] = {{1, 0}, {2, 5}};
	struct timeval moments[2] = {{5, 6}, {7, 0}};
	struct f_owner_ex owner = {F_OWNER_PID, 1};
	utimensat(AT_FDCWD, "file", times, 0);
	times[0].tv_nsec = UTIME_NOW;
	futimens(fd, times);
	syscall(SYS_utimes, "file", moments);
	syscall(SYS_utime, "file", &(long[2]){1, 2});
	fcntl(fd, F_SETOWN_EX, &owner);
	fcntl(fd, F_GETOWN_EX, &owner);
	fcntl(77, F_SETLEASE, F_RDLCK);
	syscall(SYS_msgsnd, -1, &(struct {
			long type;
			char text[8];
		}){5, "hello"},
	        5, IPC_NOWAIT);
	semop(-1, &(struct sembuf){0, -1, SEM_UNDO}, 1);
	semctl(-1, 0, IPC_RMID);
	close(fd);
	unlink("file");
}

static void use_identity(void)
{
	int number;
	struct sched_param parameter = {0};
	struct rusage usage;
	getgroups(0, NULL);
	sched_setscheduler(0, SCHED_BATCH, &parameter);
	sched_getscheduler(0);
	prctl(PR_CAPBSET_READ, 1);
	prctl(PR_CAPBSET_READ, 60);
	prctl(PR_SET_DUMPABLE, 0);
	prctl(PR_GET_DUMPABLE);
	prctl(PR_SET_DUMPABLE, 1);
	prctl(PR_SET_KEEPCAPS, 1);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	prctl(PR_GET_CHILD_SUBREAPER, &number);
	prctl(PR_GET_PDEATHSIG, &number);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	getrusage(RUSAGE_CHILDREN, &usage);
	waitpid(-1, &number, WNOHANG | WUNTRACED);
}

static void use_memory(void)
{
	char *at =
		mmap((void *)0x10000000, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	mprotect(at, 4096, PROT_READ | PROT_EXEC);
	mprotect(at, 4096, PROT_NONE);
	madvise(at, 8192, MADV_DONTNEED);
	msync(at, 4096, MS_SYNC | MS_INVALIDATE);
	mremap(at + 4096, 4096, 8192, 0);
	munmap(at, 8192);
	mmap(NULL, 4096, PROT_READ, MAP_SHARED, 55, 4096);
	mlock((void *)0x20000000, 4096);
}

static void on_signal(int sig)
{
	(void)sig;
}

static void use_signals(void)
{
	struct sigaction action = {.sa_handler = SIG_IGN};
	sigset_t set;
	sigemptyset(&action.sa_mask);
	sigaction(SIGUSR2, &action, NULL);
	sigaction(SIGUSR2, NULL, &action);
	signal(SIGUSR1, on_signal);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGRTMIN + 2);
	sigprocmask(SIG_BLOCK, &set, NULL);
	raise(SIGUSR1);
	struct timespec none = {0, 0};
	siginfo_t info;
	sigtimedwait(&set, &info, &none);
	sigtimedwait(&set, NULL, &none);
	sigfillset(&set);
	sigprocmask(SIG_SETMASK, &set, NULL);
	sigemptyset(&set);
	sigprocmask(SIG_SETMASK, &set, NULL);
	kill(0x7ffffff, 0);
	kill(0x7ffffff, SIGTERM);
	stack_t stack = {.ss_sp = (void *)0x10000000, .ss_size = 16384};
	sigaltstack(&stack, NULL);
	stack.ss_flags = SS_DISABLE;
	sigaltstack(&stack, NULL);
}

static void on_info(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)info;
	(void)context;
}

static void on_fault(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)info;
	((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP] += 2; /* behind ud2 */
}

/* Handlers, what they interrupt, and what rt_sigreturn restores. */
static void use_handlers(void)
{
	struct sigaction action = {.sa_sigaction = on_info, .sa_flags = SA_SIGINFO | SA_RESETHAND | SA_NODEFER};
	struct itimerval soon = {.it_value = {0, 100000}};
	sigset_t set;
	int pipes[2];
	char byte;
	sigemptyset(&set);
	sigaddset(&action.sa_mask, SIGUSR2);
	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGUSR1, NULL, &action);
	raise(SIGUSR1);
	action.sa_sigaction = on_fault;
	sigaction(SIGILL, &action, NULL);
	__asm__ volatile("ud2");
	signal(SIGALRM, on_signal);
	setitimer(ITIMER_REAL, &soon, NULL);
	pause();
	setitimer(ITIMER_REAL, &soon, NULL);
	sigsuspend(&set);
	setitimer(ITIMER_REAL, &soon, NULL);
	poll(NULL, 0, -1);
	siginterrupt(SIGALRM, 1);
	pipe(pipes);
	setitimer(ITIMER_REAL, &soon, NULL);
	read(pipes[0], &byte, 1);
	sigaddset(&set, SIGRTMIN + 2);
	sigprocmask(SIG_BLOCK, &set, NULL);
	sigqueue(getpid(), SIGRTMIN + 2, (union sigval){.sival_int = 7});
	sigwaitinfo(&set, (siginfo_t[1]){});
	struct sigevent event = {.sigev_signo = SIGRTMIN + 2, .sigev_value.sival_int = 3};
	timer_t timer;
	timer_create(CLOCK_MONOTONIC, &event, &timer);
	timer_settime(timer, 0, &(struct itimerspec){.it_value = {0, 1}}, NULL);
	sigwaitinfo(&set, (siginfo_t[1]){});
	timer_delete(timer);
}

static void use_time(void)
{
	struct timespec moment = {0, 1000}, resolution;
	struct itimerval timer = {.it_value = {1000, 0}};
	nanosleep(&moment, NULL);
	clock_nanosleep(CLOCK_MONOTONIC, 0, &moment, NULL);
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &moment, NULL);
	syscall(SYS_clock_getres, CLOCK_REALTIME, &resolution);
	setitimer(ITIMER_REAL, &timer, NULL);
	timer.it_value.tv_sec = 0;
	setitimer(ITIMER_REAL, &timer, NULL);
	alarm(0);
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	struct itimerspec spec = {.it_value = {5, 6}, .it_interval = {7, 8}};
	timerfd_settime(fd, 0, &spec, NULL);
	timerfd_settime(fd, TFD_TIMER_ABSTIME, &spec, NULL);
	close(fd);
}

/* Control messages, and arrays of messages. */
static void use_messages(void)
{
	int pair[2];
	char name[110], buffer[100], control[200] = {0};
	struct iovec text = {"hello", 5}, room = {buffer, sizeof(buffer)};
	struct msghdr sent = {
		.msg_iov = &text, .msg_iovlen = 1, .msg_control = control, .msg_controllen = CMSG_SPACE(8)};
	struct msghdr got = {.msg_name = name, .msg_namelen = sizeof(name), .msg_iov = &room, .msg_iovlen = 1};
	socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair);
	*CMSG_FIRSTHDR(&sent) =
		(struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(8)};
	memcpy(CMSG_DATA(CMSG_FIRSTHDR(&sent)), pair, sizeof(pair));
	sendmsg(pair[0], &sent, MSG_NOSIGNAL);
	got.msg_control = control;
	got.msg_controllen = sizeof(control);
	recvmsg(pair[1], &got, MSG_CMSG_CLOEXEC);
	recvmsg(pair[1], &got, MSG_DONTWAIT);
	sent.msg_controllen = 0;
	struct mmsghdr all[2] = {{.msg_hdr = sent}, {.msg_hdr = sent}};
	sendmmsg(pair[0], all, 2, 0);
	all[0].msg_hdr.msg_iov = all[1].msg_hdr.msg_iov = &room;
	recvmmsg(pair[1], all, 2, MSG_DONTWAIT, NULL);
	setsockopt(pair[0], SOL_SOCKET, SO_LINGER, &(struct linger){1, 5}, sizeof(struct linger));
	close(pair[0]);
	close(pair[1]);
}

static void use_sockets(void)
{
	int pair[2], one = 1;
	char buffer[20];
	socklen_t bytes = sizeof(one);
	socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair);
	send(pair[0], "message", 7, MSG_NOSIGNAL);
	recv(pair[1], buffer, sizeof(buffer), MSG_PEEK | MSG_DONTWAIT);
	struct iovec part = {buffer, 4};
	struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
	recvmsg(pair[1], &message, 0);
	part = (struct iovec){"more", 4};
	sendmsg(pair[1], &message, MSG_NOSIGNAL);
	shutdown(pair[0], SHUT_WR);
	close(pair[0]);
	close(pair[1]);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, IPPROTO_TCP);
	struct sockaddr_in in = {
		.sin_family = AF_INET, .sin_port = htons(1), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	setsockopt(fd, SOL_TCP, TCP_NODELAY, &one, sizeof(one));
	getsockopt(fd, SOL_SOCKET, SO_TYPE, &one, &bytes);
	getsockopt(fd, SOL_SOCKET, SO_ERROR, &one, &bytes);
	in.sin_port = htons(23456);
	bind(fd, (struct sockaddr *)&in, sizeof(in));
	bytes = sizeof(in);
	getsockname(fd, (struct sockaddr *)&in, &bytes);
	listen(fd, 5);
	accept4(fd, NULL, NULL, SOCK_CLOEXEC);
	close(fd);
	fd = socket(AF_UNIX, SOCK_DGRAM, 0);
	struct sockaddr_un path = {.sun_family = AF_UNIX, .sun_path = "/nowhere/socket"};
	connect(fd, (struct sockaddr *)&path, sizeof(path));
	memcpy(path.sun_path, "\0abstract", 9);
	connect(fd, (struct sockaddr *)&path, 11);
	close(fd);
	fd = socket(AF_INET6, SOCK_DGRAM, 0);
	close(fd);
	socket(4711, 77, 0);
}

static void use_waits(void)
{
	int ends[2];
	fd_set reading;
	char byte;
	pipe2(ends, O_NONBLOCK);
	struct pollfd polled[] = {{ends[0], POLLIN | POLLPRI, 0}, {ends[1], POLLOUT, 0}, {-1, 0, 0}};
	poll(polled, 1, 0);
	poll(polled, 3, 100);
	write(ends[1], "x", 1);
	poll(polled, 2, -1);
	FD_ZERO(&reading);
	FD_SET(ends[0], &reading);
	struct timeval none = {0, 0};
	syscall(SYS_select, ends[1] + 1, &reading, NULL, NULL, &none);
	int epoll = epoll_create1(EPOLL_CLOEXEC);
	struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.u64 = 7}, events[3];
	epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event);
	syscall(SYS_epoll_wait, epoll, events, 3, 0);
	epoll_ctl(epoll, EPOLL_CTL_DEL, ends[0], NULL);
	read(ends[0], &byte, 1);
	read(ends[0], &byte, 1);
	close(ends[0]);
	close(ends[1]);
	close(epoll);
	int fd = eventfd(3, EFD_NONBLOCK | EFD_SEMAPHORE);
	close(fd);
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGHUP);
	fd = signalfd(-1, &set, SFD_CLOEXEC);
	close(fd);
	fd = inotify_init1(IN_CLOEXEC);
	inotify_add_watch(fd, "/nowhere", IN_CREATE | IN_ONLYDIR);
	close(fd);
	unsigned word = 5;
	struct timespec moment = {0, 1000};
	syscall(SYS_futex, &word, 129, 1);
	syscall(SYS_futex, &word, 128, 4, &moment);
	syscall(SYS_futex, &word, 0, 5, &moment);
}

static void use_processes(void)
{
	int status;
	struct rlimit limit;
	siginfo_t info;
	char name[16];
	wait4(-1, &status, WNOHANG, NULL);
	waitid(P_ALL, 0, &info, WEXITED | WNOHANG);
	limit = (struct rlimit){RLIM_INFINITY, RLIM_INFINITY};
	setrlimit(RLIMIT_RTTIME, &limit);
	limit.rlim_cur = 8192 * 1024;
	setrlimit(RLIMIT_RTTIME, &limit);
	getrlimit(RLIMIT_RTTIME, &limit);
	prctl(PR_SET_NAME, "a name");
	prctl(PR_GET_NAME, name);
	prctl(PR_SET_PDEATHSIG, SIGHUP);
	prctl(PR_SET_PDEATHSIG, 0);
	sched_yield();
	setpriority(PRIO_PROCESS, 0, 19); /* Whatever the nice value of the test is. */
	getpriority(PRIO_PROCESS, 0);
	char *const arguments[] = {"program", "an argument that has more than 32 bytes", "\n", NULL};
	char *const environment[] = {"A=1", NULL};
	execve("/nowhere/program", arguments, environment);
	setpgid(0x7fffff, 0x7fffff);
	memfd_create("name", MFD_CLOEXEC | MFD_ALLOW_SEALING);
}

int main(void)
{
	syscall(SYS_getpgid, 4711);
	use_files();
	use_more_of_files();
	use_memory();
	use_signals();
	use_handlers();
	use_time();
	use_sockets();
	use_messages();
	use_waits();
	use_identity();
	use_processes();
	syscall(SYS_getpgid, 4711);
	return 3;
}
