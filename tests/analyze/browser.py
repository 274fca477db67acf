#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# browser.py CHROMIUM PAGE [PICTURES]: uses the page of an analysis as a reader does: by mouse, by keys, on paper, in the
# dark, on a small screen and without scripts. Without a pair, the page has to say why. Prints each offence, and ends with 1
# if there was one. Keeps pictures in the directory PICTURES.
import base64
import json
import os
import pathlib
import re
import sys
import tempfile

import chromium

WIDTH = 1280
NEEDED_MAX = 16  # the page shows so many of them
failed = []


def check(holds, text):
    if not holds:
        failed.append(text)
        print(f"page: {text}")


def size(browser, width, height):
    browser.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)


def media(browser, kind="", scheme="light"):
    browser.call("Emulation.setEmulatedMedia", media=kind, features=[{"name": "prefers-color-scheme", "value": scheme}])


def picture(browser, name):
    if len(sys.argv) > 3:
        taken = browser.call("Page.captureScreenshot", format="png", captureBeyondViewport=name != "panel")
        pathlib.Path(sys.argv[3], name + ".png").write_bytes(base64.b64decode(taken["data"]))


def focus(browser):
    """The event that has the focus: its side and number."""
    return browser.value("""(() => { const event = document.activeElement.closest(".event");
        return event && [event.dataset.side, +event.dataset.index]; })()""")


def shown(browser, selector):
    return browser.value(f"""[...document.querySelectorAll({json.dumps(selector)})]
        .filter((element) => element.checkVisibility() && element.getClientRects().length).length""")


def text(browser, selector):
    return browser.value(f"document.querySelector({json.dumps(selector)}).textContent")


def stack(event):
    """The text of an event's stack in the panel."""
    return "\n".join(event.get("stack") or ["No stack is known: the thread was not looked at in this event."])


def check_load(browser, url):
    browser.load(url)
    browser.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    for event in browser.events:
        method, about = event.get("method"), event.get("params", {})
        if method == "Network.requestWillBeSent":
            check(about["request"]["url"] == url, f"it asks for {about['request']['url']}")
        check(method not in ("Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled"), f"{method}: {about}")


def check_texts(browser, data):
    check(text(browser, "title").endswith(": eremite analyze"), f"the title is {text(browser, 'title')}")
    check(browser.value("document.title").endswith(": eremite analyze"), "a script of the program ran")
    sentence = text(browser, "#summary")
    for event in data["pair"]:
        for part in (f"thread {event['thread']} ", event.get("object") or event.get("op", "starts"), event.get("line", "").rsplit("/", 1)[-1]):
            check(part in sentence, f"the sentence '{sentence}' lacks {part}")
    commands = browser.value('[...document.querySelectorAll("#commands code")].map((code) => code.textContent)')
    check(commands == [data["failing"]["command"], data["passing"]["command"]], f"the commands are {commands}")
    check(shown(browser, "noscript *, [hidden] *") == 0, "something hidden is shown")


def check_lanes(browser, data):
    """A comes before B when it fails, and after it when it passes; both have words and shapes."""
    for side, order in (("failing", ["▲ A, first", "◆ B, second"]), ("passing", ["◆ B, first", "▲ A, second"])):
        marks = browser.value(f"""[...document.querySelectorAll("#side-{side} .of-pair")]
            .sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
            .map((event) => event.querySelector(".mark").textContent)""")
        check(marks == order, f"{side}: the pair is marked {marks}")
        events = browser.value(f'[...document.querySelectorAll("#side-{side} .event")].map((event) => +event.dataset.index)')
        lacks = {event["event"] for event in data[side]["events"]} - set(events)
        check(not lacks, f"{side}: these events are not shown: {lacks}")
        covered = browser.value(f"""[...document.querySelectorAll("#side-{side} .fold")].map((fold) => fold.textContent)
            .map((text) => +(/^… ([\\d,]+) events?/.exec(text) || [0, "0"])[1].replace(/,/g, "")).reduce((a, b) => a + b, 0)""")
        check(covered + len(events) == data[side]["count"], f"{side}: {covered} folded and {len(events)} shown events are not {data[side]['count']}")
    tops = browser.value('[...document.querySelectorAll(".side .of-pair")].map((event) => Math.round(event.getBoundingClientRect().top))')
    check(abs(tops[0] - tops[2]) <= 1, f"the pairs are not side by side: {tops}")
    over = browser.value("""[...document.querySelectorAll(".lanes > .number")].filter((number) => {
        const at = number.getBoundingClientRect();
        return [...number.parentElement.querySelectorAll(".event, .fold")].some((box) => {
            const other = box.getBoundingClientRect();
            return at.left < other.right - 1 && other.left < at.right - 1 && at.top < other.bottom - 1 && other.top < at.bottom - 1;
        });
    }).length""")
    check(over == 0, f"{over} numbers overlap boxes")
    gap = browser.value("""(() => { const lanes = document.querySelector("#side-failing .lanes");
        return lanes.querySelector(".thread span").getBoundingClientRect().top - lanes.getBoundingClientRect().top; })()""")
    check(gap < 30, f"the failing lane begins {gap} pixels below its top")
    columns = browser.value("""[...document.querySelectorAll(".event, .lanes > .thread")].map((element) =>
        [element.closest(".lanes").getAttribute("aria-label"), element.style.gridColumnStart, element.classList.contains("thread") ?
        element.textContent : "thread " + /thread (\\d+)/.exec(element.getAttribute("aria-label"))[1]].join())""")
    check(len(set(columns)) == len({tuple(column.rsplit(",", 2)[::2]) for column in columns}), "a thread has two columns")


def check_keys(browser, data):
    first = data["event"]
    browser.value("document.activeElement.blur()")
    for _ in range(40):
        browser.key("Tab")
        if focus(browser):
            break
    check(focus(browser) == ["failing", first], f"Tab leads to {focus(browser)} instead of the pair")
    browser.key("Tab")
    check((focus(browser) or [""])[0] == "passing", f"the next Tab leads to {focus(browser)}")
    browser.key("ArrowLeft")
    check(focus(browser) == ["failing", first], f"ArrowLeft leads to {focus(browser)}")
    check(shown(browser, "#panel") == 0, "the panel is open before it was asked for")
    browser.key("Enter")
    check(shown(browser, "#panel") == 1, "Enter does not open the panel")
    check(browser.value('document.activeElement.getAttribute("aria-expanded")') == "true", "the open event does not say so")
    check(text(browser, "#panel-stack").strip() == stack(data["pair"][0]), f"the panel shows {text(browser, '#panel-stack')}")
    picture(browser, "panel")
    browser.key("ArrowDown")
    check(focus(browser) == ["failing", first + 1], f"ArrowDown leads to {focus(browser)}")
    check(text(browser, "#panel-stack").strip() == stack(data["pair"][1]), "the panel does not follow the focus")
    check(browser.value("""document.activeElement.getBoundingClientRect().bottom <=
        document.getElementById("panel").getBoundingClientRect().top + 1"""), "the panel covers the event")
    browser.key("ArrowUp")
    browser.key("ArrowRight")
    check(focus(browser) == ["passing", first], f"ArrowRight leads to {focus(browser)}")
    check(text(browser, "#panel-stack").strip() == stack(data["pair"][1]), "the panel does not follow to the other schedule")
    browser.key("End")
    last = focus(browser)
    browser.key("ArrowDown")
    check(focus(browser) == last and last[1] > first, f"the end is {last}, and below it {focus(browser)}")
    browser.key("Home")
    check(focus(browser)[1] < first, f"Home leads to {focus(browser)}")
    browser.key("Escape")
    check(shown(browser, "#panel") == 0, "Escape does not close the panel")
    check((focus(browser) or [""])[0] == "passing", f"after Escape the focus is at {focus(browser)}")
    tabs = browser.value('document.querySelectorAll(\'.event[tabindex="0"]\').length')
    check(tabs == 2, f"{tabs} events are reached by Tab instead of one in each schedule")


def check_mouse(browser, data):
    browser.click("#side-failing .of-pair.b")
    check(text(browser, "#panel-stack").strip() == stack(data["pair"][1]), "a click shows no stack")
    browser.click("#panel-close")
    check(shown(browser, "#panel") == 0, "the button does not close the panel")
    browser.click("#pair button")
    check(text(browser, "#panel-stack").strip() == stack(data["pair"][0]), "the stack of A is not shown")
    browser.key("Escape")
    browser.call("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
    browser.click("#commands .command:nth-child(2) button")
    browser.value('new Promise((done) => setTimeout(done, 300))')
    check(text(browser, "#status") == "Copied.", f"copying says '{text(browser, '#status')}'")
    copied = browser.value("navigator.clipboard.readText()")
    check(copied == data["passing"]["command"], f"{copied} is copied")


def check_map(browser, data):
    for outcome in ("fails", "passes", "otherwise"):
        wanted = sum(made["outcome"] == outcome for made in data["tries"] if "edits" in made)
        marks = shown(browser, f"#map-picture .mark-{outcome}")
        check(marks == wanted, f"the map has {marks} marks of {wanted} runs: {outcome}")
    check(browser.value('[...document.querySelectorAll("#map-picture path, #map-picture circle")].every((mark) => mark.querySelector("title"))'), "a mark has no title")
    places = browser.value("""[...document.querySelectorAll("#map-picture path, #map-picture circle")].map((mark) => {
        const box = mark.getBBox(); return [+/distance ([\\d,]+)$/.exec(mark.textContent)[1].replace(/,/g, ""), box.x + box.width / 2]; })""")
    places.sort()
    check(all(a[1] <= b[1] + 0.2 for a, b in zip(places, places[1:])), "a greater distance is further left")
    check(shown(browser, "#map-table tr") == 0, "the table of tries is open")
    browser.click("#map-details summary")
    rows = browser.value('[...document.querySelectorAll("#map-table tbody tr")].map((row) => row.cells[2].textContent)')
    check(shown(browser, "#map-table tr") == len(data["tries"]) + 1, "the table has not all tries")
    check(rows == [f"{made['edits']:,}" if "edits" in made else "?" for made in data["tries"]], "the table has other distances")
    browser.click("#map-details summary")


def brightness(color):
    parts = [int(part) / 255 for part in re.findall(r"\d+", color)[:3]]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def check_colors(browser, scheme):
    """WCAG 2.1, level AA: the contrast of text is at least 4.5."""
    media(browser, scheme=scheme)
    colors = browser.value("""[...document.querySelectorAll("main *")].filter((element) => element.getClientRects().length &&
        [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim())).map((element) => {
        let behind = element, back;
        do back = getComputedStyle(behind).backgroundColor; while (/, 0\\)$/.test(back) && (behind = behind.parentElement));
        const style = getComputedStyle(element), svg = element.namespaceURI.endsWith("svg");
        return [svg ? style.fill : style.color, svg ? getComputedStyle(document.querySelector(".band")).fill : back, element.textContent.trim().slice(0, 30)]; })""")
    worst = {}
    for front, back, words in colors:
        bright = sorted((brightness(front), brightness(back)))
        contrast = (bright[1] + 0.05) / (bright[0] + 0.05)
        if contrast < 4.5:
            worst[front, back] = f"{scheme}: the contrast of '{words}' is {contrast:.1f}: {front} on {back}"
    for said in worst.values():
        check(False, said)
    back = browser.value("getComputedStyle(document.documentElement).backgroundColor")
    check((brightness(back) < 0.1) == (scheme == "dark"), f"{scheme}: the background is {back}")


def check_widths(browser):
    for width in (WIDTH, 1200, 1000, 640, 400, 360):
        size(browser, width, 900)
        wide = browser.value("document.documentElement.scrollWidth")
        check(wide <= width, f"it is {wide} wide at {width}")
        hidden = browser.value("""new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(
            [...document.querySelectorAll(".lanes")].filter((lanes) => {
                const box = lanes.getBoundingClientRect(), pair = [...lanes.querySelectorAll(".of-pair")].map((event) => event.getBoundingClientRect());
                const left = Math.min(...pair.map((event) => event.left)), right = Math.max(...pair.map((event) => event.right));
                const numbers = Math.max(...[...lanes.querySelectorAll(".number")].map((number) => number.getBoundingClientRect().right));
                return right - left < box.right - numbers && (left < numbers - 1 || right > box.right);
            }).length))))""")
        # At the width as before, keys have moved to other events.
        check(width == WIDTH or not hidden, f"the pair is not in view in {hidden} lanes at {width}")
        picture(browser, f"width-{width}")
    size(browser, WIDTH, 900)


def check_flips(browser, data):
    rows = browser.value("""[...document.querySelectorAll("#flips tbody tr")].map((row) => [...row.cells].map((cell) => cell.textContent))""")
    wanted = [["A before B" if flip["order"] == "failing" else "B before A"] +
              [f"{flip[name]:,}" for name in ("seeds", "kept", "failed", "passed", "otherwise")] for flip in data["flips"]]
    check(rows == wanted, f"the flip check is {rows} instead of {wanted}")
    check(shown(browser, "#others-list li") == len(data["others"]), "the other orders are not those of the data")
    check(shown(browser, "#others-to-pass-list li") == len(data["others_to_pass"]), "the orders needed to pass are not those of the data")
    verdict = browser.value("""[...document.querySelectorAll("#flips-verdict p")].map((line) => line.textContent.toLowerCase())""")
    check(verdict == [line.lower() + "." for line in data["flip_verdict"]], f"the verdict is {verdict} instead of {data['flip_verdict']}")


def check_print(browser, data):
    browser.click("#side-failing .of-pair")
    media(browser, "print")
    check(shown(browser, "#panel") == 0, "the panel is printed")
    check(shown(browser, "button:not(.event):not(.link), kbd") == 0, "buttons are printed")
    printed = browser.value('[...document.querySelectorAll("#stacks pre")].filter((pre) => pre.getClientRects().length).map((pre) => pre.textContent.trim())')
    for event in data["failing"]["events"] + data["passing"]["events"] + [event for pair in data["others"] + data["others_to_pass"] for event in pair.values()]:
        check(not event.get("stack") or "\n".join(event["stack"]) in printed, f"the stack of an event is not printed: {event}")
    size(browser, 794, 900)  # A4
    picture(browser, "print")
    size(browser, WIDTH, 900)
    pdf = base64.b64decode(browser.call("Page.printToPDF", printBackground=False)["data"])
    check(pdf.startswith(b"%PDF") and len(pdf) > 20000, f"what is printed has {len(pdf)} bytes")
    if len(sys.argv) > 3:
        pathlib.Path(sys.argv[3], "print.pdf").write_bytes(pdf)
    media(browser)
    browser.key("Escape")


def check_names(browser):
    """What assistive software is told: each button and picture has a name."""
    for node in browser.call("Accessibility.getFullAXTree")["nodes"]:
        role = node.get("role", {}).get("value")
        if not node.get("ignored") and role in ("button", "image", "img", "region", "table"):
            check(node.get("name", {}).get("value"), f"an element for {role} has no name: {node.get('backendDOMNodeId')}")


def check_without_scripts(browser, url, data):
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    browser.load(url)
    browser.call("Emulation.setScriptExecutionDisabled", value=False)
    check(shown(browser, "noscript pre") == 1 and shown(browser, "main") == 0, "without scripts there is no text, or empty headings")
    check("the order of two events" in text(browser, "noscript") and data["pair"][0]["stack"][0] in text(browser, "noscript"),
          "the text without scripts lacks the pair")
    picture(browser, "no-scripts")


def check_needed(browser, data):
    """Each decision that the failure needs is shown, and jumps of time are named."""
    lines = browser.value("""[...document.querySelectorAll("#needed-list li")].map((line) => line.textContent)""")
    check(shown(browser, "#needed-list li") == len(lines) == min(len(data["needed"]), NEEDED_MAX), f"the needed decisions are {lines}")
    for needed, line in zip(data["needed"], lines):
        jump = {"jump": f"when thread {needed['thread']} waits in it: it ", "leap": f"before thread {needed['thread']} "}.get(needed["kind"])
        if jump:
            check(line.startswith(f"time jumps, though a thread is ready, {jump}"), f"the jump of time is '{line}'")
            check(needed.get("line", "").rsplit("/", 1)[-1] in line, f"the jump of time is '{line}', without its line")
        else:
            check("time jumps" not in line, f"a decision of the kind {needed['kind']} is '{line}'")


def check_pair(browser, data):
    check_texts(browser, data)
    check_lanes(browser, data)
    check_keys(browser, data)
    check_mouse(browser, data)
    check_map(browser, data)
    check_flips(browser, data)
    for scheme in ("light", "dark"):
        check_colors(browser, scheme)
        picture(browser, scheme)
    media(browser)
    check_widths(browser)
    check(shown(browser, ".side") == 2 and browser.value("""(() => { const [a, b] = document.querySelectorAll(".side");
        return a.getBoundingClientRect().top === b.getBoundingClientRect().top; })()"""), "the schedules are not side by side")
    check_names(browser)
    check_print(browser, data)
    check(browser.value("document.title").endswith(": eremite analyze"), "a script of the program ran")


def main():
    url = pathlib.Path(sys.argv[2]).resolve().as_uri()
    page = pathlib.Path(sys.argv[2]).read_text(encoding="utf-8")
    data = json.loads(re.search(r'(?s)<script type="application/json" id="data">(.*?)</script>', page)[1])
    with tempfile.TemporaryDirectory(dir=os.environ.get("T")) as directory:
        os.environ["HOME"] = directory
        browser = chromium.Chromium(sys.argv[1], directory)
        for domain in ("Page", "Runtime", "Network", "Log", "Accessibility"):
            browser.call(f"{domain}.enable")
        size(browser, WIDTH, 900)
        media(browser)
        check_load(browser, url)
        check_needed(browser, data)
        if "pair" in data:
            check_pair(browser, data)
            check_without_scripts(browser, url, data)
        else:
            why = data.get("verdict") or data.get("error") or "stopped by a signal"
            check(why in text(browser, "header"), "the page does not say why there is no pair")
            check_widths(browser)
        browser.close()
    return bool(failed)


sys.exit(main())
