/* SPDX-License-Identifier: MIT */
/* The stack of an event, the other parts of the page, and the start. */
const NEEDED_MAX = 16;
const RACES_MAX = 20;

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

/* If the operations of the pair are about different objects, what the first thread does next counts. */
function goesOn(event, other) {
	const next = meet(event, other) ? null : nextOf(event), where = next ? place(next, false) : [];
	return next ? [" and goes on to where it ", ...action(next), ...(where.length ? [" (", ...where, ")"] : []), ","] : [];
}

function showHead() {
	const program = base(data.program), pair = data.pair;
	document.title = `${program}: eremite analyze`;
	at("program").append("eremite analyze: ", name(data.program));
	if (pair && data.decides === "no")
		at("summary").append(`Which order of events decides was not found. One of several conditions is that `, ...sentence(pair[0]), ...goesOn(pair[0], pair[1]),
			" before ", ...sentence(pair[1]), ".");
	else if (pair)
		at("summary").append(name(program), ` ${predicate(data.failing.end)} if `, ...sentence(pair[0]), ...goesOn(pair[0], pair[1]), " before ", ...sentence(pair[1]),
			data.decides === "together" ? `, together with ${plural(data.others.length + data.others_to_pass.length, "other order")} (see the flip check)` : "",
			data.decides === "unknown" ? `. This is so in the nearest schedules that fail and pass; others were not tried to the end.` : `. In the other order it ${predicate(data.passing.end)}.`);
	else if (data.verdict)
		at("summary").append(`No two events were found whose order decides: ${data.verdict}.`);
	else
		at("summary").append("The analysis did not end.");
	if (pair)
		at("evidence").append(`Checked: ${data.headline}.`);
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
	if (meet(a, b)) {
		at("meeting").append("They meet at ", ...(a.object ? [name(a.object), ` (${a.address}).`] : [`${a.address}, which is no variable with a name.`]));
		return;
	}
	at("meeting").append("Their operations name no common object. The threads meet in what each of them does up to its next event.");
	for (const event of data.pair) {
		const next = nextOf(event), where = next ? place(next, true) : [];
		at("meeting").append(` The next one of thread ${event.thread} `, ...(next ? [...action(next), ...(where.length ? [" ", ...where] : [])] : ["is not near, or it has none"]), ".");
	}
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
			!of.written || of.replays !== false ? "" : make("p", {class: "notice"}, "Its replay did not end in this way: the program is not deterministic here.")));
	}
	at("again").hidden = !at("commands").childElementCount;
}

/* What a passing try does not write is in the file of the search, which somebody else may have written. */
function showFailure() {
	const differs = (Array.isArray(data.differs) ? data.differs : []).filter((line) => typeof line === "string" && !data.said.includes(line));
	const lines = differs.length ? ["a passing try does not write:", ...differs.map((line) => `  ${line}`)] : [];
	at("failure-stacks").textContent = [...data.said, ...lines, ...data.stacks].join("\n");
	at("failure").hidden = !data.said.length && !data.stacks.length;
}

/* --- races --- */

/* The races of the search are in a file that somebody else may have written. */
const isRace = (race) => race && Array.isArray(race.accesses) && race.accesses.length === 2 && race.accesses.every((access) => access);

function showRaces() {
	const races = Array.isArray(data.races) ? data.races.filter(isRace) : [], sorted = [...races.filter((race) => race.class === "certain"),
		...races.filter((race) => race.class !== "certain")];
	const verb = (access) => access.frees ? "frees" : access.writes ? "writes" : "reads";
	at("races").hidden = !races.length;
	sorted.slice(0, RACES_MAX).forEach((race) => {
		const [first, second] = race.accesses;
		at("races-list").append(make("li", {}, make("details", {},
			make("summary", {}, race.class === "certain" ? "" : "possible: ", name(`${first.place}`), ` ${verb(first)} `, name(`${race.object}`), ", ",
				name(`${second.place}`), ` ${verb(second)} it`),
			...[first, second].map((access) => make("div", {}, `Thread ${access.thread} ${verb(access)}:`, make("pre", {}, `${access.stack}`))))));
	});
	if (races.length > RACES_MAX)
		at("races-more").append(`… and ${number(races.length - RACES_MAX)} more.`);
}

/* --- decisions, flip check --- */

/* What a thread does in an event, where, and a button that shows its stack. */
function actionWithStack(event) {
	const where = place(event, true);
	return [...action(event), ...(where.length ? [" ", ...where] : []), " ",
		event.stack ? make("span", {class: "screen-only"}, "(", opens(make("button", {type: "button", class: "link"}, "stack"), event), ")") : ""];
}

function showNeeded() {
	const forms = {point: "makes way for thread", wait: "waits, and next runs thread", woken: "makes way, at the end of this operation, for thread",
		tick: "makes way at a tick for thread"};
	const jump = "time jumps, though a thread is ready,";
	const count = data.needed.length;
	at("needed").hidden = !count;
	at("needed-text").append(`The ${data.needed_to_pass ? "passing" : "given"} schedule takes ${plural(data.decisions, "decision")} other than fifo's. `,
		`${count === 1 ? "One of them is" : `${number(count)} of them are`} needed to ${data.needed_to_pass ? "pass" : "fail"}; each of the others can be left out.`);
	data.needed.slice(0, NEEDED_MAX).forEach((needed) => {
		const what = needed.kind === "jump" ? `${jump} when thread ${needed.thread} waits in it: it `
			: needed.kind === "leap" ? `${jump} before thread ${needed.thread} `
			: needed.kind === "wait" && needed.thread === needed.next ? `thread ${needed.thread} is woken and goes on at once when it `
			: needed.kind === "stay" ? `thread ${needed.thread} goes on although it yields, from where it `
			: needed.kind === "choice" ? `${needed.choice}, when thread ${needed.thread} does this: it `
			: `thread ${needed.thread} ${forms[needed.kind]} ${needed.next} ${needed.kind === "point" ? "before it " : "when it "}`;
		at("needed-list").append(make("li", {}, what, ...actionWithStack(needed)));
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
	const head = ["Order", "Runs", "Kept this order", "Failed", "Passed", "Ended otherwise"];
	const flips = [(flip) => !flip.with_others && !flip.same_beginning, (flip) => !flip.with_others && flip.same_beginning, (flip) => flip.with_others]
		.map((is) => data.flips.filter(is));
	const captions = ["With this order alone", "With this order alone, after the same beginning", "With these orders kept, too"];
	const both = [["others", data.others], ["others-to-pass", data.others_to_pass]];
	at("flips").hidden = !data.pair;
	for (const [id, pairs] of both) {
		pairs.forEach((pair) => at(`${id}-list`).append(
			make("li", {}, `thread ${pair.first.thread} `, ...actionWithStack(pair.first),
				` before thread ${pair.second.thread} `, ...actionWithStack(pair.second))));
		at(id).hidden = !pairs.length;
	}
	flips.forEach((two, kind) => {
		if (two.length)
			at(kind === 2 ? "others-table" : "flips-table").append(table(captions[kind], head, two.map((flip) => [
				make("th", {scope: "row"}, flip.order === "failing" ? "A before B" : "B before A"),
				...[flip.seeds, flip.kept, flip.failed, flip.passed, flip.otherwise].map((value) => make("td", {}, number(value)))])));
	});
	at("flips-verdict").append(...data.flip_verdict.map((line) => make("p", {}, `${line[0].toUpperCase()}${line.slice(1)}.`)));
}

/* --- print --- */

/* All stacks, of which each is shown once. */
function showStacks() {
	const seen = new Set(), put = (event, where) => {
		const mark = markOf(event), key = JSON.stringify([event.thread, event.operation, event.part, event.stack]);
		if (seen.has(key))
			return;
		seen.add(key);
		at("stacks").append(make("h3", {}, mark ? `${mark === "A" ? "▲" : "◆"} ${mark}: ` : "", `${where}, thread ${event.thread} `, ...action(event)),
			make("pre", {}, ...stackLines(event)));
	};
	at("stacks").append(make("h2", {}, "Stacks"));
	for (const [side] of SIDES)
		(data[side] ? data[side].events : []).forEach((event) => put(event, `event ${number(event.event)} (${side})`));
	[...data.others, ...data.others_to_pass].forEach((pair) => [pair.first, pair.second].forEach((event) => put(event, "of another pair")));
}

at("main").hidden = false; /* before the lanes are aligned */
at("panel-close").addEventListener("click", closePanel);
showHead();
showPair();
showCommands();
showFailure();
showRaces();
showSides();
showNeeded();
showFlips();
showMap();
showStacks();
