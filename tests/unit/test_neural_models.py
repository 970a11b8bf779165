"""Finding and loading models: the revision, the layer, and the messages if there is none."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from corrigenda.errors import CorrigendaError, MetricError, MissingExtraError, UsageError
from corrigenda.neural import model_source, settings
from corrigenda.neural.layers import chosen_layer
from corrigenda.neural.model_source import ModelSource, find
from tiny_models import encoder_folder, needs_torch  # noqa: F401

pytestmark = [pytest.mark.model, needs_torch]


def test_a_copy_is_the_same_model_and_a_change_is_another(encoder_folder, tmp_path):  # noqa: F811
    copy = tmp_path / "copy"
    shutil.copytree(encoder_folder, copy)
    before = find(str(copy))
    assert before.revision == find(encoder_folder).revision
    config = json.loads((copy / "config.json").read_text())
    (copy / "config.json").write_text(json.dumps({**config, "layer_norm_eps": 0.5}))
    assert find(str(copy)).revision != before.revision


def test_the_signature_names_an_unusual_number_type(encoder_folder):  # noqa: F811
    source = find(encoder_folder)
    assert source.signature_fields() == {"model": "encoder", "revision": source.revision[:12]}
    with settings.using(dtype="bfloat16", batch_tokens=7):
        assert source.signature_fields()["dtype"] == "bfloat16"


def test_a_folder_called_model_is_named_with_its_parent(tmp_path):
    folder = tmp_path / "great" / "model"
    folder.mkdir(parents=True)
    (folder / "config.json").write_text("{}")
    assert find(str(folder)).name == "great/model"


@pytest.mark.parametrize("name", ["/nowhere/at/all", "./nothing", "~/no such folder"])
def test_no_such_folder(name):
    with pytest.raises(CorrigendaError, match="no such folder"):
        find(name)


def test_a_folder_without_a_model(tmp_path):
    with pytest.raises(CorrigendaError, match=r"no config\.json"):
        find(str(tmp_path))


def test_a_broken_model_gets_one_clear_message(tmp_path):
    (tmp_path / "config.json").write_text('{"model_type": "bert"}')
    source = find(str(tmp_path))
    with pytest.raises(CorrigendaError, match="cannot be loaded") as caught:
        model_source.load("AutoModel", source)
    assert "Give the folder of a model" in str(caught.value)


def test_a_missing_model_without_network_gets_one_clear_message():
    """In a new process, because the hub's library reads the variable once."""
    code = (
        "from corrigenda.neural.model_source import find\n"
        "from corrigenda.errors import CorrigendaError\n"
        "try: find('nobody/has-such-a-model')\n"
        "except CorrigendaError as error: print(error)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
        env={"HF_HUB_OFFLINE": "1", "HF_HOME": "/nowhere", "PATH": ""},
    )
    assert "the model 'nobody/has-such-a-model' is not on this machine" in run.stdout
    assert "HF_HUB_OFFLINE" in run.stdout
    assert "model=PATH" in run.stdout
    assert run.stdout.count("\n") == 2


def test_without_network_there_is_one_message_at_once(monkeypatch, capfd):
    def no_address(*_: object) -> None:
        raise OSError("Name or service not known")

    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    monkeypatch.setattr(model_source, "getproxies", dict)
    monkeypatch.setattr(model_source.socket, "getaddrinfo", no_address)
    with pytest.raises(CorrigendaError, match="there seems to be no network") as caught:
        find("nobody/has-such-a-model")
    assert "'nobody/has-such-a-model' is not on this machine" in str(caught.value)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("name", ["ä" * 100, "a..b/c", "x" * 97])
def test_a_name_that_the_hub_cannot_have(name):
    """Its library raises an error of its own."""
    with pytest.raises(CorrigendaError, match="is not on this machine and cannot be downloaded"):
        find(name)


@pytest.mark.parametrize("content", ["{", "[]", "[" * 100_000, '"x"'])
def test_a_damaged_configuration(tmp_path, content):
    (tmp_path / "config.json").write_text(content)
    with pytest.raises(CorrigendaError, match=r"config\.json cannot be loaded"):
        find(str(tmp_path)).config()


def test_offline_holds_even_if_the_library_was_loaded_before(monkeypatch):
    hub = pytest.importorskip("huggingface_hub")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setattr(hub, "hf_hub_download", lambda *_: pytest.fail("it asked the network"))
    with pytest.raises(CorrigendaError, match="HF_HUB_OFFLINE is set"):
        find("nobody/has-this-model-either")


def test_the_extra_is_named_where_it_is_missing(monkeypatch, encoder_folder):  # noqa: F811
    monkeypatch.setattr(model_source.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match="torch, transformers, safetensors") as caught:
        find(encoder_folder)
    assert "corrigenda[neural]" in str(caught.value)


def source_with(tmp_path: Path, name: str, **config: object) -> ModelSource:
    file = tmp_path / f"{name.replace('/', '-')}-{len(list(tmp_path.iterdir()))}.json"
    file.write_text(json.dumps(config))
    return ModelSource(name, "revision", name, file)


def test_layers(tmp_path):
    known = source_with(tmp_path, "bert-base-uncased", num_hidden_layers=12)
    assert chosen_layer(known, None) == 9
    assert (
        chosen_layer(
            source_with(tmp_path, "google-bert/bert-base-uncased", num_hidden_layers=12), None
        )
        == 9
    )
    assert chosen_layer(source_with(tmp_path, "other/model", num_hidden_layers=6), None) == 6
    assert chosen_layer(known, 12) == 12
    for layer in (-1, 13):
        with pytest.raises(MetricError, match="has no layer"):
            chosen_layer(known, layer)
    with pytest.raises(MetricError, match="does not give its number of layers"):
        chosen_layer(source_with(tmp_path, "other/model"), None)


def test_settings(monkeypatch):
    assert settings.current() == settings.ModelSettings()
    monkeypatch.setenv("CORRIGENDA_DEVICE", "cpu")
    monkeypatch.setenv("CORRIGENDA_BATCH_TOKENS", "99")
    assert settings.current() == settings.ModelSettings("cpu", "float32", 99)
    with settings.using(dtype="bfloat16"):
        assert settings.current() == settings.ModelSettings("cpu", "bfloat16", 99)
    for wrong in ({"dtype": "int8"}, {"batch_tokens": 0}):
        with pytest.raises(UsageError), settings.using(**wrong):
            pass
    monkeypatch.setenv("CORRIGENDA_BATCH_TOKENS", "many")
    with pytest.raises(UsageError, match="CORRIGENDA_BATCH_TOKENS"):
        settings.current()


def test_weights_are_safetensors_first_and_code_is_never_run(tmp_path: Path, monkeypatch) -> None:
    import transformers

    calls = []

    def load(location: str, **options: object) -> str:
        calls.append(options)
        if options.get("use_safetensors"):
            raise OSError("no file named model.safetensors")
        return "a model"

    monkeypatch.setattr(transformers.AutoModel, "from_pretrained", load)
    source = model_source.ModelSource("x", "1", str(tmp_path), tmp_path / "config.json")
    assert model_source.load("AutoModel", source) == "a model"
    assert [each["use_safetensors"] for each in calls] == [True, False]
    assert calls[1]["weights_only"] is True
    assert all(each["trust_remote_code"] is False for each in calls)
