"""Fit the reader: an adapter of an encoder and the heads on its vectors, from the labelled files beside.

    pip install torch                                        # not among Nebo's own packages
    python -m nebo.reading.training.fit                      # some 30 minutes on two cores; writes ../heads/e5.npz
    python -m nebo.reading.training.fit --encoder minilm     # some 6 minutes; what reads where e5 can't be installed
    python -m nebo.reading.training.fit --onward news --epochs 2   # goes on from what ships, for files that were added
    python -m nebo.reading.training.measure --set-limits     # then choose the limits, and look at the figures

One encoder serves every head: kinds (several may hold), worth, slot, and the relation of a pair, which is read as one
text, old and new behind each other. A tenth of the examples is kept aside, by a hash of their text, to measure on.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
import time
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from nebo.encoders import e5, minilm
from nebo.encoders.bert import EPSILON, HEADS, HIDDEN
from nebo.encoders.files import checked_e5_path, checked_minilm_path
from nebo.encoders.loading import E5_PREFIX, build_minilm_tokenizer
from nebo.encoders.pieces import PieceTokenizer
from nebo.reading.meaning.kinds import KINDS, RELATIONS, SLOTS, WORTHS
from nebo.reading.meaning.pairs import pair_text
from nebo.reading.training.examples import Example, is_held_out, read_examples

OUT = Path(__file__).parent.parent / "heads"
HELD_OUT = 0.10  # share of the examples that are measured on, as in measure.py
RANK = 16  # of the two small matrices that are added to each of the model's
SCALE = 10.0  # by which a vector of length one is multiplied before the heads
BATCH = 48
RATE = 2e-3  # largest learning rate of the one cycle
ONWARD_RATE = 5e-4  # the same, where a fit goes on
ONWARD_TIMES = 4  # how often an added example is shown while the others are shown once
ONWARD_SHARE = 0.5  # of the others, drawn by chance, so that what they taught isn't lost
MAX_TOKENS = 96
CHOICES: dict[str, tuple[tuple[str, ...], float]] = {
    "worth": (WORTHS, 1.0),
    "slot": (SLOTS, 0.5),
    "relation": (RELATIONS, 1.5),
}  # heads of which one outcome holds, and what each counts in the loss
PARTS = ("q", "k", "v", "ao", "fi", "fo")


@dataclass(frozen=True, slots=True)
class Base:
    """An encoder that is fitted. Its lowest `frozen` layers stay: what they make of a text is computed once."""

    file: e5.ModelFile | minilm.ModelFile
    encode: Callable[[str], list[int]]
    layers: int
    frozen: int


def open_e5() -> Base:
    file = e5.ModelFile(checked_e5_path())
    tokenizer = PieceTokenizer(file.read_pieces())
    return Base(file, lambda text: list(tokenizer.encode(E5_PREFIX + text)), e5.LAYERS, frozen=4)


def open_minilm() -> Base:
    file = minilm.ModelFile(checked_minilm_path())
    return Base(file, build_minilm_tokenizer().encode, minilm.LAYERS, frozen=1)


BASES = {"e5": open_e5, "minilm": open_minilm}


@dataclass(slots=True)
class Prepared:
    """An example on its way through the fit: its tokens, as written and in hasty spelling, and what the layers that
    stay make of them.
    """

    example: Example
    ids: list[list[int]] = field(default_factory=list)
    states: list[torch.Tensor] = field(default_factory=list)


UNRELATED = {"same": "other", "changes": "other", "ends": "other", "done": "not_done", "put_off": "not_done",
             "dropped": "not_done", "forget": "not_meant"}  # fmt: skip  # what a sentence is to any other known thing


def list_unrelated(pairs: list[Example]) -> list[Example]:
    """Each sentence that is something to what is known, beside another known thing of its language, by chance."""
    found = []
    for one in pairs:
        others = [other for other in pairs if other.language == one.language and other.old != one.old]
        if one.relation in UNRELATED and others:
            old = random.choice(others).old
            text = pair_text(old, one.new)
            found.append(Example(text, one.language, relation=UNRELATED[one.relation], old=old, new=one.new))
    return found


def hasty(text: str) -> str:
    """Small letters, no accents, no closing marks: as people type on a phone."""
    plain = unicodedata.normalize("NFKD", text.lower())
    return re.sub(r"[.!?¿¡,;]+", "", "".join(c for c in plain if not unicodedata.combining(c))).strip()


def make_heads(*names: str) -> nn.ModuleDict:
    sizes = {"kinds": len(KINDS)} | {name: len(values) for name, (values, _) in CHOICES.items()}
    heads = nn.ModuleDict({name: nn.Linear(HIDDEN, sizes[name]) for name in names})
    nn.init.constant_(heads["kinds"].bias, -3.0)
    return heads


class Fixed(nn.Module):
    """A matrix that stays."""

    def __init__(self, rows: np.ndarray, bias: np.ndarray) -> None:
        super().__init__()
        self.register_buffer("rows", torch.tensor(rows))
        self.register_buffer("bias", torch.tensor(bias))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return functional.linear(x, self.rows, self.bias)


class Adapted(nn.Module):
    """A matrix that stays, and the product of two small ones that learns."""

    def __init__(self, rows: np.ndarray, bias: np.ndarray) -> None:
        super().__init__()
        self.register_buffer("rows", torch.tensor(rows))
        self.register_buffer("bias", torch.tensor(bias))
        self.a = nn.Parameter(torch.randn(RANK, rows.shape[1]) / math.sqrt(rows.shape[1]))
        self.b = nn.Parameter(torch.zeros(rows.shape[0], RANK))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return functional.linear(x, self.rows, self.bias) + functional.linear(
            functional.linear(x, self.a), self.b
        )


class Reader(nn.Module):
    def __init__(self, base: Base) -> None:
        super().__init__()
        self.base = base
        self.layers = nn.ModuleList(
            nn.ModuleDict({part: self._matrix(number, part) for part in PARTS})
            for number in range(base.layers)
        )
        norms = ["emb.ln"] + [f"l{n}.{part}" for n in range(base.layers) for part in ("aln", "oln")]
        self.norms = {name: self._normalization(name) for name in norms}
        self.heads = make_heads("kinds", *CHOICES)

    def _matrix(self, number: int, part: str) -> nn.Module:
        kind = Adapted if number >= self.base.frozen else Fixed
        return kind(self.base.file.rows(number, part), self.base.file.bias(number, part).copy())

    def _normalization(self, name: str) -> tuple[torch.Tensor, torch.Tensor]:
        kept = self.base.file.normalization(name)
        return torch.tensor(kept.weight.copy()), torch.tensor(kept.bias.copy())

    def begin(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """The states behind the layers that stay."""
        x = self._normalize(x, "emb.ln")
        for number in range(self.base.frozen):
            x = self._transform(number, x, mask)
        return x

    def finish(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """The vectors, from those states."""
        for number in range(self.base.frozen, self.base.layers):
            x = self._transform(number, x, mask)
        weights = mask[:, :, None].float()
        return functional.normalize((x * weights).sum(1) / weights.sum(1), dim=1) * SCALE

    def _transform(self, number: int, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        layer, (count, length, _) = self.layers[number], x.shape
        q, k, v = (layer[n](x).view(count, length, HEADS, -1).transpose(1, 2) for n in "qkv")
        attended = functional.scaled_dot_product_attention(q, k, v, attn_mask=mask[:, None, None, :])
        mixed = layer["ao"](attended.transpose(1, 2).reshape(count, length, HIDDEN))
        x = self._normalize(x + mixed, f"l{number}.aln")
        return self._normalize(x + layer["fo"](functional.gelu(layer["fi"](x))), f"l{number}.oln")

    def _normalize(self, x: torch.Tensor, name: str) -> torch.Tensor:
        return functional.layer_norm(x, (HIDDEN,), *self.norms[name], EPSILON)


class Words:
    """The rows of the embedding that the examples need, and batches of them."""

    def __init__(self, base: Base, examples: list[Prepared]) -> None:
        for one in examples:
            one.ids = [base.encode(t)[:MAX_TOKENS] for t in (one.example.text, hasty(one.example.text))]
        used = sorted({n for one in examples for ids in one.ids for n in ids})
        self._row = {number: row for row, number in enumerate(used)}
        self._rows = torch.tensor(base.file.words(np.array(used)))
        self._places = torch.tensor(base.file.places()[:MAX_TOKENS])

    def begin(self, reader: Reader, examples: list[Prepared]) -> None:
        """Compute once what the layers that stay make of every example, in both spellings."""
        order = sorted(examples, key=lambda one: len(one.ids[0]))
        for at in range(0, len(order), BATCH):
            part = order[at : at + BATCH]
            for spelling in (0, 1):
                with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
                    x, mask = self._embed(part, spelling)
                    states = reader.begin(x, mask)
                for one, state, seen in zip(part, states, mask, strict=True):
                    one.states.append(state[seen].to(torch.bfloat16).clone())

    def batch(self, examples: list[Prepared], *, hasty_share: float) -> tuple[torch.Tensor, torch.Tensor]:
        """States behind the layers that stay, and which of them are of a text."""
        states = [one.states[random.random() < hasty_share] for one in examples]
        x = nn.utils.rnn.pad_sequence(states, batch_first=True).float()
        lengths = torch.tensor([len(one) for one in states])
        return x, torch.arange(x.shape[1])[None, :] < lengths[:, None]

    def _embed(self, examples: list[Prepared], spelling: int) -> tuple[torch.Tensor, torch.Tensor]:
        ids = [one.ids[spelling] for one in examples]
        longest = max(map(len, ids))
        x, mask = torch.zeros(len(ids), longest, HIDDEN), torch.zeros(len(ids), longest, dtype=torch.bool)
        for number, tokens in enumerate(ids):
            rows = torch.tensor([self._row[t] for t in tokens])
            x[number, : len(tokens)] = self._rows[rows] + self._places[: len(tokens)]
            mask[number, : len(tokens)] = True
        return x, mask


def loss_of(heads: nn.ModuleDict, vectors: torch.Tensor, examples: list[Example]) -> torch.Tensor:
    """Of every head over the examples that are judged for it, a mean over all examples."""
    total = torch.zeros(())
    judged = [n for n, one in enumerate(examples) if one.kinds is not None]
    if judged:
        wanted = torch.tensor([[float(k in (examples[n].kinds or ())) for k in KINDS] for n in judged])
        scores = heads["kinds"](vectors[judged])
        off = functional.binary_cross_entropy_with_logits(scores, wanted, reduction="sum")
        total = total + off / len(examples)
    for name, (values, weight) in CHOICES.items():
        rows = [n for n, one in enumerate(examples) if getattr(one, name)]
        if rows and name in heads:
            wanted = torch.tensor([values.index(getattr(examples[n], name)) for n in rows])
            off = functional.cross_entropy(heads[name](vectors[rows]), wanted, reduction="sum")
            total = total + weight * off / len(examples)
    return total


def list_batches(examples: list[Prepared]) -> list[list[Prepared]]:
    """Of like length, in chance's order."""
    order = random.sample(examples, len(examples))
    big = BATCH * 20
    sorted_parts = [
        sorted(order[i : i + big], key=lambda one: len(one.ids[0])) for i in range(0, len(order), big)
    ]
    batches = [part[i : i + BATCH] for part in sorted_parts for i in range(0, len(part), BATCH)]
    return random.sample(batches, len(batches))


def fit(reader: Reader, words: Words, examples: list[Prepared], *, epochs: int, rate: float) -> None:
    learning = [p for p in reader.parameters() if p.requires_grad]
    steps = epochs * (len(examples) // BATCH + 25)
    optimizer = torch.optim.AdamW(learning, lr=rate, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, total_steps=steps, pct_start=0.1)
    began = time.monotonic()
    for epoch in range(epochs):
        reader.train()
        total, count = 0.0, 0
        for batch in list_batches(examples):
            with torch.autocast("cpu", torch.bfloat16):
                vectors = reader.finish(*words.batch(batch, hasty_share=0.2)).float()
            loss = loss_of(reader.heads, vectors, [one.example for one in batch])
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(learning, 1.0)
            optimizer.step()
            schedule.step()
            total, count = total + loss.item(), count + 1
        print(f"epoch {epoch + 1}: loss {total / count:.3f}, {time.monotonic() - began:.0f} s", flush=True)


def save(heads: nn.ModuleDict, adapter: dict[str, np.ndarray], path: Path, count: int) -> None:
    """The adapter as `l4.q.a`, `l4.q.b` …, float16; each head as `kinds.weight`, `kinds.bias`, SCALE within."""
    arrays = dict(adapter)
    for name, head in heads.items():
        arrays[f"{name}.weight"] = (head.weight.detach().numpy() * SCALE).astype(np.float32)
        arrays[f"{name}.bias"] = head.bias.detach().numpy().astype(np.float32)
    names = {"kinds": KINDS, **{name: values for name, (values, _) in CHOICES.items()}, "examples": count}
    arrays["names"] = np.frombuffer(json.dumps(names).encode(), np.uint8)
    np.savez_compressed(path, **arrays)  # type: ignore[arg-type]  # numpy types its one flag, and nothing else


def adapter_of(reader: Reader) -> dict[str, np.ndarray]:
    """The small matrices of the layers that learned."""
    return {
        f"l{number}.{name}.{small}": getattr(reader.layers[number][name], small)
        .detach()
        .numpy()
        .astype(np.float16)
        for number in range(reader.base.frozen, reader.base.layers)
        for name in PARTS
        for small in "ab"
    }


def load_fit(reader: Reader, path: Path) -> None:
    """Put the adapter and the heads of an earlier fit in place."""
    kept = np.load(path)
    with torch.no_grad():
        for number in range(reader.base.frozen, reader.base.layers):
            for name in PARTS:
                for small in "ab":
                    rows = kept[f"l{number}.{name}.{small}"].astype(np.float32)
                    getattr(reader.layers[number][name], small).copy_(torch.tensor(rows))
        for name, head in reader.heads.items():
            head.weight.copy_(torch.tensor(kept[f"{name}.weight"] / SCALE))
            head.bias.copy_(torch.tensor(kept[f"{name}.bias"]))


def fit_and_save(
    base: Base, examples: list[Example], *, epochs: int, out: Path, earlier: Path | None = None
) -> None:
    """Adapter and heads; going on from an `earlier` fit, if there is one."""
    prepared = [Prepared(one) for one in examples]
    words, reader = Words(base, prepared), Reader(base)
    if earlier is not None:
        load_fit(reader, earlier)
    words.begin(reader, prepared)
    fit(reader, words, prepared, epochs=epochs, rate=RATE if earlier is None else ONWARD_RATE)
    save(reader.heads, adapter_of(reader), out, len(examples))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--encoder", choices=("e5", "minilm"), default="e5")
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument(
        "--without", default="", metavar="LANGUAGE", help="leave a language out, to see what that costs"
    )
    parser.add_argument(
        "--frozen",
        type=int,
        metavar="LAYERS",
        help="leave more of the lower layers as they are: a quicker fit",
    )
    parser.add_argument(
        "--onward", metavar="FILES", help="go on from the fit that ships; files of this name were added since"
    )
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    torch.manual_seed(0)
    random.seed(0)
    examples = read_examples()
    kept = [one for one in examples if not is_held_out(one.text, HELD_OUT) and one.language != given.without]
    print(f"{len(kept)} of {len(examples)} examples", flush=True)
    kept += list_unrelated([one for one in kept if one.relation])
    if given.onward:
        added = [one for one in kept if one.source == given.onward]
        others = [one for one in kept if one.source != given.onward]
        kept = random.sample(others, int(len(others) * ONWARD_SHARE)) + added * ONWARD_TIMES
    earlier = OUT / f"{given.encoder}.npz"
    out = given.out or earlier
    base = BASES[given.encoder]()
    base = replace(base, frozen=given.frozen or base.frozen)
    fit_and_save(base, kept, epochs=given.epochs, out=out, earlier=earlier if given.onward else None)


if __name__ == "__main__":
    main()
