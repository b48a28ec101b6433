"""The server under load: clients that write and recall over HTTP while `contextful build` loops.

No error but 503 with Retry-After, nothing lost, nothing stored twice, and a resident size that stays.
"""

import itertools
import json
import statistics
import threading
import time
from collections import Counter
from dataclasses import dataclass, field

import httpx
import server
from workshop import Workshop

CLIENTS = 8
SUBJECTS = 5
MOST_GROWTH = 1.05


@dataclass
class Load:
    """What the clients share. landed: dedup keys told to have landed. times: seconds by route."""

    ends: float
    landed: set[str] = field(default_factory=set)
    times: dict[str, list[float]] = field(default_factory=lambda: {"write": [], "recall": []})
    statuses: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    builds: int = 0

    def running(self) -> bool:
        return time.monotonic() < self.ends and not self.faults


def run(shop: Workshop, seconds: float) -> str:
    """Load the server for so long; returns a sentence with the figures, or exits with the first fault."""
    load = Load(time.monotonic() + seconds)
    with server.running(shop) as served:
        loops = [threading.Thread(target=_client, args=(load, shop, served.url, number)) for number in range(CLIENTS)]
        loops.append(threading.Thread(target=_builds, args=(load, shop)))
        loops.append(threading.Thread(target=_sizes, args=(load, served)))
        for loop in loops:
            loop.start()
        for loop in loops:
            loop.join()
    _demand(not load.faults, "; ".join(load.faults[:3]))
    _demand(_stored(shop) == Counter(load.landed), "a claim was lost, or stands twice")
    growth = _growth(load.sizes)
    _demand(
        growth <= MOST_GROWTH, f"its memory grew to {growth:.3f} of what it was: {load.sizes[:: len(load.sizes) // 10]}"
    )
    return _sentence(load, seconds, growth)


def _client(load: Load, shop: Workshop, url: str, number: int) -> None:
    """Writes, sends every third write again, and recalls what it wrote."""
    who = f"client{number}"
    head = {"authorization": f"Bearer {server.token(shop, who)}"}
    with httpx.Client(base_url=url, headers=head, timeout=60) as http:
        for turn in itertools.count():
            if not load.running():
                return
            key, subject = f"{who}-{turn}", f"{who} {turn % SUBJECTS}"
            claim = {"subject": subject, "predicate": "says", "object": key, "confidence": 0.5}
            claim["evidence"] = [{"table": "events", "run": "seed", "seq": turn % 5}]
            body = {"into": "facts", "actor": who, "session": "t", "dedup_key": key, "claim": claim}
            for expected in [True, False][: 2 if turn % 3 == 0 else 1]:
                answer = _post(load, http, "write", "/memory/claims", body)
                if answer is not None and answer["landed"] is not expected:
                    load.faults.append(f"{key}: landed {answer['landed']}, not {expected}")
                if answer is not None and expected:
                    load.landed.add(key)
            answer = _post(load, http, "recall", "/memory/recall", {"table": "facts", "subject": subject})
            if answer is not None and key in load.landed and [row[3] for row in answer["rows"]] != [key]:
                load.faults.append(f"{key} was written, and {answer['rows']} answers")


def _post(load: Load, http: httpx.Client, route: str, path: str, body: dict) -> dict | None:
    """The answer; tries again where the server asks for it."""
    while load.running():
        begun = time.perf_counter()
        answer = http.post(path, json=body)
        load.statuses[f"{route} {answer.status_code}"] += 1
        if answer.status_code == 200:
            load.times[route].append(time.perf_counter() - begun)
            return answer.json()
        if answer.status_code != 503 or "retry-after" not in answer.headers:
            load.faults.append(f"{path}: {answer.status_code} {answer.text}")
            return None
        time.sleep(float(answer.headers["retry-after"]))
    return None


def _builds(load: Load, shop: Workshop) -> None:
    while load.running():
        said = shop.run("build")
        if said.returncode != 0:
            load.faults.append(f"build: {said.stderr}")
        load.builds += 1


def _sizes(load: Load, served: server.Server) -> None:
    while load.running():
        load.sizes.append(served.resident_bytes())
        time.sleep(1)


def _stored(shop: Workshop) -> Counter[str]:
    said = shop.run("shell", "select object, count(*) as n from landing.main.facts group by 1")
    return Counter({row["object"]: row["n"] for row in map(json.loads, said.stdout.splitlines())})


def _growth(sizes: list[int]) -> float:
    """Within the last half: its second part against its first, both by their median; builds make single peaks."""
    half = sizes[len(sizes) // 2 :]
    return statistics.median(half[len(half) // 2 :]) / statistics.median(half[: len(half) // 2])


def _sentence(load: Load, seconds: float, growth: float) -> str:
    figures = []
    for route, times in load.times.items():
        cuts = statistics.quantiles(times, n=20)
        figures.append(f"{route} p50 {statistics.median(times) * 1000:.0f} ms, p95 {cuts[18] * 1000:.0f} ms")
    sizes = f"{min(load.sizes) / 1e6:.0f} to {max(load.sizes) / 1e6:.0f} MB, last half at {growth:.3f}"
    return (
        f"served for {seconds:g} s to {CLIENTS} clients beside {load.builds} builds: {dict(load.statuses)}, "
        f"{'; '.join(figures)}; {len(load.landed)} claims, none lost; resident {sizes}"
    )


def _demand(holds: bool, sentence: str) -> None:
    if not holds:
        raise SystemExit(f"soak: {sentence}")
