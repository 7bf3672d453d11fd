# SPDX-License-Identifier: MIT
"""Reads two boards with the demo at the same time. pytest --lg-env env.yaml test_two_boards.py"""

import pytest


@pytest.fixture(params=["main", "other"])
def board(request, env):
    return env.get_target(request.param).get_driver("TxtapDriver")


def test_info(board):
    assert "\nring " in board.info()


def test_snapshot(board, tmp_path):
    board.snapshot(tmp_path / "ring.trx")
    assert (tmp_path / "ring.trx").read_bytes()[:4] in (b"BTXT", b"TXTB")


def test_figures(board):
    assert board.report("--limit=600")["total_events"]["n"]["value"] == 600
    board.check("lost == 0", "deadlock == 0", options=["--limit=600"])


def test_both_at_once(env, tmp_path):
    boards = [env.get_target(name).get_driver("TxtapDriver") for name in ("main", "other")]
    recordings = [board.record(tmp_path / str(place), "--limit=600") for place, board in enumerate(boards)]
    for recording in recordings:
        recording.wait()
        recording.check("lost == 0")
        assert recording.events("event=tx_queue_send")
