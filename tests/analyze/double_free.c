/* SPDX-License-Identifier: MIT */
/* Two threads that both see a buffer and both free it: the cause is that both do, not which of them is the second. */
#include <pthread.h>
#include <stdlib.h>

struct session {
	char *buffer;
};

static void *end_session(void *memory)
{
	struct session *session = memory;
	if (session->buffer) {
		free(session->buffer);
		session->buffer = NULL;
	}
	return NULL;
}

int main(void)
{
	struct session *session = calloc(1, sizeof(*session));
	pthread_t threads[2];
	session->buffer = malloc(100);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, end_session, session);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
