// SPDX-License-Identifier: MIT
// V8's compilers, and what Node.js has: files, child processes, worker threads, sockets, compression, WebAssembly.
const fs = require('fs'), zlib = require('zlib'), crypto = require('crypto'), net = require('net');
const { execFileSync } = require('child_process');
const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');

// (a, b) => a + b
const wasm = [0, 97, 115, 109, 1, 0, 0, 0, 1, 7, 1, 96, 2, 127, 127, 1, 127, 3, 2, 1, 0, 7, 7, 1, 3, 97, 100, 100, 0, 0,
	10, 9, 1, 7, 0, 32, 0, 32, 1, 106, 11];

function fib(n) {
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

function deep() {
	return deep() + 1;
}

function work() {
	console.log(fib(25));
	const count = new Map();
	for (let i = 0; i < 200000; i++) {
		const key = (i * 7919 % 5003).toString(36);
		count.set(key, (count.get(key) || 0) + 1);
	}
	console.log(count.size, [...count.keys()].sort().slice(0, 5).join());
	console.log('abc-def'.replace(/(\w)(\w+)/g, (all, a, b) => a.toUpperCase() + b), JSON.stringify({ a: [1, null], c: 1.5e300 }));
	console.log(crypto.createHash('sha256').update('x'.repeat(100000)).digest('hex'));
	console.log(zlib.gunzipSync(zlib.gzipSync(Buffer.from('hello '.repeat(1000)))).length);
	console.log(new Float64Array(1000).map((x, i) => Math.sin(i)).reduce((a, b) => a + b, 0));
	for (const fail of [() => null.x, deep]) {
		try {
			fail();
		} catch (e) {
			console.log(e.constructor.name, e.message);
		}
	}
	fs.writeFileSync('made', 'data');
	console.log(fs.readFileSync('made', 'utf8'), fs.readdirSync('.'));
	console.log(execFileSync('/bin/echo', ['child']).toString().trim());
	const module = new WebAssembly.Module(new Uint8Array(wasm));
	console.log(new WebAssembly.Instance(module).exports.add(2, 3));
}

async function wait() {
	const workers = [1, 2, 3].map(k => new Promise(r => new Worker(__filename, { workerData: k }).on('message', r)));
	console.log(await Promise.all(workers));
	await new Promise(r => setTimeout(r, 50));
	console.log(await fs.promises.readFile('made', 'utf8'));
	const server = net.createServer(c => c.end('bye')).listen('socket', () =>
		net.connect('socket').on('data', data => {
			console.log(data.toString());
			server.close();
		}));
}

if (!isMainThread) {
	let sum = 0;
	for (let i = 0; i < 1e6; i++)
		sum = (sum * 31 + i * workerData) % 1000003;
	parentPort.postMessage(sum);
} else {
	work();
	wait();
}
