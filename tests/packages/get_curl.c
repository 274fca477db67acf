/* SPDX-License-Identifier: MIT */
/* libcurl asks a server that is a thread of the same program: GET, POST, a redirection, chunks, three at once, and a
 * port where nobody listens. */
#include <curl/curl.h>

#include "http_server.h"

static CURL *prepare(const char *host, int port, const char *path)
{
	char url[100];
	CURL *curl = curl_easy_init();
	snprintf(url, sizeof(url), "http://%s:%d%s", host, port, path);
	curl_easy_setopt(curl, CURLOPT_URL, url);
	curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
	curl_easy_setopt(curl, CURLOPT_WRITEDATA, stdout);
	return curl;
}

static void get(const char *host, int port, const char *path, const char *sent)
{
	long code = 0;
	CURL *curl = prepare(host, port, path);
	if (sent)
		curl_easy_setopt(curl, CURLOPT_POSTFIELDS, sent);
	CURLcode result = curl_easy_perform(curl);
	curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &code);
	printf("%s: %s, %ld\n", path, curl_easy_strerror(result), code);
	curl_easy_cleanup(curl);
}

static void get_three(int port)
{
	static const char *const paths[] = {"/1", "/2", "/3"};
	CURLM *multi = curl_multi_init();
	CURL *curls[3];
	char *got[3];
	size_t bytes[3];
	FILE *files[3];
	int running = 1;
	for (int i = 0; i < 3; i++) {
		files[i] = open_memstream(&got[i], &bytes[i]);
		curls[i] = prepare("127.0.0.1", port, paths[i]);
		curl_easy_setopt(curls[i], CURLOPT_WRITEDATA, files[i]);
		curl_multi_add_handle(multi, curls[i]);
	}
	while (running && curl_multi_perform(multi, &running) == CURLM_OK)
		curl_multi_poll(multi, NULL, 0, 1000, NULL);
	for (int i = 0; i < 3; i++) {
		fclose(files[i]);
		printf("%s", got[i]);
		curl_multi_remove_handle(multi, curls[i]);
		curl_easy_cleanup(curls[i]);
		free(got[i]);
	}
	curl_multi_cleanup(multi);
}

int main(void)
{
	pthread_t server;
	int port = http_start(&server);
	curl_global_init(CURL_GLOBAL_ALL);
	get("127.0.0.1", port, "/", NULL);
	get("localhost", port, "/named", NULL);
	get("127.0.0.1", port, "/posted", "a=1&b=2");
	get("127.0.0.1", port, "/moved", NULL);
	get("127.0.0.1", port, "/chunks", NULL);
	get_three(port);
	http_stop(server);
	close(http_listener);
	get("127.0.0.1", port, "/nobody", NULL);
	curl_global_cleanup();
	return 0;
}
