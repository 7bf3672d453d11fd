# SPDX-License-Identifier: MIT
"""Tests of the demo firmware. pytest --txtap-elf=demo.elf --txtap-vboard --txtap-options='--hz 1M'"""

import pytest


@pytest.mark.txtap("--limit=1000")
def test_load(txtap):
    txtap.wait()
    assert txtap.report["total_events"]["n"]["value"] == 1000
    assert txtap.report["stack_used(control)"]["value"]["value"] < 50
    txtap.check("lost == 0", "deadlock == 0", "stack(*).free >= 10%")


@pytest.mark.txtap("--seconds=1", "--watch=demo_tick_hz@100Hz")
def test_variable(txtap):
    txtap.wait()
    assert {value for _, value in txtap.values["demo_tick_hz"]} == {1000000}


@pytest.mark.txtap("--limit=1000")
@pytest.mark.txtap_vboard("--set", "demo_filter_work=20")
def test_messages(txtap):
    txtap.wait()
    received = txtap.events("event=tx_queue_receive thread=filter")
    assert received and all(event["fields"]["queue"] == "samples" for event in received)
