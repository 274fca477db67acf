/* SPDX-License-Identifier: MIT */
/* Threads of C11 (ISO/IEC 9899:2011, 7.26), with glibc's numbers. What POSIX calls the same is the same here. */
#ifndef _THREADS_H
#define _THREADS_H

#include <time.h>
#include <sys/cdefs.h>
#include <sys/_pthreadtypes.h>

#ifndef __cplusplus
#define thread_local _Thread_local
#endif
#define ONCE_FLAG_INIT _PTHREAD_ONCE_INIT
#define TSS_DTOR_ITERATIONS 4

typedef pthread_t thrd_t;
typedef pthread_mutex_t mtx_t;
typedef pthread_cond_t cnd_t;
typedef pthread_key_t tss_t;
typedef pthread_once_t once_flag;
typedef int (*thrd_start_t)(void *);
typedef void (*tss_dtor_t)(void *);

enum { thrd_success, thrd_busy, thrd_error, thrd_nomem, thrd_timedout };
enum { mtx_plain, mtx_recursive, mtx_timed };

__BEGIN_DECLS

int thrd_create(thrd_t *__tid, thrd_start_t __function, void *__argument);
thrd_t thrd_current(void);
int thrd_detach(thrd_t __tid);
int thrd_equal(thrd_t __one, thrd_t __other);
_Noreturn void thrd_exit(int __result);
int thrd_join(thrd_t __tid, int *__result);
int thrd_sleep(const struct timespec *__duration, struct timespec *__remaining);
void thrd_yield(void);

int mtx_init(mtx_t *__mutex, int __type);
void mtx_destroy(mtx_t *__mutex);
int mtx_lock(mtx_t *__mutex);
int mtx_timedlock(mtx_t *__restrict __mutex, const struct timespec *__restrict __deadline);
int mtx_trylock(mtx_t *__mutex);
int mtx_unlock(mtx_t *__mutex);

int cnd_init(cnd_t *__condition);
void cnd_destroy(cnd_t *__condition);
int cnd_wait(cnd_t *__condition, mtx_t *__mutex);
int cnd_timedwait(cnd_t *__restrict __condition, mtx_t *__restrict __mutex,
                  const struct timespec *__restrict __deadline);
int cnd_signal(cnd_t *__condition);
int cnd_broadcast(cnd_t *__condition);

int tss_create(tss_t *__key, tss_dtor_t __destructor);
void tss_delete(tss_t __key);
void *tss_get(tss_t __key);
int tss_set(tss_t __key, void *__value);

void call_once(once_flag *__flag, void (*__function)(void));

__END_DECLS

#endif
