/* SPDX-License-Identifier: MIT */
/* Shows the data of an analysis (docs/analyze.md). Text from the data is only ever set as text, never as HTML. */
(() => {
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const SVG = "http://www.w3.org/2000/svg";
const CONTEXT = 3; /* stretches shown before and after those that were looked at */
const MANY_THREADS = 4; /* columns beside each other without scrolling */
const NEEDED_MAX = 16;
const MAP_WIDTH = 1000, MAP_LEFT = 170, MAP_RIGHT = 20, MAP_HEIGHT = 560;
const ROW_MAX = 9; /* height of a try in the map */
const BAND_MIN = 16; /* height of a step, for its name */
const LINEAR_MAX = 60; /* edits up to which the map is linear */

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

/* "A" or "B" if an event is of the pair, or nothing. Each happens once in a run. */
function markOf(event) {
	const is = (other) => event.thread === other.thread && event.operation === other.operation && (event.part || 0) === (other.part || 0);
	return !data.pair ? "" : is(data.pair[0]) ? "A" : is(data.pair[1]) ? "B" : "";
}

/* --- the stack of an event --- */

let opener = null;

function closePanel() {
	if (at("panel").hidden)
		return;
	at("panel").hidden = true;
	document.body.classList.remove("has-panel");
	opener.classList.remove("is-open");
	opener.setAttribute("aria-expanded", "false");
	opener.focus();
	opener = null;
}

function stackLines(event) {
	const lines = [];
	for (const line of event.stack || []) {
		const is_own = event.line && (line.includes(`(${event.line})`) || line.includes(`, ${event.line})`));
		lines.push(is_own ? make("b", {}, line) : line, "\n");
	}
	return lines.length ? lines : ["No stack is known: the thread was not looked at in this event."];
}

function openPanel(button, event) {
	if (opener) {
		opener.classList.remove("is-open");
		opener.setAttribute("aria-expanded", "false");
	}
	opener = button;
	button.classList.add("is-open");
	button.setAttribute("aria-expanded", "true");
	const mark = markOf(event);
	at("panel-title").replaceChildren(mark ? `${mark === "A" ? "▲" : "◆"} ${mark}: ` : "", `Thread ${event.thread} `, ...action(event));
	at("panel-text").replaceChildren(`Before operation ${number(event.operation)} of this thread`, event.address ? `, address ${event.address}` : "",
		...(event.line ? [", ", ...place(event, true)] : []), ".");
	at("panel-stack").replaceChildren(...stackLines(event));
	at("panel").hidden = false;
	document.body.classList.add("has-panel");
	button.scrollIntoView({block: "nearest"});
}

/* Makes a button show the stack of an event. */
function opens(button, event) {
	button.setAttribute("aria-expanded", "false");
	button.setAttribute("aria-controls", "panel");
	button.addEventListener("click", () => opener === button ? closePanel() : openPanel(button, event));
	button.showEvent = () => openPanel(button, event);
	return button;
}

/* --- parts of the page --- */

function showHead() {
	const program = base(data.program), pair = data.pair;
	document.title = `${program}: eremite analyze`;
	at("program").append("eremite analyze: ", name(data.program));
	if (pair)
		at("summary").append(name(program), ` ${predicate(data.failing.end)} if `, ...sentence(pair[0]), " before ", ...sentence(pair[1]),
			`. In the other order it ${predicate(data.passing.end)}.`);
	else if (data.verdict)
		at("summary").append(`No two events were found whose order decides: ${data.verdict}.`);
	else
		at("summary").append("The analysis did not end.");
	const flips = data.flips.filter((flip) => !flip.with_others);
	if (flips.length === 2)
		at("evidence").append(`Tried under ${plural(flips[0].seeds, "other schedule")}: the first order failed `,
			`${number(flips[0].failed)} times of ${number(flips[0].kept)}, and the other passed ${number(flips[1].passed)} times of ${number(flips[1].kept)}.`);
	const notices = [];
	if (data.interrupted)
		notices.push("The analysis was stopped by a signal. This is what it had found.");
	if (data.error)
		notices.push(`The analysis was stopped: ${data.error}.`);
	at("notice").append(notices.join(" "));
	at("notice").hidden = !notices.length;
}

function showPair() {
	if (!data.pair) {
		at("events").hidden = true;
		return;
	}
	const marks = ["▲ A, first when it fails:", "◆ B, second when it fails:"];
	data.pair.forEach((event, i) => {
		const button = opens(make("button", {type: "button", class: "link"}, "stack"), event);
		button.setAttribute("aria-label", `Stack of event ${"AB"[i]}`);
		const where = place(event, true);
		at("pair").append(make("dt", {}, marks[i]),
			make("dd", {}, `thread ${event.thread} `, ...action(event), ...(where.length ? [" ", ...where] : []), `, its operation ${number(event.operation)} `,
				make("span", {class: "screen-only"}, "(", button, ")")));
	});
	const [a, b] = data.pair;
	if (a.address && a.address === b.address)
		at("meeting").append("They meet at ", ...(a.object ? [name(a.object), ` (${a.address}).`] : [`${a.address}, which is no variable with a name.`]));
	else
		at("meeting").append("Their operations name no common object. The threads meet in what each of them does up to its next event.");
}

/* Copies text, also where the page may not use the clipboard. */
async function copy(text, element) {
	try {
		await navigator.clipboard.writeText(text);
		return true;
	} catch {
		getSelection().selectAllChildren(element);
		return document.execCommand("copy");
	}
}

const SIDES = [["failing", "✖", "fails"], ["passing", "✔", "passes"]];

function showCommands() {
	for (const [side, sign, kind] of SIDES) {
		const of = data[side];
		if (!of)
			continue;
		const code = make("code", {}, of.command), button = make("button", {type: "button"}, "Copy");
		button.setAttribute("aria-label", `Copy the command of the ${side} schedule`);
		button.addEventListener("click", async () => {
			at("status").textContent = await copy(of.command, code) ? "Copied." : "The command is selected. Copy it by Ctrl+C.";
			button.textContent = at("status").textContent.startsWith("Copied") ? "Copied" : "Selected";
			setTimeout(() => { button.textContent = "Copy"; }, 2000);
		});
		at("commands").append(make("div", {class: "command"},
			make("h3", {class: kind}, `${sign} ${side === "failing" ? "Fails" : "Passes"}: ${of.end}`),
			make("div", {}, make("pre", {}, code), button),
			of.written ? "" : make("p", {class: "notice"}, `The schedule could not be written to ${of.file}.`),
			!of.written || of.replays ? "" : make("p", {class: "notice"}, "Its replay did not end in this way: the program is not deterministic here.")));
	}
	at("again").hidden = !at("commands").childElementCount;
}

function showFailure() {
	at("failure-stacks").textContent = data.stacks.join("\n");
	at("failure").hidden = !data.stacks.length;
}

/* --- lanes --- */

const fileOf = (event) => event.line ? event.line.slice(0, event.line.lastIndexOf(":")) : "";

/* The file whose lines lanes give without its name. */
function mainFile() {
	const events = SIDES.flatMap(([side]) => data[side] ? data[side].events : []);
	return fileOf((data.pair || []).concat(events).find((event) => event.line) || {});
}

/* Where an event is, in a lane: "line 21 in count". */
function lanePlace(event, file) {
	const inside = functionOf(event);
	if (!event.line)
		return [];
	const line = fileOf(event) === file ? `line ${event.line.slice(file.length + 1)}` : name(base(event.line));
	return [line, inside ? " in " : "", inside ? name(inside) : ""];
}

/* What an event does, in a lane: short, because all of it is in the panel. */
function laneAction(event) {
	if (!event.op || event.part)
		return action(event);
	if (VERBS[event.op])
		return [`${VERBS[event.op]} `, name(event.object || event.address || "memory")];
	return [name(event.op), event.object ? " " : "", event.object ? name(event.object) : ""];
}

/* The rows of a side: events that were looked at one by one, and folds of the others. */
function rowsOf(side) {
	const of = data[side], looks = new Map(of.events.map((event) => [event.event, event]));
	const seen = of.stretches.map((stretch) => of.events.some((event) => event.event >= stretch.event && event.event < stretch.event + stretch.count));
	const first = Math.max(0, (seen.includes(true) ? seen.indexOf(true) : 0) - CONTEXT);
	const last = Math.min(of.stretches.length - 1, (seen.includes(true) ? seen.lastIndexOf(true) : 0) + CONTEXT);
	const rows = [];
	if (!of.stretches.length)
		return rows;
	if (of.stretches[first].event)
		rows.push({kind: "rest", text: `… ${plural(of.stretches[first].event, "event")} before`});
	let end = 0;
	for (const stretch of of.stretches.slice(first, last + 1)) {
		const fold = (index, count) => {
			if (count === 1)
				rows.push({kind: "event", index, thread: stretch.thread, event: {thread: stretch.thread, operation: stretch.from + index - stretch.event}});
			else if (count)
				rows.push({kind: "fold", index, thread: stretch.thread, count});
		};
		end = stretch.event + stretch.count;
		let from = stretch.event;
		/* A thread's first event has no operation, and nothing to look at. */
		if (!stretch.from && stretch.count > 1 && !looks.has(from)) {
			fold(from, 1);
			from++;
		}
		for (let index = from; index < end; index++)
			if (looks.has(index)) {
				fold(from, index - from);
				rows.push({kind: "event", index, thread: stretch.thread, event: looks.get(index)});
				from = index + 1;
			}
		fold(from, end - from);
	}
	if (end < of.count)
		rows.push({kind: "rest", text: `… ${plural(of.count - end, "event")} after`});
	else
		rows.push({kind: "rest", text: `The program ${predicate(of.end)}.`});
	return rows;
}

function eventButton(side, row, file) {
	const mark = markOf(row.event);
	const order = row.index === data.event ? "first" : "second";
	const text = action(row.event), where = lanePlace(row.event, file);
	const button = make("button", {type: "button", tabindex: -1, class: `event${mark ? ` of-pair ${mark.toLowerCase()}` : ""}`,
		"data-side": side, "data-index": row.index, title: `${plain(text)} ${plain(place(row.event, true))}`.trim()},
		mark ? make("span", {class: "mark"}, `${mark === "A" ? "▲" : "◆"} ${mark}, ${order}`) : "",
		make("span", {}, ...laneAction(row.event)), where.length ? make("span", {class: "place"}, ...where) : "");
	button.setAttribute("aria-label", `${mark ? `Event ${mark} of the pair, ${order}: ` : ""}event ${row.index}, thread ${row.thread} ${plain(text)} ${plain(where)}`.trim());
	return opens(button, row.event);
}

/* The columns of both sides. If there are many, the threads of the pair come first. */
function columnsOf(rows) {
	const threads = [...new Set(rows.filter((row) => row.thread).map((row) => row.thread))].sort((a, b) => a - b);
	const firsts = threads.length > MANY_THREADS && data.pair ? data.pair.map((event) => event.thread) : [];
	return [...new Set(firsts.concat(threads))];
}

function showSide([side, sign, kind], rows, threads) {
	const of = data[side], file = mainFile();
	const lanes = make("div", {class: `lanes${threads.length > MANY_THREADS ? " many" : ""}`, role: "group", "aria-label": `${side} schedule: events of ${plural(threads.length, "thread")}`});
	lanes.style.setProperty("--threads", Math.max(1, threads.length));
	let line = 1, before = 0;
	const put = (element, column, span) => {
		element.style.gridColumn = `${column} / span ${span}`;
		element.style.gridRow = line;
		lanes.append(element);
	};
	threads.forEach((thread, i) => put(make("div", {class: "thread"}, `thread ${thread}`), i + 2, 1));
	for (const row of rows) {
		const column = threads.indexOf(row.thread), old = threads.indexOf(before);
		line++;
		if (row.thread && before && row.thread !== before) {
			const span = Math.abs(column - old) + 1;
			const element = make("div", {class: `switch ${column > old ? "right" : "left"}`, "aria-hidden": "true"});
			element.style.setProperty("--span", span);
			put(element, Math.min(column, old) + 2, span);
			line++;
		}
		before = row.thread || before;
		if (row.kind === "rest") {
			put(make("div", {class: "fold rest"}, make("span", {}, row.text)), 2, Math.max(1, threads.length));
			continue;
		}
		put(make("div", {class: "number", "aria-hidden": "true"}, number(row.index)), 1, 1);
		put(row.kind === "fold" ? make("div", {class: "fold"}, `… ${plural(row.count, "event")}`) : eventButton(side, row, file), column + 2, 1);
	}
	threads.forEach((thread, i) => {
		const element = make("div", {class: "line", "aria-hidden": "true"});
		element.style.gridColumn = i + 2;
		element.style.gridRow = `2 / ${line + 1}`;
		lanes.append(element);
	});
	const buttons = [...lanes.querySelectorAll(".event")];
	const start = lanes.querySelector(".of-pair") || buttons[0];
	if (start)
		start.tabIndex = 0;
	at("sides").append(make("div", {class: "side", id: `side-${side}`},
		make("h3", {class: kind}, `${sign} ${side === "failing" ? "Failing" : "Passing"} schedule: ${of.end}`), lanes));
}

/* Moves the focus, and the panel if it is open, to another event. */
function moveTo(button) {
	for (const other of button.parentElement.querySelectorAll(".event"))
		other.tabIndex = -1;
	button.tabIndex = 0;
	button.focus();
	if (opener)
		button.showEvent();
}

/* The event of the other side with the nearest number. */
function acrossFrom(button, side) {
	let best = null;
	const far = (other) => Math.abs(other.dataset.index - button.dataset.index);
	for (const other of document.querySelectorAll(`#side-${side} .event`))
		if (!best || far(other) < far(best))
			best = other;
	return best;
}

function onKey(key) {
	if (key.key === "Escape")
		closePanel();
	const button = key.target.closest && key.target.closest(".event");
	if (!button || key.ctrlKey || key.altKey || key.metaKey)
		return;
	const all = [...button.parentElement.querySelectorAll(".event")], i = all.indexOf(button);
	const to = {ArrowDown: all[i + 1], ArrowUp: all[i - 1], Home: all[0], End: all[all.length - 1],
		ArrowLeft: button.dataset.side === "passing" ? acrossFrom(button, "failing") : null,
		ArrowRight: button.dataset.side === "failing" ? acrossFrom(button, "passing") : null}[key.key];
	if (to === undefined && !key.key.startsWith("Arrow"))
		return;
	key.preventDefault();
	if (to)
		moveTo(to);
}

/* Moves one side down so that the pairs are side by side. */
function align() {
	const firsts = [...document.querySelectorAll(".side")].map((side) => side.querySelector(".of-pair"));
	const lanes = [...document.querySelectorAll(".lanes")];
	lanes.forEach((element) => element.style.removeProperty("--down"));
	if (firsts.length !== 2 || firsts.includes(null) || lanes[0].getBoundingClientRect().top !== lanes[1].getBoundingClientRect().top)
		return;
	const down = firsts[0].getBoundingClientRect().top - firsts[1].getBoundingClientRect().top;
	lanes[down < 0 ? 0 : 1].style.setProperty("--down", `${Math.abs(down)}px`);
}

function showSides() {
	const shown = SIDES.filter(([side]) => data[side]), rows = shown.map(([side]) => rowsOf(side));
	const threads = columnsOf(rows.flat());
	shown.forEach((side, i) => showSide(side, rows[i], threads));
	at("schedules").hidden = !at("sides").childElementCount;
	if (mainFile())
		at("sides-file").append("Lines without a file are of ", name(mainFile()), ".");
	align();
	addEventListener("resize", align);
	/* A click on an event makes it the one that Tab leads to. */
	at("sides").addEventListener("focusin", (focus) => {
		const button = focus.target.closest(".event");
		if (button && button.tabIndex < 0) {
			button.parentElement.querySelectorAll(".event").forEach((other) => { other.tabIndex = -1; });
			button.tabIndex = 0;
		}
	});
	document.addEventListener("keydown", onKey);
}

/* --- decisions, flip check --- */

function showNeeded() {
	const forms = {point: "makes way for", wait: "waits, and next runs", tick: "makes way at a tick for", choice: "chooses"};
	const count = data.needed.length;
	at("needed").hidden = !count;
	at("needed-text").append(`The ${data.needed_to_pass ? "passing" : "given"} schedule takes ${plural(data.decisions, "decision")} other than fifo's. `,
		`${count === 1 ? "One of them is" : `${number(count)} of them are`} needed to ${data.needed_to_pass ? "pass" : "fail"}; each of the others can be left out.`);
	data.needed.slice(0, NEEDED_MAX).forEach((needed) => {
		const next = `${needed.kind === "choice" ? "" : "thread "}${needed.next}`, where = place(needed, true);
		at("needed-list").append(make("li", {}, `thread ${needed.thread} ${forms[needed.kind] || needed.kind} ${next} `,
			needed.kind === "point" ? "before it " : "when it ", ...action(needed), ...(where.length ? [" ", ...where] : []), " ",
			needed.stack ? make("span", {class: "screen-only"}, "(", opens(make("button", {type: "button", class: "link"}, "stack"), needed), ")") : ""));
	});
	if (count > NEEDED_MAX)
		at("needed-list").after(make("p", {}, `… and ${number(count - NEEDED_MAX)} more.`));
}

function table(caption, head, rows) {
	return make("table", {}, make("caption", {}, caption),
		make("thead", {}, make("tr", {}, ...head.map((text) => make("th", {scope: "col"}, text)))),
		make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row))));
}

function showFlips() {
	const head = ["Order", "Runs", "Had this order", "Failed", "Passed", "Ended otherwise"];
	const flips = [false, true].map((all) => data.flips.filter((flip) => flip.with_others === all));
	const perfect = (two) => two.length === 2 && two[0].failed === two[0].seeds && two[1].passed === two[1].seeds;
	at("flips").hidden = !data.pair;
	flips.forEach((two, all) => {
		if (two.length)
			at("flips-table").append(table(all ? "With the needed decisions, too" : "With this order alone", head, two.map((flip) => [
				make("th", {scope: "row"}, flip.order === "failing" ? "A before B" : "B before A"),
				...[flip.seeds, flip.kept, flip.failed, flip.passed, flip.otherwise].map((value) => make("td", {}, number(value)))])));
	});
	at("flips-verdict").append(!flips[0].length ? "It was not made."
		: perfect(flips[0]) ? "This order alone decides."
		: perfect(flips[1]) ? "This order decides, together with the needed decisions."
		: flips[1].length ? "Other events decide, too: the program races in other places, or the pair is part of a longer order."
		: "Other events decide, too.");
}

/* --- map --- */

const STEPS = {confirm: "confirm", output: "output under fifo", follow: "follow", fifo: "fifo", pass: "look for a pass", minimise: "leave out",
	nearest: "nearest", bisect: "bisect", pair: "the pair", look: "look", "flip: failing order": "A before B",
	"flip: passing order": "B before A", replay: "replay"};
const OUTCOMES = {fails: "fails", passes: "passes", otherwise: "ends otherwise"};

/* The shape of an outcome around a point. */
function shape(outcome, x, y) {
	if (outcome === "fails")
		return make("svg:path", {class: "mark-fails", d: `M${x} ${y - 6}l6 6-6 6-6-6z`});
	if (outcome === "passes")
		return make("svg:circle", {class: "mark-passes", cx: x, cy: y, r: 4});
	return make("svg:path", {class: "mark-otherwise", d: `M${x - 4} ${y - 4}l8 8m0-8l-8 8`});
}

/* Tries in a row with the same step: their place, height and number. */
function bandsOf(tries) {
	const bands = [], row = Math.min(ROW_MAX, MAP_HEIGHT / tries.length);
	tries.forEach((made, i) => {
		const band = bands[bands.length - 1];
		/* The flip check is made again with the needed decisions. */
		const again = made.step.startsWith("flip") && bands.some((other) => other.step === made.step && other !== band);
		if (band && band.step === made.step)
			band.count++;
		else
			bands.push({step: made.step, first: i, count: 1, name: (STEPS[made.step] || made.step) + (again ? ", with needed" : "")});
	});
	let y = 10;
	for (const band of bands) {
		band.top = y;
		band.height = Math.max(BAND_MIN, band.count * row);
		y += band.height;
	}
	return bands;
}

/* Marks of the axis: few, and whole numbers. */
function ticksUpTo(most) {
	const ticks = [0];
	if (most > LINEAR_MAX) {
		for (let tick = 1; tick <= most; tick *= 10)
			ticks.push(tick);
		if (most > 2 * ticks[ticks.length - 1])
			ticks.push(most);
		return ticks;
	}
	const step = [1, 2, 5, 10].find((size) => most / size <= 10);
	for (let tick = step; tick <= most; tick += step)
		ticks.push(tick);
	return ticks;
}

function drawMap(tries, most) {
	const bands = bandsOf(tries), last = bands[bands.length - 1], bottom = last.top + last.height + 6;
	const scale = most > LINEAR_MAX ? Math.log1p : (value) => value;
	const x = (edits) => MAP_LEFT + 12 + scale(edits) / (scale(most) || 1) * (MAP_WIDTH - MAP_LEFT - MAP_RIGHT - 24);
	const picture = make("svg:svg", {viewBox: `0 0 ${MAP_WIDTH} ${bottom + 40}`, role: "img", "aria-labelledby": "map-text"});
	const marks = [];
	bands.forEach((band, i) => {
		if (i % 2 === 0)
			picture.append(make("svg:rect", {class: "band", x: 0, y: band.top, width: MAP_WIDTH - MAP_RIGHT, height: band.height}));
		picture.append(make("svg:text", {x: MAP_LEFT - 10, y: band.top + Math.min(band.height, 24) / 2 + 4, "text-anchor": "end"}, band.name));
		for (let j = 0; j < band.count; j++) {
			const made = tries[band.first + j];
			if (made.edits === undefined)
				continue;
			const mark = shape(made.outcome, x(made.edits).toFixed(1), +(band.top + (j + .5) * band.height / band.count).toFixed(1));
			mark.append(make("svg:title", {}, `try ${made.number}, ${band.name}: ${OUTCOMES[made.outcome]} (${made.end}), distance ${number(made.edits)}`));
			marks.push(mark);
		}
	});
	for (const tick of ticksUpTo(most))
		picture.append(make("svg:line", {class: "axis", x1: x(tick), x2: x(tick), y1: 10, y2: bottom}),
			make("svg:text", {x: x(tick), y: bottom + 15, "text-anchor": "middle"}, number(tick)));
	picture.append(make("svg:text", {x: (MAP_LEFT + MAP_WIDTH - MAP_RIGHT) / 2, y: bottom + 33, "text-anchor": "middle"},
		`decisions that differ from the ${data.failing ? "" : "given "}failing schedule${most > LINEAR_MAX ? " (logarithmic)" : ""}`), ...marks);
	at("map-picture").append(picture);
}

function showMap() {
	const tries = data.tries.map((made, i) => ({...made, number: i + 1})), placed = tries.filter((made) => made.edits !== undefined);
	const count = (outcome) => tries.filter((made) => made.outcome === outcome).length;
	at("map").hidden = !tries.length;
	if (!tries.length)
		return;
	at("map-text").append(`Each mark is one of ${plural(tries.length, "run")}, from top to bottom in the order of trying. The further right, the more decisions `,
		`between threads differ from ${data.failing ? "the failing schedule above" : "the failing schedule that was given"}.`,
		data.try_count > tries.length ? ` Of ${number(data.try_count)} runs, the first ${number(tries.length)} are shown.` : "",
		placed.length < tries.length ? ` ${plural(tries.length - placed.length, "run")} could not be placed.` : "");
	for (const outcome of Object.keys(OUTCOMES))
		if (count(outcome))
			at("map-legend").append(make("li", {}, make("svg:svg", {viewBox: "0 0 14 14", "aria-hidden": "true"}, shape(outcome, 7, 7)),
				`${OUTCOMES[outcome]}: ${plural(count(outcome), "run")}`));
	if (placed.length)
		drawMap(tries, Math.max(...placed.map((made) => made.edits)));
	at("map-table").append(table("Tried schedules", ["Try", "Step", "Distance", "Outcome", "End"], tries.map((made) => [
		make("th", {scope: "row"}, number(made.number)), make("td", {class: "words"}, STEPS[made.step] || made.step),
		make("td", {}, made.edits === undefined ? "?" : number(made.edits)), make("td", {class: "words"}, OUTCOMES[made.outcome]),
		make("td", {class: "words"}, made.end)])));
}

/* --- print --- */

/* All stacks, of which each is shown once. */
function showStacks() {
	const seen = new Set();
	at("stacks").append(make("h2", {}, "Stacks"));
	for (const [side] of SIDES)
		for (const event of data[side] ? data[side].events : []) {
			const mark = markOf(event), key = JSON.stringify([event.thread, event.operation, event.part, event.stack]);
			if (seen.has(key))
				continue;
			seen.add(key);
			at("stacks").append(make("h3", {}, mark ? `${mark === "A" ? "▲" : "◆"} ${mark}: ` : "", `event ${number(event.event)} (${side}), thread ${event.thread} `, ...action(event)),
				make("pre", {}, ...stackLines(event)));
		}
}

at("main").hidden = false; /* before the lanes are aligned */
at("panel-close").addEventListener("click", closePanel);
showHead();
showPair();
showCommands();
showFailure();
showSides();
showNeeded();
showFlips();
showMap();
showStacks();
})();
