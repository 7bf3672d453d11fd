# SPDX-License-Identifier: MIT
"""Records the trace of a microcontroller around a test, with the program txtap.

The fixture `txtap` records while its test runs. It answers questions about the recording: figures, checks, variables,
events. A test that fails keeps its recording, a page with the timeline, and a report. This module only starts the
program: it knows neither probes nor the layout of a trace.
"""

import ctypes
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import threading

import pytest

ATTACH_S = 30  # how long a target may take until its trace is found
START_S = 60  # how long the virtual board may take to start
END_S = 60  # how long a program may take to end after a signal
PR_SET_PDEATHSIG = 1
CHOICES = {"event", "thread", "object", "isr", "context", "from", "to"}


class TxtapError(Exception):
    """The program txtap failed: the text is its message."""


def pytest_addoption(parser):
    group = parser.getgroup("txtap", "trace of a microcontroller (txtap)")
    group.addoption("--txtap-elf", metavar="FILE", help="the firmware's ELF file")
    group.addoption("--txtap-probe", metavar="SERIAL|usb:PORT", help="read through this USB probe (default: txtap chooses the way)")
    group.addoption("--txtap-openocd", metavar="[HOST:]PORT", help="read through the Tcl port of an OpenOCD that runs")
    group.addoption("--txtap-vboard", action="store_true", help="run the ELF file on a virtual board, a new one for each test")
    group.addoption("--txtap-vboard-program", default="txtap-vboard", metavar="PATH", help="the virtual board (default: txtap-vboard)")
    group.addoption("--txtap-program", default="txtap", metavar="PATH", help="the program txtap (default: txtap in PATH)")
    group.addoption("--txtap-options", default="", metavar="OPTIONS", help="more options of 'txtap record', such as '--hz 168M'")
    group.addoption("--txtap-artifacts", default="txtap-artifacts", metavar="DIR",
                    help="folder for the files of failed tests (default: txtap-artifacts)")


def pytest_configure(config):
    config.addinivalue_line("markers", "txtap(*options): options of 'txtap record' for the recording of this test")
    config.addinivalue_line("markers", "txtap_vboard(*options): options of 'txtap-vboard' for the board of this test")


def marked(item, name):
    """Returns the options of all marks of this name."""
    return [str(option) for mark in reversed(list(item.iter_markers(name))) for option in mark.args]


def end_with_parent():
    """Makes the system end the process if the thread of pytest that started it is killed."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def start(command, log, stdin=subprocess.DEVNULL, stdout=None):
    """Starts a process whose messages, and its output without `stdout`, go to the file `log`. Its own process group keeps
    Ctrl-C away from it."""
    with open(log, "wb") as messages:
        try:
            return subprocess.Popen(command, stdin=stdin, stdout=stdout or messages, stderr=messages,
                                    start_new_session=True, preexec_fn=end_with_parent)
        except OSError as error:
            raise TxtapError(f"{command[0]}: {error.strerror}")


def end(process, number):
    """Sends a signal to a process and returns its exit status."""
    if process.poll() is None:
        process.send_signal(number)
    try:
        return process.wait(END_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        raise TxtapError(f"{process.args[0]} has not ended {END_S} s after a signal")


def last_line(path):
    """Returns the last message of a log, without the hint to the program's help."""
    lines = path.read_text(errors="replace").split("\n") if path.exists() else []
    return next((line for line in reversed(lines) if line.strip() and not line.startswith("Try `")), "no message")


def wait_until(process, condition, seconds, log, purpose):
    """Waits until condition() is true. Fails if the process ends before, or after `seconds`."""
    ended = threading.Event()
    threading.Thread(target=lambda: (process.wait(), ended.set()), daemon=True).start()
    for _ in range(seconds * 50):
        if condition():
            return
        if ended.wait(0.02) and not condition():
            raise TxtapError(f"{purpose}: {last_line(log)}")
    end(process, signal.SIGTERM)
    raise TxtapError(f"{purpose}: not within {seconds} s: {last_line(log)}")


class Board:
    """A virtual board, with an emulated ST-Link that `port` leads to."""

    def __init__(self, program, options, elf, folder):
        self.log = folder / "board.log"
        port_file = folder / "board.port"
        port_file.unlink(missing_ok=True)
        self.process = start([program, "--port", "0", "--port-file", str(port_file), *options, elf], self.log)
        wait_until(self.process, lambda: port_file.exists() and port_file.read_text().strip(), START_S, self.log,
                   "the virtual board does not start")
        self.port = int(port_file.read_text())

    def close(self):
        end(self.process, signal.SIGTERM)


class Report(dict):
    """The statistics of each figure by its name, such as report["response(control)"]["max"]["value"]."""

    def __init__(self, whole):
        super().__init__()
        self.whole = whole
        for figure in whole["figures"]:
            names = [figure[key].get("name", figure[key].get("address", figure[key].get("number")))
                     for key in ("subject", "other") if figure.get(key, {}).get("kind", "system") != "system"]
            self[figure["name"] + (f"({', '.join(map(str, names))})" if names else "")] = figure["stats"]


class Txtap:
    """A recording of the target, and questions about it. The first question ends the recording."""

    def __init__(self, program, elf, target, options, folder):
        self.program, self.elf, self.folder = program, elf, folder
        self.recording = folder / "run.rec"
        self.log = folder / "record.log"
        self._process = self._begin(["record", f"--wait={ATTACH_S}", *target, *options])
        try:
            wait_until(self._process, self._attached, 2 * ATTACH_S, self.log, "the recording does not begin")
        except BaseException:
            self.close()
            raise

    def _begin(self, arguments):
        """Starts the program with these arguments, an output and an ELF file. Returns the process."""
        return start([self.program, *arguments, "--force", "-o", str(self.recording), self.elf], self.log)

    def _interrupt(self):
        """Ends the process as Ctrl-C does. Returns its status."""
        return end(self._process, signal.SIGINT)

    def _attached(self):
        return "\ntxtap: attached to " in "\n" + self.log.read_text(errors="replace")

    def wait(self, timeout=None):
        """Waits until the recording ends by itself, because of --limit, --seconds or --trigger."""
        try:
            self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            raise TxtapError(f"the recording has not ended after {timeout} s: {last_line(self.log)}")
        self.stop()

    def close(self):
        """Ends the program."""
        end(self._process, signal.SIGTERM)

    def stop(self):
        """Ends the recording."""
        status = self._interrupt()
        if status not in (0, 5, 6, 7):  # 5: lost events, 6 and 7: --check, all with a complete recording
            raise TxtapError(f"the recording ended with status {status}: {last_line(self.log)}")

    def run(self, command, *arguments, valid=(0,)):
        """Runs 'txtap COMMAND' with the recording. Returns the status and the output."""
        self.stop()
        done = subprocess.run([self.program, command, "-q", *arguments, str(self.recording)], stdin=subprocess.DEVNULL,
                              capture_output=True, check=False)
        if done.returncode not in valid:
            raise TxtapError(done.stderr.decode(errors="replace").strip() or f"txtap {command}: status {done.returncode}")
        return done.returncode, done.stdout.decode(errors="replace")

    @property
    def report(self):
        """The figures of 'txtap report', a Report."""
        return Report(json.loads(self.run("report", "-f", "json")[1]))

    def check(self, *checks):
        """Fails the test unless all checks are ok. Without checks: the checks that 'txtap check' makes by itself."""
        __tracebackhide__ = True
        options = [f"--check={one}" for one in checks]
        status, output = self.run("check", "--annotations=never", *options, valid=(0, 6, 7))
        if status != 0:
            bad = [line for line in output.splitlines() if not line.startswith("ok ")]
            raise AssertionError(f"{'a check failed' if status == 6 else 'a check cannot be decided'}\n" + "\n".join(bad))

    def events(self, choice=""):
        """The events, as dicts. `choice` is a text such as 'event=tx_queue_send thread=producer'."""
        options = []
        for word in shlex.split(choice):
            name, _, value = word.partition("=")
            if name not in CHOICES or not value:
                raise ValueError(f"'{word}': give NAME=VALUE, with a name of {', '.join(sorted(CHOICES))}")
            options.append(f"--{name}={value}")
        return [line for line in self._lines(*options) if line["type"] == "event"]

    @property
    def values(self):
        """The samples of each variable of --watch, as lists of (time, value). Times are ticks if no rate is known."""
        values = {}
        for line in self._lines():
            if line["type"] == "sample":
                values.setdefault(line["channel"], []).append((line.get("seconds", line["ticks"]), line.get("value")))
        return values

    def _lines(self, *options):
        return map(json.loads, self.run("decode", "-f", "jsonl", *options)[1].splitlines())

    def keep(self):
        """Writes the page and the report beside the recording. Returns the files by their kinds."""
        kept = {"recording": self.recording}
        for kind, name, command in (("page", "page.html", "view"), ("report", "report.txt", "report")):
            try:
                self.run(command, "--force", "-o", str(self.folder / name), valid=(0, 5))
                kept[kind] = self.folder / name
            except TxtapError as error:
                (self.folder / (name + ".error")).write_text(f"{error}\n")
        return {kind: path for kind, path in kept.items() if path.exists()}


def folder_of(item):
    """Returns the folder for the files of a test: its readable name, and a number that makes it unique."""
    name = re.sub(r"[^A-Za-z0-9_.-]+", "_", item.nodeid)[-80:].strip("._")
    unique = hashlib.sha256(item.nodeid.encode(errors="replace")).hexdigest()[:8]
    return pathlib.Path(item.config.getoption("--txtap-artifacts")).absolute() / f"{name}.{unique}"


def remove(folder):
    """Removes the folder of a test, and the folder of all tests if it is empty."""
    shutil.rmtree(folder, ignore_errors=True)
    try:
        folder.parent.rmdir()
    except OSError:
        pass


@pytest.fixture
def txtap(request):
    """A recording of the target that began before the test: see `Txtap`."""
    option = request.config.getoption
    elf = option("--txtap-elf")
    if not elf:
        pytest.skip("no firmware: give --txtap-elf FILE")
    elf = os.path.abspath(elf)
    places = [name for name in ("probe", "openocd") if option(f"--txtap-{name}")]
    if option("--txtap-vboard"):
        places.append("vboard")
    if len(places) > 1:
        raise pytest.UsageError("give only one of " + ", ".join(f"--txtap-{name}" for name in places))
    folder = folder_of(request.node)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    board = recording = None
    try:
        target = []
        if "vboard" in places:
            board = Board(option("--txtap-vboard-program"), marked(request.node, "txtap_vboard"), elf, folder)
            target = [f"--stlink-server=127.0.0.1:{board.port}"]
        elif "openocd" in places:
            target = [f"--tcl={option('--txtap-openocd')}"]
        elif "probe" in places:
            target = [f"--probe={option('--txtap-probe')}"]
        options = shlex.split(option("--txtap-options")) + marked(request.node, "txtap")
        recording = Txtap(option("--txtap-program"), elf, target, options, folder)
        request.node.stash[RECORDING] = recording
        yield recording
        recording.stop()
        if not request.node.stash.get(FAILED, False):
            remove(folder)
    except TxtapError as error:
        pytest.fail(f"TxtapError: {error}", pytrace=False)
    finally:
        if recording:
            recording.close()
        if board:
            board.close()


RECORDING = pytest.StashKey()
FAILED = pytest.StashKey()


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_makereport(item, call):
    """Keeps the files of a failed test, and names them in its output and in the properties of JUnit's file."""
    recording = item.stash.get(RECORDING, None)
    failed = call.excinfo is not None and not call.excinfo.errisinstance((pytest.skip.Exception,))
    if recording and failed and call.when == "call":
        item.stash[FAILED] = True
        try:
            kept = recording.keep()
            item.add_report_section("call", "txtap", "".join(f"{kind}: {path}\n" for kind, path in kept.items()))
            item.user_properties.extend((f"txtap_{kind}", str(path)) for kind, path in kept.items())
        except TxtapError as error:
            item.add_report_section("call", "txtap", f"{error}\n")
    yield
