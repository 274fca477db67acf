/* SPDX-License-Identifier: MIT */
/* Threads that are ordered, in a program that is compiled with -fsanitize=thread; argv[1] names the way. None is a
 * race. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

static int data, *pointer;
static atomic_int flag;
static _Atomic(int *) published;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_spinlock_t spin;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static sem_t semaphore;
static mtx_t c11_mutex;
static int ends[2];
static char large[300000];
static volatile size_t much = 150000, too_much = 1UL << 60;

static void *release_acquire_0(void *unused)
{
	data = 1;
	atomic_store_explicit(&flag, 1, memory_order_release);
	return unused;
}

static void *release_acquire_1(void *unused)
{
	while (!atomic_load_explicit(&flag, memory_order_acquire))
		;
	data++;
	return unused;
}

static void *fences_0(void *unused)
{
	data = 1;
	atomic_thread_fence(memory_order_release);
	atomic_store_explicit(&flag, 1, memory_order_relaxed);
	return unused;
}

static void *fences_1(void *unused)
{
	while (!atomic_load_explicit(&flag, memory_order_relaxed))
		;
	atomic_thread_fence(memory_order_acquire);
	data++;
	return unused;
}

/* A relaxed read-modify-write goes on with the release sequence. */
static void *sequence_0(void *unused)
{
	data = 1;
	atomic_store_explicit(&flag, 1, memory_order_release);
	return unused;
}

static void *sequence_1(void *unused)
{
	while (!atomic_load_explicit(&flag, memory_order_relaxed))
		;
	atomic_fetch_add_explicit(&flag, 1, memory_order_relaxed);
	if (atomic_load_explicit(&flag, memory_order_acquire) == 2)
		data++;
	return unused;
}

/* A reference count: the last one to leave frees what both have used. */
static void *leave(int used)
{
	pointer[used]++;
	if (atomic_fetch_sub_explicit(&flag, 1, memory_order_acq_rel) == -1)
		free(pointer);
	return NULL;
}

static void *count_0(void *unused)
{
	(void)unused;
	return leave(1);
}

static void *count_1(void *unused)
{
	(void)unused;
	return leave(2);
}

static void *mutex_0(void *unused)
{
	pthread_mutex_lock(&mutex);
	data++;
	pthread_mutex_unlock(&mutex);
	return unused;
}

#define mutex_1 mutex_0

static void *wait_0(void *unused)
{
	pthread_mutex_lock(&mutex);
	data = 1;
	pthread_cond_signal(&condition);
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void *wait_1(void *unused)
{
	pthread_mutex_lock(&mutex);
	while (!data)
		pthread_cond_wait(&condition, &mutex);
	data++;
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void *rwlock_0(void *unused)
{
	pthread_rwlock_wrlock(&rwlock);
	data++;
	pthread_rwlock_unlock(&rwlock);
	return unused;
}

static void *rwlock_1(void *unused)
{
	pthread_rwlock_rdlock(&rwlock);
	if (data > 5)
		abort();
	pthread_rwlock_unlock(&rwlock);
	return unused;
}

static void *barrier_0(void *unused)
{
	data = 1;
	pthread_barrier_wait(&barrier);
	return unused;
}

static void *barrier_1(void *unused)
{
	pthread_barrier_wait(&barrier);
	data++;
	return unused;
}

static void *spin_0(void *unused)
{
	pthread_spin_lock(&spin);
	data++;
	pthread_spin_unlock(&spin);
	return unused;
}

#define spin_1 spin_0

static void init_data(void)
{
	data = 1;
}

static void *once_0(void *unused)
{
	pthread_once(&once, init_data);
	if (data != 1)
		abort();
	return unused;
}

#define once_1 once_0

static void *semaphore_0(void *unused)
{
	data = 1;
	sem_post(&semaphore);
	return unused;
}

static void *semaphore_1(void *unused)
{
	sem_wait(&semaphore);
	data++;
	return unused;
}

static void *pipe_0(void *unused)
{
	data = 1;
	return write(ends[1], "x", 1) == 1 ? unused : NULL;
}

static void *pipe_1(void *unused)
{
	char c;
	if (read(ends[0], &c, 1) == 1)
		data++;
	return unused;
}

static void *heap_0(void *unused)
{
	int *mine = malloc(64);
	mine[0] = 1;
	free(mine);
	return unused;
}

#define heap_1 heap_0

/* Large ranges, parts of which are used by other accesses, and whose memory is used again. */
static void *large_0(void *unused)
{
	pthread_mutex_lock(&mutex);
	memset(large + data, 'x', much);
	large[much / 2]++;
	memset(large, 'x', much * 2);
	memcpy(large, large + much, much);
	data++;
	pthread_mutex_unlock(&mutex);
	for (unsigned i = 0; i < 3; i++) {
		char *block = calloc(much, 1), *few[8];
		block[much / 3] = 1;
		free(block);
		for (unsigned j = 0; j < 8; j++)
			*(few[j] = malloc(3000 + j)) = 1;
		for (unsigned j = 0; j < 8; j++)
			free(few[j]);
		block = mmap(NULL, much, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		block[much / 3] = 1;
		munmap(block, much);
	}
	return unused;
}

#define large_1 large_0

/* More large ranges than are kept. */
static void *blocks_0(void *unused)
{
	static char *blocks[2][300];
	static atomic_int threads;
	char **const mine = blocks[threads++];
	for (unsigned i = 0; i < 300; i++)
		mine[i] = malloc(much);
	for (unsigned i = 0; i < 300; i++)
		free(mine[i]);
	return unused;
}

#define blocks_1 blocks_0

/* Memory stays as it is when there is no room for more. */
static void *full_0(void *unused)
{
	void *got;
	if (realloc(pointer, too_much) || reallocarray(pointer, too_much, 2) || reallocarray(pointer, much, too_much) ||
	    malloc(too_much) || calloc(too_much, 1) || calloc(too_much, much) || aligned_alloc(64, too_much) ||
	    !posix_memalign(&got, 64, too_much) || !munmap((char *)pointer + 1, too_much) || !munmap(pointer, too_much))
		abort();
	if (mmap(NULL, too_much, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
		abort();
	return unused;
}

static void *full_1(void *unused)
{
	int *const grown = realloc(malloc(much), 2 * much);
	free(realloc(grown, much / 2));
	void *const wide = mmap(NULL, 1UL << 44, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (wide != MAP_FAILED)
		munmap(wide, 1UL << 44);
	return *(volatile int *)pointer ? pointer : unused;
}

static void *publish_0(void *unused)
{
	int *new = malloc(sizeof(*new));
	*new = 5;
	atomic_store_explicit(&published, new, memory_order_release);
	return unused;
}

static void *publish_1(void *unused)
{
	int *got;
	while (!(got = atomic_load_explicit(&published, memory_order_acquire)))
		sched_yield();
	(*got)++;
	return unused;
}

static void *c11_0(void *unused)
{
	mtx_lock(&c11_mutex);
	data++;
	mtx_unlock(&c11_mutex);
	return unused;
}

#define c11_1 c11_0

static void *spin_on_flag_0(void *unused)
{
	while (atomic_exchange_explicit(&flag, 1, memory_order_acquire))
		;
	data++;
	atomic_store_explicit(&flag, 0, memory_order_release);
	return unused;
}

#define spin_on_flag_1 spin_on_flag_0

static void handle(int signal)
{
	(void)signal;
	data++;
	atomic_store_explicit(&flag, 1, memory_order_release);
}

static void *signal_0(void *unused)
{
	data = 1;
	kill(getpid(), SIGUSR1);
	return unused;
}

static void *signal_1(void *unused)
{
	while (!atomic_load_explicit(&flag, memory_order_acquire))
		sched_yield();
	data++;
	return unused;
}

/* A signal's handler runs in a new thread before the thread's own function does. */
static volatile bool handled;

static void handle_early(int number)
{
	(void)number;
	handled = true;
}

static void *wait_until_handled(void *unused)
{
	while (!handled)
		usleep(100);
	return unused;
}

static void *early_signal_0(void *unused)
{
	pthread_t thread;
	pthread_create(&thread, NULL, wait_until_handled, NULL);
	pthread_kill(thread, SIGUSR2);
	pthread_join(thread, NULL);
	return unused;
}

static void *early_signal_1(void *unused)
{
	return unused;
}

/* What the child of vfork() closes is open in its parent. */
static void *child_0(void *unused)
{
	const pid_t child = vfork();
	if (child == 0) {
		close(ends[0]);
		close(ends[1]);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	return pipe_0(unused);
}

static void *child_1(void *unused)
{
	return pipe_1(unused);
}

static const struct way {
	const char *name;
	void *(*run[2])(void *);
} ways[] = {
#define WAY(name) \
	{ \
#name, \
		{ \
			name##_0, name##_1 \
		} \
	}
	WAY(release_acquire), WAY(fences), WAY(sequence),     WAY(mutex),     WAY(wait),         WAY(rwlock),
	WAY(barrier),         WAY(spin),   WAY(once),         WAY(semaphore), WAY(pipe),         WAY(heap),
	WAY(publish),         WAY(c11),    WAY(spin_on_flag), WAY(signal),    WAY(early_signal), WAY(child),
	WAY(count),           WAY(large),  WAY(full),         WAY(blocks),
};

static void prepare(void)
{
	pthread_barrier_init(&barrier, NULL, 2);
	pthread_spin_init(&spin, 0);
	sem_init(&semaphore, 0, 0);
	mtx_init(&c11_mutex, mtx_plain);
	signal(SIGUSR1, handle);
	signal(SIGUSR2, handle_early);
	pointer = calloc(4, sizeof(*pointer));
	if (pipe(ends))
		abort();
}

int main(int argc, char **argv)
{
	pthread_t threads[2];
	prepare();
	for (unsigned i = 0; argc == 2 && i < sizeof(ways) / sizeof(ways[0]); i++) {
		if (strcmp(argv[1], ways[i].name))
			continue;
		for (unsigned j = 2; j--;)
			pthread_create(&threads[j], NULL, ways[i].run[j], NULL);
		for (unsigned j = 0; j < 2; j++)
			pthread_join(threads[j], NULL);
		return data > 5;
	}
	fprintf(stderr, "usage: ordered WAY\n");
	return 2;
}
