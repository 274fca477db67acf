/* SPDX-License-Identifier: MIT */
/* Bug: a test starts a server and a client, and takes for granted that the server listens when the client connects.
 * Bites: "connect: Connection refused", status 1. Fixed: the client waits until the server listens. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef FIXED
#define FIXED 0
#endif

#define PORT 7000

static sem_t listens;
static int error;

static struct sockaddr_in address(void)
{
	return (struct sockaddr_in){
		.sin_family = AF_INET, .sin_port = htons(PORT), .sin_addr = {htonl(INADDR_LOOPBACK)}};
}

static void *serve(void *unused)
{
	const struct sockaddr_in at = address();
	const int yes = 1, server = socket(AF_INET, SOCK_STREAM, 0);
	setsockopt(server, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
	if (bind(server, (const struct sockaddr *)&at, sizeof(at)) || listen(server, 1))
		error = errno;
	sem_post(&listens);
	return unused; /* the connection waits in the server's queue */
}

static void *connect_to_it(void *unused)
{
	const struct sockaddr_in at = address();
	const int client = socket(AF_INET, SOCK_STREAM, 0);
	if (FIXED)
		sem_wait(&listens);
	if (connect(client, (const struct sockaddr *)&at, sizeof(at)))
		error = errno;
	close(client);
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	sem_init(&listens, 0, 0);
	pthread_create(&threads[0], NULL, serve, NULL);
	pthread_create(&threads[1], NULL, connect_to_it, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	if (error)
		printf("connect: %s\n", strerror(error));
	return error != 0;
}
