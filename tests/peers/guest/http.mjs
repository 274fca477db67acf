// SPDX-License-Identifier: MIT
// Servers of http and fetch in one process, and the interfaces.
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';

const listen = (server, address) => new Promise((done) => server.listen(0, address, () => done(server.address().port)));
const server = http.createServer((request, response) => {
	let bytes = 0;
	request.on('data', (data) => (bytes += data.length));
	request.on('end', () => response.end(`${request.method} ${request.url} ${bytes}`));
});
const at = `http://127.0.0.1:${await listen(server, '127.0.0.1')}`;
const answers = [...Array(10).keys()].map(async (i) => {
	const response = await fetch(`${at}/${i}`, { method: 'POST', body: 'x'.repeat(i * 10000) });
	return response.text();
});
console.log((await Promise.all(answers)).join('\n'));

const large = http.createServer((request, response) => response.end('y'.repeat(1e6)));
const port = await listen(large, '::');
for (const host of ['127.0.0.1', '[::1]']) console.log((await (await fetch(`http://${host}:${port}/`)).text()).length);

const silent = net.createServer(() => {});
const abort = new AbortController();
const waiting = fetch(`http://127.0.0.1:${await listen(silent, '127.0.0.1')}/`, { signal: abort.signal });
setTimeout(() => abort.abort(), 50);
console.log(await waiting.catch((error) => error.name));
const unused = net.createServer();
const free = await listen(unused, '127.0.0.1');
unused.close();
console.log(await fetch(`http://127.0.0.1:${free}/`).catch((error) => error.cause.code));
for (const [name, addresses] of Object.entries(os.networkInterfaces()))
	for (const address of addresses) console.log(name, address.cidr, address.mac, address.internal);
process.exit(0);
