# SPDX-License-Identifier: MIT
"""Runs the steps of integrations/github/action.yml or of a GitLab template as a CI server does.

usage: run_steps.py github ACTION.yml FOLDER [INPUT=VALUE]...     FOLDER: for GITHUB_OUTPUT, ..._SUMMARY, ..._PATH
       run_steps.py gitlab TEMPLATE.yml [VARIABLE=VALUE]...
       run_steps.py check FILE.yml                                fails if a command of the file has an expression

The exit status is that of the first step that fails.
"""
import os
import re
import subprocess
import sys

import yaml

EXPRESSION = re.compile(r"\$\{\{ *(.*?) *\}\}")


def pairs(words):
    return dict(word.split("=", 1) for word in words)


def value_of(expression, inputs):
    """Evaluates 'inputs.NAME || github.NAME ...'. The values of github.NAME are in the environment, as NAME."""
    for term in expression.split("||"):
        kind, _, name = term.strip().partition(".")
        value = {"inputs": inputs, "github": os.environ}[kind].get(name, "")
        if value:
            return value
    return ""


def github(path, folder, *words):
    action = yaml.safe_load(open(path, encoding="utf-8"))
    inputs = {str(name): one.get("default", "") for name, one in action["inputs"].items()}
    given = pairs(words)
    assert set(given) <= set(inputs), f"unknown inputs: {set(given) - set(inputs)}"
    inputs.update(given)
    missing = [name for name, one in action["inputs"].items() if one.get("required") and not inputs[name]]
    assert not missing, f"missing inputs: {missing}"
    files = {f"GITHUB_{name}": os.path.join(folder, name.lower()) for name in ("OUTPUT", "STEP_SUMMARY", "PATH")}
    here = os.path.dirname(os.path.abspath(path))
    status = 0
    for step in action["runs"]["steps"]:
        if "run" not in step or status:
            continue
        env = {name: EXPRESSION.sub(lambda found: value_of(found[1], inputs), text) for name, text in step["env"].items()}
        assert step["shell"] == "bash" and "if" not in step
        command = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]]
        status = subprocess.run(command, env={**os.environ, **files, **env, "GITHUB_ACTION_PATH": here, "RUNNER_TEMP": folder},
                                stdin=subprocess.DEVNULL, check=False).returncode
    return status


def gitlab(path, *words):
    job = yaml.safe_load(open(path, encoding="utf-8"))[".txtap"]
    variables = {name: re.sub(r"\$(\w+)", lambda found: os.environ.get(found[1], ""), str(text))
                 for name, text in {**job["variables"], **pairs(words)}.items()}
    # GitLab runs all lines in one shell.
    return subprocess.run(["bash", "-e", "-o", "pipefail", "-c", "\n".join(job["script"])], env={**os.environ, **variables},
                          stdin=subprocess.DEVNULL, check=False).returncode


def check(path):
    """Each command is a constant, and each variable of a step is known to integrations/ci/run."""
    tree = yaml.safe_load(open(path, encoding="utf-8"))
    steps = tree["runs"]["steps"] if "runs" in tree else [{"run": line} for line in tree[".txtap"]["script"]]
    script = open(os.path.join(os.path.dirname(path), "../ci/run"), encoding="utf-8").read()
    bad = [step["run"] for step in steps if EXPRESSION.search(step.get("run", ""))]
    bad += [name for step in steps for name in step.get("env", {}) if f"#   {name} " not in script]
    bad += [step["uses"] for step in steps if "uses" in step and not step["uses"].startswith("actions/")]
    print("\n".join(f"# {path}: {one}" for one in bad), end="\n" if bad else "")
    return len(bad) > 0


sys.exit({"github": github, "gitlab": gitlab, "check": check}[sys.argv[1]](*sys.argv[2:]))
