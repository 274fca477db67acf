/* SPDX-License-Identifier: MIT */
/* libxml2 reads a document from a server that is a thread of the same program: by its name, and by nanohttp. */
#include <libxml/nanohttp.h>
#include <libxml/parser.h>
#include <libxml/xpath.h>

#include "http_server.h"

int main(void)
{
	pthread_t server;
	char url[100], text[200], *type = NULL;
	int port = http_start(&server);
	snprintf(url, sizeof(url), "http://127.0.0.1:%d/list.xml", port);
	xmlDoc *document = xmlReadFile(url, NULL, 0);
	xmlXPathContext *context = xmlXPathNewContext(document);
	xmlXPathObject *found = xmlXPathEval((const xmlChar *)"string(//item[2])", context);
	printf("the second item is %s\n", found->stringval);
	xmlXPathFreeObject(found);
	xmlXPathFreeContext(context);
	xmlFreeDoc(document);
	snprintf(url, sizeof(url), "http://localhost:%d/list.xml", port);
	void *open = xmlNanoHTTPOpen(url, &type);
	int bytes = open ? xmlNanoHTTPRead(open, text, sizeof(text)) : -1;
	printf("%d, %s: %.*s\n", open ? xmlNanoHTTPReturnCode(open) : 0, type, bytes > 0 ? bytes : 0, text);
	xmlNanoHTTPClose(open);
	xmlFree(type);
	http_stop(server);
	xmlCleanupParser();
	return 0;
}
