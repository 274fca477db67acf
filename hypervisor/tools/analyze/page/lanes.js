/* SPDX-License-Identifier: MIT */
/* Both schedules side by side: a column for each thread. */
let context = 3; /* stretches shown before and after those that were looked at; more on request */
const MANY_THREADS = 3; /* columns beside each other without scrolling */
const MARGIN = 6; /* pixels beside an event that is scrolled to */

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
	const first = Math.max(0, (seen.includes(true) ? seen.indexOf(true) : 0) - context);
	const last = Math.min(of.stretches.length - 1, (seen.includes(true) ? seen.lastIndexOf(true) : 0) + context);
	const rows = [];
	of.isCut = first > 0 || last < of.stretches.length - 1;
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

/* Brings the pair into view: on a small screen, its columns may be behind those of other threads. */
function showPairIn(lanes) {
	const ends = [...lanes.querySelectorAll(".of-pair")].map((event) => event.offsetLeft + event.offsetWidth);
	if (ends.length)
		lanes.scrollLeft = Math.max(...ends) + MARGIN - lanes.clientWidth;
}

/* A button for each thread that brings its column into view, where not all columns fit. Keys move between events, which
 * does the same, so Tab does not stop here. */
function threadButtons(lanes, threads) {
	const buttons = make("div", {class: "threads screen-only", role: "group", "aria-label": "show the column of a thread"},
		make("span", {class: "muted"}, `${threads.length} threads:`));
	threads.forEach((thread, i) => {
		const button = make("button", {type: "button", tabindex: -1, title: `show thread ${thread}`}, `${thread}`);
		button.addEventListener("click", () => {
			const column = lanes.querySelectorAll(".thread")[i];
			lanes.scrollLeft = column.offsetLeft - (lanes.clientWidth - column.offsetWidth) / 2;
		});
		buttons.append(button);
	});
	let width = 0;
	new ResizeObserver(() => {
		buttons.hidden = lanes.scrollWidth <= lanes.clientWidth;
		if (width !== lanes.clientWidth)
			showPairIn(lanes);
		width = lanes.clientWidth;
	}).observe(lanes);
	return buttons;
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
	threads.forEach((thread, i) => put(make("div", {class: "thread"}, make("span", {}, `thread ${thread}`)), i + 2, 1));
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
		element.style.gridRow = `1 / ${line + 1}`;
		lanes.append(element);
	});
	const buttons = [...lanes.querySelectorAll(".event")];
	const start = lanes.querySelector(".of-pair") || buttons[0];
	if (start)
		start.tabIndex = 0;
	at("sides").append(make("div", {class: "side", id: `side-${side}`},
		make("h3", {class: kind}, `${sign} ${side === "failing" ? "Failing" : "Passing"} schedule: ${of.end}`),
		threads.length > 1 ? threadButtons(lanes, threads) : "", lanes));
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

/* Moves the events of one side down so that the pairs are side by side. */
function align() {
	const firsts = [...document.querySelectorAll(".side")].map((side) => side.querySelector(".of-pair"));
	const lanes = [...document.querySelectorAll(".lanes")];
	lanes.forEach((element) => element.style.removeProperty("--down"));
	if (firsts.length !== 2 || firsts.includes(null) || lanes[0].getBoundingClientRect().top !== lanes[1].getBoundingClientRect().top)
		return;
	const down = firsts[0].getBoundingClientRect().top - firsts[1].getBoundingClientRect().top;
	lanes[down < 0 ? 0 : 1].style.setProperty("--down", `${Math.abs(down)}px`);
}

function drawSides() {
	const shown = SIDES.filter(([side]) => data[side]), rows = shown.map(([side]) => rowsOf(side));
	const threads = columnsOf(rows.flat());
	at("sides").replaceChildren();
	shown.forEach((side, i) => showSide(side, rows[i], threads));
	/* Stretches, and with them threads, that are too far from the pair to be shown at first. */
	at("sides-more").hidden = !shown.some(([side]) => data[side].isCut);
}

function showSides() {
	drawSides();
	at("sides-more").addEventListener("click", () => {
		closePanel();
		context = Infinity;
		drawSides();
		align();
	});
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
