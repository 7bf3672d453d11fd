# SPDX-License-Identifier: MIT
"""Connects the plug-in pytest_txtap with Zephyr's twister, whose harness for pytest starts pytest.

twister tells pytest the folder of the build, and for a board of the hardware map its id and fixtures. They are the
defaults of --txtap-elf and --txtap-probe. Files of failed tests go to the folder of the build. pytest_args of a test
scenario name this module: -p twister_txtap.
"""

import pathlib

pytest_plugins = ["pytest_txtap"]
ELF = pathlib.Path("zephyr", "zephyr.elf")
FIXTURE = "txtap:"  # of the hardware map: "txtap:usb:1-4.2" is the probe of the board


def first(config, *options):
    """Returns the value of the first of these options that exists and has a value."""
    return next((value for option in options if (value := config.getoption(option, None))), None)


def probe(config):
    """Returns the probe of the board: a fixture of the hardware map names it, or the board's id is its serial number."""
    for fixture in first(config, "--twister-fixture") or []:
        if fixture.startswith(FIXTURE):
            return fixture[len(FIXTURE):]
    return first(config, "--device-id")


def pytest_configure(config):
    # --build-dir and --device-id: twister since Zephyr 3.4; --cmdopt: earlier, as an option of the test's own conftest.py
    option, build = config.option, first(config, "--build-dir", "--cmdopt")
    if build and not option.txtap_elf and pathlib.Path(build, ELF).exists():
        option.txtap_elf = str(pathlib.Path(build, ELF))
    if build and not pathlib.Path(option.txtap_artifacts).is_absolute():
        option.txtap_artifacts = str(pathlib.Path(build, option.txtap_artifacts))
    if not (option.txtap_probe or option.txtap_openocd or option.txtap_vboard):
        option.txtap_probe = probe(config)
