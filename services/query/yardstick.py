"""How near a cosine is, whatever model it comes from.

Each embedding model has cosines of its own: what has nothing to do with a question lies at .48 with the bundled one and at .03 with another, what
answers it at .70 and .48. So a model is asked first about :data:`PAIRS`, questions that nobody asks of a repository with code that answers each. The
mean cosine of a question with the answers of the others is 0 on the scale, the mean with its own is 1. Scores of speakers are made comparable in the
same way, by how others score (Auckenthaler, Carey and Lloyd-Thomas, "Score normalization for text-independent speaker verification systems", 2000).

The scale is that of the model and not of a repository or a question. That a question lies near to most pieces of a repository says that it is about
such things, and a scale that begins at the pieces of the repository itself takes that away (area under the curve, over questions that words do not
settle: .904 with words and this scale, .842 in distances from the mean of the repository, .811 in units of its spread, .838 with words alone).
"""

from __future__ import annotations

import hashlib
import struct
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import numpy as np

from exegesis.errors import EmbedderUnavailable, Unavailable
from exegesis.ports import ContentCache, Embedder
from exegesis.terms import spoken

SPACE: Final = "yardsticks"
"""Of the cache: two numbers for each model that ever answered."""
TOKENS: Final = 256
"""More than the longest of the texts has."""
LEAST: Final = 0.02
"""Width of a scale below which a model tells nothing from anything."""

PAIRS: Final = (
    (
        "How is a bill shared among the guests of a table?",
        (
            "Function split_bill: split bill in restaurant till. def split_bill(total, guests): share, rest = divmod(total, len(guests)); "
            "return [share + (seat < rest) for seat in range(len(guests))]"
        ),
    ),
    (
        "Where is the moisture of the soil measured?",
        (
            "Method SoilProbe.read(_:): Soil Probe read in garden sensors. func read(_ channel: Int) -> Double { let volts = "
            "converter.sample(channel); return (volts - dry) / (wet - dry) }"
        ),
    ),
    (
        "What happens when a lift is called from two floors at once?",
        (
            "Method Elevator.Dispatch: Elevator Dispatch in building elevator. func (e *Elevator) Dispatch(calls []Call) { sort.Slice(calls, "
            "func(i, j int) bool { return e.distance(calls[i]) < e.distance(calls[j]) }); e.stops = append(e.stops, calls...) }"
        ),
    ),
    (
        "How are notes turned into frequencies?",
        "Function pitch_of: pitch of in synth tuning. static double pitch_of(int note) { return 440.0 * pow(2.0, (note - 69) / 12.0); }",
    ),
    (
        "How does a chess engine decide which move is best?",
        (
            "Method Engine.search: Engine search in chess engine. public int search(Board board, int depth, int alpha, int beta) { if (depth == 0) "
            "return evaluate(board); for (Move move : board.moves()) alpha = Math.max(alpha, -search(board.play(move), depth - 1, -beta, -alpha)); "
            "return alpha; }"
        ),
    ),
    (
        "Where does it check that a ticket has not been used before?",
        (
            "Method Gate.admit: Gate admit in stadium gate. admit(ticket) { if (this.used.has(ticket.code)) throw new AlreadyUsed(ticket.code); "
            "this.used.add(ticket.code); return this.open(); }"
        ),
    ),
    (
        "How is the shortest way between two stations found?",
        (
            "Function route: route in metro planner. fn route(map: &Map, from: Station, to: Station) -> Vec<Station> { let mut queue = "
            "BinaryHeap::new(); queue.push(Reverse((0, from))); while let Some(Reverse((cost, at))) = queue.pop() { ... } }"
        ),
    ),
    (
        "What is done with letters that cannot be delivered?",
        (
            "Method PostOffice#return_to_sender: Post Office return to sender in mail delivery. def return_to_sender(letter) "
            "letter.stamp(:undeliverable) letter.address = letter.sender @outgoing << letter end"
        ),
    ),
    (
        "How are colours blended where two layers overlap?",
        (
            "Function blend: blend in paint layers. vec4 blend(vec4 above, vec4 below) { float alpha = above.a + below.a * (1.0 - above.a); "
            "return vec4((above.rgb * above.a + below.rgb * below.a * (1.0 - above.a)) / alpha, alpha); }"
        ),
    ),
    (
        "How does it know that somebody has fallen asleep?",
        (
            "Method SleepTracker.isAsleep: Sleep Tracker is Asleep in watch health. val isAsleep: Boolean get() = "
            "pulse.lastMinutes(10).average() < resting && motion.lastMinutes(10).all { it < STILL }"
        ),
    ),
    (
        "Where are wages paid at the end of a month?",
        (
            "Procedure PayWages: Pay Wages in payroll monthend. dcl-proc PayWages; read employees; dow not %eof(employees); "
            "net = gross - tax(gross); transfer(account : net); read employees; enddo; end-proc;"
        ),
    ),
    (
        "How is a photograph made smaller without losing its proportions?",
        (
            "Method Thumbnail.Fit: Thumbnail Fit in album thumbnail. public Size Fit(Size photo, Size box) { var scale = "
            "Math.Min(box.Width / photo.Width, box.Height / photo.Height); return new Size(photo.Width * scale, photo.Height * scale); }"
        ),
    ),
)
"""Question and code in the form in which chunks are embedded, in the languages that people index; each about a world of its own. Either half of them
makes the same scale within .02 of a cosine, a tenth of its width.
"""


@dataclass(frozen=True, slots=True)
class Scale:
    """Mean cosines of one model."""

    unrelated: float
    """Of a question and code that has nothing to do with it."""
    answer: float
    """Of a question and code that answers it."""

    def nearness(self, cosine: float) -> float | None:
        """0 for what is unrelated, 1 for an answer; beyond both where a cosine is. None where the model tells one from the other by nothing."""
        width = self.answer - self.unrelated
        return (cosine - self.unrelated) / width if width >= LEAST else None


class Yardstick:
    """The scale of an embedder, measured when it is first asked for, and kept."""

    def __init__(self, embedder: Embedder | None, cache: ContentCache | None = None) -> None:
        self._embedder = embedder
        self._cache = cache
        self._known: Scale | None = None
        self._asked: list[Sequence[float]] = []
        """Vectors of the first questions: of a slow server as many as there was time for."""
        self._guard = threading.Lock()

    def scale(self, seconds: float) -> Scale | None:
        """None without an embedder, and where measuring, or waiting for who measures, takes longer than ``seconds``; the next question goes on
        from there. Raises ``EmbedderUnavailable``.
        """
        if self._known is not None or self._embedder is None:
            return self._known
        until = time.monotonic() + seconds
        if not self._guard.acquire(timeout=min(max(seconds, 0.0), threading.TIMEOUT_MAX)):
            return None
        try:
            if self._known is None:
                self._known = self._recall(self._embedder, until)
            return self._known
        finally:
            self._guard.release()

    def _recall(self, embedder: Embedder, until: float) -> Scale | None:
        key = _key(embedder.fingerprint)
        kept = self._cache.get(SPACE, [key]).get(key, b"") if self._cache else b""
        if len(kept) == _PACKED.size:
            return Scale(*_PACKED.unpack(kept))
        for question, _ in PAIRS[len(self._asked) :]:
            if time.monotonic() > until:
                return None
            self._asked.append(_sound(embedder.embed_question(spoken(question))))
        if time.monotonic() > until:
            return None
        measured = compare(self._asked, [_sound(vector) for vector in embedder.embed([text for _, text in PAIRS], tokens=TOKENS)])
        if self._cache:
            with suppress(Unavailable):  # a full disk: it is measured again
                self._cache.put(SPACE, {key: _PACKED.pack(measured.unrelated, measured.answer)})
        return measured


def compare(questions: Sequence[Sequence[float]], texts: Sequence[Sequence[float]]) -> Scale:
    """The scale of a model that gives these unit vectors to the questions and the texts of :data:`PAIRS`."""
    cosines = np.array(questions, dtype=np.float32) @ np.array(texts, dtype=np.float32).T
    own = np.eye(len(PAIRS), dtype=bool)
    return Scale(unrelated=float(cosines[~own].mean()), answer=float(cosines[own].mean()))


def _sound(vector: Sequence[float]) -> Sequence[float]:
    """The same. Raises ``EmbedderUnavailable`` for that of a text which the embedder refused: a scale made with it would be kept for good."""
    if not any(vector):
        raise EmbedderUnavailable("The embedder has no vector for a text that it is measured by.")
    return vector


_PACKED: Final = struct.Struct("<2d")


def _key(fingerprint: str) -> bytes:
    """Other pairs make another scale."""
    return hashlib.sha256(f"{fingerprint}\0{PAIRS}".encode()).digest()
