/* SPDX-License-Identifier: MIT */
/* Keys and their values in each thread: pthread_key_create(3), pthread_setspecific(3).
 *
 * A key has a number of lives, odd while it exists: values of an earlier life count as NULL. */
#include <stdlib.h>

#include "libc-port/src/thread/thread.h"

static struct {
	uint64_t life;
	void (*destructor)(void *);
} keys[PTHREAD_KEYS_MAX];

static bool exists(pthread_key_t key)
{
	return key < PTHREAD_KEYS_MAX && keys[key].life % 2;
}

int pthread_key_create(pthread_key_t *key, void (*destructor)(void *))
{
	for (pthread_key_t i = 0; i < PTHREAD_KEYS_MAX; i++) {
		if (exists(i))
			continue;
		keys[i].life++;
		keys[i].destructor = destructor;
		*key = i;
		return 0;
	}
	return EAGAIN;
}

int pthread_key_delete(pthread_key_t key)
{
	if (!exists(key))
		return EINVAL;
	keys[key].life++;
	return 0;
}

static struct thread_value *value_of(struct pthread *thread, pthread_key_t key)
{
	return key < THREAD_KEYS_INLINE ? &thread->values[key] : &thread->more_values[key - THREAD_KEYS_INLINE];
}

/* Gives a thread room for the value of a key. */
static bool extend(struct pthread *thread, pthread_key_t key)
{
	if (key >= THREAD_KEYS_INLINE && !thread->more_values) {
		thread->more_values = calloc(PTHREAD_KEYS_MAX - THREAD_KEYS_INLINE, sizeof(struct thread_value));
		if (!thread->more_values)
			return false;
	}
	for (; thread->values_used <= key; thread->values_used++)
		*value_of(thread, thread->values_used) = (struct thread_value){0, NULL};
	return true;
}

int pthread_setspecific(pthread_key_t key, const void *value)
{
	struct pthread *self = thread_self();
	if (!exists(key))
		return EINVAL;
	if (key >= self->values_used) {
		if (!value)
			return 0;
		if (!extend(self, key))
			return ENOMEM;
	}
	*value_of(self, key) = (struct thread_value){keys[key].life, (void *)value};
	return 0;
}

void *pthread_getspecific(pthread_key_t key)
{
	struct pthread *self = thread_self();
	if (key >= self->values_used)
		return NULL;
	const struct thread_value *value = value_of(self, key);
	return value->life == keys[key].life ? value->value : NULL;
}

/* Makes one round over the values. Returns whether it called a destructor. */
static bool destroy_values(struct pthread *self)
{
	bool any = false;
	for (pthread_key_t key = 0; key < self->values_used; key++) {
		struct thread_value *slot = value_of(self, key);
		void *value = slot->value;
		if (!value || slot->life != keys[key].life)
			continue;
		slot->value = NULL;
		if (!keys[key].destructor)
			continue;
		keys[key].destructor(value);
		any = true;
	}
	return any;
}

void thread_values_end(struct pthread *self)
{
	for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; round++)
		if (!destroy_values(self))
			break;
	free(self->more_values);
	self->more_values = NULL;
	self->values_used = 0;
}
