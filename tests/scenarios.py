"""What must hold in every database: several processes at once, and processes that die."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from learning import Clock, check, propose, put, say
from sabir import learn
from sabir.errors import PolicyError
from sabir.learn.vectors import HASHED
from sabir.store import open_store

HERE: Final = Path(__file__).parent
_APPROVE: Final = "import sys; from sabir import learn; from sabir.store import open_store\nsys.stdin.readline()\nwith open_store(sys.argv[1]) as s: a = learn.approve(s, 1, by=sys.argv[2]); print(a.index, a.mnemonic)"
_RECORD: Final = (
    "import sys; from sabir import learn; from sabir.store import open_store\nsys.stdin.readline()\nwith open_store(sys.argv[1]) as s:\n"
    "    for n in range(20): learn.record(s, f'{sys.argv[2]} said {chr(97 + n) * 3}', 0.1, sys.argv[2]); learn.record(s, 'all say this', 0.1, sys.argv[2])"
)


def _start(code: str, *args: str) -> subprocess.Popen[str]:
    """A process that waits for a line on its standard input before it begins."""
    command = [sys.executable, "-c", code, *args]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def lifecycle(where: str) -> None:
    """From the log to an anchor and on to its retirement; opened anew in between."""
    with open_store(where) as store:
        say(store, "harvest")
        say(store, "harvest")
        (proposal,) = propose(store).open
    with open_store(where, create=False) as store:
        anchor = learn.approve(store, proposal.number, "Kim", clock=Clock())
        places = learn.rebuild(store, HASHED)
        assert [place.index for place in places] == [anchor.index]
        assert learn.load(store, embedder=HASHED).codebook.own == (anchor,)
        assert len(list(learn.sharegpt(store))) == 4
        learn.retire(store, anchor.mnemonic, "Kim", clock=Clock())
        assert learn.purge(store, everything=True).texts == 4
        assert check(store) == 1


def two_approve_the_same(where: str) -> None:
    """Two persons, in two processes, approve one proposal at once: one anchor, which both get."""
    with open_store(where) as store:
        put(store, 1)
        rivals = [_start(_APPROVE, where, name) for name in ("Kim", "Lee")]
        outputs = [rival.communicate("\n", timeout=60) for rival in rivals]
        assert [out for out, _ in outputs] == ["32768 RequestNumber0\n"] * 2, outputs
        assert check(store) == 1


def many_approve_all(where: str) -> None:
    """Threads that approve, reject and retire the same proposals in any order leave each decided once, within the rate."""
    with open_store(where) as store:
        put(store, 12)
        learn.change(store, "Kim", {"mints_a_day": 7})

        def decide(task: tuple[int, int]) -> str:
            number, who = task
            try:
                if who == 2:
                    return learn.reject(store, number, "Lee").status
                anchor = learn.approve(store, number, f"Kim {who}")
                if number % 4 == 0:
                    learn.retire(store, anchor.mnemonic, "Kim")
            except PolicyError as error:
                return str(error)
            return "approved"

        tasks = [(number, who) for number in range(1, 13) for who in range(3)]
        random.Random(5).shuffle(tasks)  # noqa: S311  # the same order every time
        with ThreadPoolExecutor(6) as pool:
            done = list(pool.map(decide, tasks))
        decided = {item.status for item in learn.list_all(store)}
        assert decided <= {"approved", "rejected", "open"}
        assert check(store) <= 7
        allowed = ("approved", "rejected", "7 anchors were minted", "proposal")
        assert all(answer.startswith(allowed) for answer in done)


def many_record(where: str) -> None:
    """Four processes that log at once lose nothing and count everything once."""
    with open_store(where) as store:
        writers = [_start(_RECORD, where, name) for name in ("ann", "ben", "cat", "dan")]
        for writer in writers:
            assert writer.stdin is not None
            writer.stdin.write("\n")
            writer.stdin.flush()
        for writer in writers:
            _, errors = writer.communicate(timeout=120)
            assert (writer.returncode, errors) == (0, "")
        with store.read() as connection:
            from sabir.learn import log

            found = {text.text: text.sources for text in log.texts(connection)}
        assert found.pop("all say this") == dict.fromkeys(("ann", "ben", "cat", "dan"), 20)
        assert found == {f"{name} said {chr(97 + place) * 3}": {name: 1} for name in ("ann", "ben", "cat", "dan") for place in range(20)}
        check(store)


def writers_are_killed(where: str, rounds: int = 6) -> None:
    """Writers killed at any moment leave a store that is read at once, whole, and nothing half-minted."""
    lot = random.Random(11)  # noqa: S311  # moments, no secrets
    with open_store(where) as store:
        put(store, 400)
        learn.change(store, "Kim", {"mints_a_day": 10_000})
    before = 0
    for turn in range(rounds):
        writers = [
            subprocess.Popen([sys.executable, str(HERE / "learning.py"), where, f"writer {turn} {place}"], stdout=subprocess.PIPE, text=True)
            for place in range(3)
        ]
        for writer in writers:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "ready\n"
        for writer in writers:
            time.sleep(lot.uniform(0.02, 0.25))
            writer.kill()
        for writer in writers:
            writer.wait(timeout=30)
            assert writer.stdout is not None
            writer.stdout.close()
            assert writer.returncode == -9
        with open_store(where, create=False) as store:
            now = check(store)
            assert now >= before
            before = now
    assert 0 < before < 400
    with open_store(where) as store:
        waiting = learn.list_all(store, "open")
        assert learn.approve(store, waiting[0].number, "Kim").index == 0x8000 + before
        check(store)
