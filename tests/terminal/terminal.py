# SPDX-License-Identifier: MIT
"""A terminal for one command: types keys, and waits for what the command prints. There is no pause anywhere: each wait
is for an event, and the limit of the whole test ends a wait in vain."""
import ctypes, errno, os, signal, sys, termios, fcntl, struct

ERM = os.environ["ERM"]
PR_SET_CHILD_SUBREAPER = 36
ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)  # a process whose parent is killed is waited for here


class Terminal:
    def __init__(self, *command, rows=24, columns=80, term="xterm", stderr=None):
        self.seen, self.command, self.status = b"", command, None
        self.master, self.slave = os.openpty()
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.before = termios.tcgetattr(self.slave)
        self.pid = os.fork()
        if not self.pid:
            os.setsid()
            fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)
            for fd in range(3):
                os.dup2(self.slave, fd)
            if stderr:
                os.dup2(os.open(stderr, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), 2)
            os.environ["TERM"] = term
            os.execv(ERM, ("eremite", "run") + command)

    def expect(self, text, count=1):
        """Waits until the command has printed the text so many times since the last call of clear()."""
        while self.seen.count(text) < count:
            try:
                more = os.read(self.master, 65536)
            except OSError as error:
                more = b"" if error.errno == errno.EIO else None
            if not more:
                fail(f"{self.command}: ended before it printed {text!r}; it printed {self.seen!r}")
            self.seen += more

    def clear(self):
        self.seen = b""

    def type(self, keys):
        os.write(self.master, keys)

    def is_raw(self):
        return not termios.tcgetattr(self.slave)[3] & (termios.ECHO | termios.ICANON | termios.ISIG)

    def is_restored(self):
        return termios.tcgetattr(self.slave) == self.before

    def end(self, status, output=None):
        """Waits for the end, compares status and all that was printed since clear(), and looks whether the terminal
        has its settings again."""
        _, got = os.waitpid(self.pid, 0)
        os.set_blocking(self.master, False)  # all has been printed
        try:
            while more := os.read(self.master, 65536):
                self.seen += more
        except (BlockingIOError, OSError):
            pass
        got = os.waitstatus_to_exitcode(got)
        if got != status:
            fail(f"{self.command}: status {got} instead of {status}; it printed {self.seen!r}")
        if output is not None and self.seen != output:
            fail(f"{self.command}: it printed {self.seen!r} instead of {output!r}")
        if not self.is_restored():
            fail(f"{self.command}: the terminal does not have its settings again")
        os.close(self.master)
        os.close(self.slave)


def fail(text):
    print(text)
    sys.exit(1)


def check(holds, text):
    if not holds:
        fail(text)
