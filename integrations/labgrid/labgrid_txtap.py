# SPDX-License-Identifier: MIT
"""A driver for labgrid that reads the trace of a board with the program txtap.

The driver reads through a debug probe on USB, through a probe of another host over SSH, or through a debug server. It
only starts the program. Recordings and their questions are those of the plug-in for pytest, which is needed, too.
"""

import contextlib
import os
import pathlib
import shlex
import subprocess
import tempfile

import attr
from labgrid.driver import Driver, ExecutionError
from labgrid.factory import target_factory
from labgrid.resource.common import NetworkResource, Resource
from labgrid.resource.udev import USBResource
from labgrid.step import step
from labgrid.util.managedfile import ManagedFile

import pytest_txtap

WAYS = ("tcl", "gdb", "stlink-server", "probe")
SOME_SECONDS = "--seconds=5"
# Runs a program until it ends, or until standard input ends, which interrupts the program. So a recording on another
# host ends as with Ctrl-C when the driver, or the connection, ends.
UNTIL_INPUT_ENDS = """exec 3<&0
"$@" </dev/null 3<&- &
program=$!
{ read -r line <&3; kill -INT "$program" 2>/dev/null; } >/dev/null 2>&1 &
reader=$!
wait "$program"
status=$?
kill "$reader" 2>/dev/null
exit "$status\""""


@target_factory.reg_resource
@attr.s(eq=False)
class TxtapProbe(USBResource):
    """A probe on USB of any model, which labgrid finds by its rules `match`. USBDebugger has only models that labgrid knows.
    """

    def filter_match(self, device):
        return device.device_type == "usb_device" and super().filter_match(device)


@target_factory.reg_resource
@attr.s(eq=False)
class TxtapTarget(Resource):
    """A debug server, or a probe that labgrid does not find by itself.

    Args:
        way (str): "tcl", "gdb", "stlink-server" or "probe": the option of txtap
        address (str): its value: [HOST:]PORT; for a probe its serial number, or its port on USB, such as usb:1-4.2
    """

    way = attr.ib(validator=attr.validators.in_(WAYS))
    address = attr.ib(validator=attr.validators.instance_of(str), converter=str)


@target_factory.reg_resource
@attr.s(eq=False)
class NetworkTxtapTarget(NetworkResource):
    """A TxtapTarget of another host, on which txtap then runs over SSH.

    Args:
        host (str): the other host
        way (str), address (str): as for TxtapTarget
    """

    way = attr.ib(validator=attr.validators.in_(WAYS))
    address = attr.ib(validator=attr.validators.instance_of(str), converter=str)


class RemoteRecording(pytest_txtap.Txtap):
    """A recording of a program on another host, which sends it over SSH. The questions about it run here."""

    def __init__(self, prefix, remote, *arguments):
        self._prefix, self._remote = prefix, remote
        super().__init__(*arguments)

    def _begin(self, arguments):
        command = ["sh", "-c", UNTIL_INPUT_ENDS, "sh", self.program, *arguments, "-o", "-", self._remote]
        with open(self.recording, "wb") as recording:
            return pytest_txtap.start([*self._prefix, *map(shlex.quote, command)], self.log, subprocess.PIPE, recording)

    def _interrupt(self):
        self._process.stdin.close()
        return self._process.wait(pytest_txtap.END_S)

    def close(self):
        self._process.stdin.close()
        super().close()


@target_factory.reg_driver
@attr.s(eq=False)
class TxtapDriver(Driver):
    """Reads the trace of a board.

    Args:
        image (str): the firmware's ELF file: a name of `images` in the environment, or a path
        options (str): more options of recordings, such as "--hz 168M"
        probe_options (str): more options of everything that reads the board, such as "--chip rp2040"
    """

    bindings = {"port": {TxtapProbe, "USBDebugger", "NetworkUSBDebugger", TxtapTarget, NetworkTxtapTarget}}
    image = attr.ib(validator=attr.validators.instance_of(str))
    options = attr.ib(default="", validator=attr.validators.instance_of(str))
    probe_options = attr.ib(default="", validator=attr.validators.instance_of(str))

    def __attrs_post_init__(self):
        super().__attrs_post_init__()
        self._recordings = []

    def on_deactivate(self):
        while self._recordings:
            self._recordings.pop().close()

    # ---- commands that read the board ----

    @Driver.check_active
    @step(result=True)
    def info(self):
        """Returns the text of 'txtap info'."""
        return self._run("info").decode(errors="replace")

    @Driver.check_active
    @step(args=["path"])
    def snapshot(self, path):
        """Writes a copy of the trace buffer to a file."""
        pathlib.Path(path).write_bytes(self._run("snapshot", "-o", "-"))

    @Driver.check_active
    @step(args=["options"])
    def record(self, folder, *options):
        """Begins a recording in a folder, with options of 'txtap record'. Returns a pytest_txtap.Txtap."""
        pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
        arguments = self._program, self._elf, self._way, [*shlex.split(self.options), *options], pathlib.Path(folder)
        if self.port.command_prefix:
            recording = RemoteRecording(self.port.command_prefix, self._elf_there, *arguments)
        else:
            recording = pytest_txtap.Txtap(*arguments)
        self._recordings.append(recording)
        return recording

    @Driver.check_active
    @step(args=["options"])
    def report(self, *options):
        """Records with these options of 'txtap record' until they end it. Returns the figures, a pytest_txtap.Report."""
        with self._recorded(options) as recording:
            return recording.report

    @Driver.check_active
    @step(args=["checks"])
    def check(self, *checks, options=()):
        """Records as report() does. Raises AssertionError unless all checks are ok."""
        with self._recorded(options) as recording:
            recording.check(*checks)

    # ---- parts ----

    @contextlib.contextmanager
    def _recorded(self, options):
        with tempfile.TemporaryDirectory(prefix="labgrid-txtap-") as folder:
            recording = self.record(folder, *(options or [SOME_SECONDS]))
            try:
                recording.wait()
                yield recording
            finally:
                recording.close()
                self._recordings.remove(recording)

    def _run(self, command, *arguments):
        """Runs a command of txtap, on the host of the probe. Returns its output."""
        words = [self._program, command, *self._way, *arguments, self._elf_there]
        prefix = self.port.command_prefix
        done = subprocess.run([*prefix, *map(shlex.quote, words)] if prefix else words, stdin=subprocess.DEVNULL,
                              capture_output=True, check=False)
        if done.returncode != 0:
            raise ExecutionError(done.stderr.decode(errors="replace").strip() or f"txtap {command}: status {done.returncode}")
        return done.stdout

    @property
    def _config(self):
        return self.target.env.config if self.target.env else None

    @property
    def _program(self):
        return (self._config.get_tool("txtap") if self._config else None) or "txtap"

    @property
    def _elf(self):
        if self._config and self.image in self._config.get_images():
            return self._config.get_image_path(self.image)
        return os.path.abspath(self.image)

    @property
    def _elf_there(self):
        """The ELF file on the host of the probe. Copies it there if it has changed."""
        file = ManagedFile(self._elf, self.port)
        file.sync_to_resource()
        return file.get_remote_path()

    @property
    def _way(self):
        """The options that lead to the board. A probe that labgrid has found is at its port on USB."""
        if isinstance(self.port, (TxtapTarget, NetworkTxtapTarget)):
            way = f"--{self.port.way}={self.port.address}"
        else:
            way = f"--probe=usb:{self.port.path}"
        return [way, *shlex.split(self.probe_options)]
