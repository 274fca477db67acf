# SPDX-License-Identifier: MIT
#
# Drives headless Chromium by its DevTools protocol over a pipe: each message is JSON that ends with a NUL.
import collections
import fcntl
import json
import os
import select
import subprocess
import time

SECONDS = 120  # until an answer is given up


class Chromium:
    """A browser with one tab. Answers and events come from the same pipe."""

    def __init__(self, command, directory):
        to_read, self.to = os.pipe()
        self.at, to_write = os.pipe()
        # The protocol has the browser read from descriptor 3 and write to 4.
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (to_read, to_write)]
        shell = f'exec "$@" 3<&{ends[0]} 4>&{ends[1]}'
        words = [command, "--headless", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--disable-dev-shm-usage",
                 "--disable-background-networking", "--remote-debugging-pipe", f"--user-data-dir={directory}"]
        if os.getuid() == 0:
            words.append("--no-sandbox")
        self.log = os.path.join(directory, "log")
        self.process = subprocess.Popen(["bash", "-c", shell, "bash"] + words + ["about:blank"], pass_fds=ends,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=open(self.log, "wb"))
        for end in (to_read, to_write, *ends):
            os.close(end)
        self.rest = b""
        self.number = 0
        self.events = collections.deque()
        self.session = None
        target = next(found for found in self.call("Target.getTargets")["targetInfos"] if found["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]

    def read(self, end):
        while b"\0" not in self.rest:
            if not select.select([self.at], [], [], max(0, end - time.monotonic()))[0]:
                raise SystemExit("chromium does not answer")
            more = os.read(self.at, 1 << 20)
            if not more:
                with open(self.log, errors="replace") as log:
                    raise SystemExit("chromium has ended: " + " ".join(log.read().splitlines()[-3:]))
            self.rest += more
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + SECONDS
        while True:
            answer = self.read(end)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise SystemExit(f"chromium: {method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def wait(self, method):
        """Waits for an event. Earlier ones stay in `events`."""
        end = time.monotonic() + SECONDS
        while not any(event.get("method") == method for event in self.events):
            self.events.append(self.read(end))

    def load(self, url):
        self.events.clear()
        self.call("Page.navigate", url=url)
        self.wait("Page.loadEventFired")

    def value(self, script):
        """What a script evaluates to."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise SystemExit(f"chromium: {script}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def key(self, name):
        """Presses and releases a key."""
        codes = {"Tab": 9, "Enter": 13, "Escape": 27, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}
        given = {"key": name, "code": name, "windowsVirtualKeyCode": codes[name]}
        if name == "Enter":
            given["text"] = "\r"
        self.call("Input.dispatchKeyEvent", type="keyDown", **given)
        self.call("Input.dispatchKeyEvent", type="keyUp", **given)

    def click(self, selector):
        """Clicks into the middle of an element."""
        x, y = self.value(f"""(() => {{ const element = document.querySelector({json.dumps(selector)});
            element.scrollIntoView({{block: "center"}});
            const box = element.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()""")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def close(self):
        self.session = None
        self.call("Browser.close")
        self.process.wait(SECONDS)
