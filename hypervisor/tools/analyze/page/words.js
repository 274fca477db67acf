/* SPDX-License-Identifier: MIT */
/* The data of an analysis (docs/analyze.md), and its words. Text from the data is only ever set as text, never as HTML. */
const data = JSON.parse(document.getElementById("data").textContent);
const SIDES = [["failing", "✖", "fails"], ["passing", "✔", "passes"]];
const SVG = "http://www.w3.org/2000/svg";

const at = (id) => document.getElementById(id);

/* make("p", {class: "x"}, "text", element): an element with attributes and contents. */
function make(tag, attributes, ...contents) {
	const element = tag.startsWith("svg:") ? document.createElementNS(SVG, tag.slice(4)) : document.createElement(tag);
	for (const [name, value] of Object.entries(attributes || {}))
		if (value !== undefined && value !== false)
			element.setAttribute(name, value);
	element.append(...contents.filter((content) => content !== undefined && content !== ""));
	return element;
}

const name = (text) => make("span", {class: "name"}, text);
const number = (value) => value.toLocaleString("en-US");
const plural = (count, word) => `${number(count)} ${word}${count === 1 ? "" : "s"}`;
const base = (path) => path.slice(path.lastIndexOf("/") + 1);

/* --- words --- */

/* "exit 1" as a predicate. */
function predicate(end) {
	let found;
	if ((found = /^exit (\d+)$/.exec(end)))
		return `exits with status ${found[1]}`;
	if (/^signal /.test(end))
		return `is killed by ${end}`;
	if (/^deadlock/.test(end))
		return "deadlocks";
	if (/^timeout/.test(end))
		return "does not end in time";
	return `ends with ${end}`;
}

const VERBS = {load: "reads", store: "writes", atomic: "updates"};

/* What a thread does in an event, as text and names. */
function action(event) {
	if (!event.operation && !event.part)
		return ["starts"];
	if (!event.op)
		return [`${event.part ? "goes on in" : "begins"} operation ${number(event.operation)}`];
	const object = event.object || (event.address ? `memory at ${event.address}` : "");
	const before = event.part ? "goes on: " : "";
	if (VERBS[event.op])
		return [`${before}${VERBS[event.op]} `, name(object || "memory"), event.op === "atomic" ? " atomically" : ""];
	return [`${before}calls `, name(event.op), object ? " on " : "", object ? name(object) : ""];
}

const plain = (contents) => contents.map((content) => content.textContent === undefined ? content : content.textContent).join("");

/* The function of the frame that has the event's line: the frame is "#1  0x12 count+0x38 (file.c:21)". */
function functionOf(event) {
	const frame = (event.stack || []).find((line) => event.line && (line.includes(`(${event.line})`) || line.includes(`, ${event.line})`)));
	if (!frame)
		return "";
	const found = frame.replace(/^#\d+\s+0x[0-9a-f]+\s*/, "");
	return found.slice(0, Math.max(0, found.lastIndexOf(" ("))).replace(/\+0x[0-9a-f]+$/, "");
}

/* Where an event is, with the whole path or its last part. */
function place(event, whole) {
	const inside = functionOf(event);
	if (!event.line)
		return [];
	return [inside ? "in " : "at ", inside ? name(inside) : "", inside ? ", " : "", name(whole ? event.line : base(event.line))];
}

function sentence(event) {
	const where = place(event, false);
	return [`thread ${event.thread} `, ...action(event), ...(where.length ? [" (", ...where, ")"] : [])];
}

/* Whether the operations of two events are about one object. */
const meet = (a, b) => a.address !== undefined && a.address === b.address;

/* The next event of the same thread that was looked at, or nothing. */
function nextOf(event) {
	return SIDES.flatMap(([side]) => data[side] ? data[side].events : [])
		.find((other) => other.thread === event.thread && other.operation === event.operation + 1);
}

/* "A" or "B" if an event is of the pair, or nothing. Each happens once in a run. */
function markOf(event) {
	const is = (other) => event.thread === other.thread && event.operation === other.operation && (event.part || 0) === (other.part || 0);
	return !data.pair ? "" : is(data.pair[0]) ? "A" : is(data.pair[1]) ? "B" : "";
}
