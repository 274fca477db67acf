/* SPDX-License-Identifier: MIT */
/* The map of the tried schedules: a mark for each run. */
const MAP_WIDTH = 1000, MAP_LEFT = 170, MAP_RIGHT = 20, MAP_HEIGHT = 560;
const ROW_MAX = 9; /* height of a try in the map */
const BAND_MIN = 16; /* height of a step, for its name */
const LINEAR_MAX = 60; /* edits up to which the map is linear */

const STEPS = {confirm: "confirm", output: "output under fifo", follow: "follow", fifo: "fifo", pass: "look for a pass", minimise: "leave out",
	nearest: "nearest", bisect: "bisect", pair: "the pair", "another pair": "another pair", look: "look", "flip: failing order": "A before B",
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
		/* The flip check is made again with other pairs. */
		const again = made.step.startsWith("flip") && bands.some((other) => other.step === made.step && other !== band);
		if (band && band.step === made.step)
			band.count++;
		else
			bands.push({step: made.step, first: i, count: 1, name: (STEPS[made.step] || made.step) + (again ? ", with others" : "")});
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
