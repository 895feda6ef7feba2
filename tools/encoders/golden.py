"""Writes the encoders of data/encode/folder/testdata: small ones with random values, and the vectors
that sentence-transformers and model2vec make with them.

    pip install sentence-transformers model2vec
    python tools/encoders/golden.py data/encode/folder/testdata

Made with sentence-transformers 6.2.0, transformers 5.24.0, torch 2.15.0 and model2vec 0.10.0.
"""

import json
import os
import pathlib
import shutil
import sys

import numpy as np
import torch
from model2vec import StaticModel
from sentence_transformers import SentenceTransformer, models
from tokenizers import Tokenizer
from tokenizers import models as tm, normalizers, pre_tokenizers, processors
from transformers import BertConfig, BertModel, BertTokenizerFast

TEXTS = [
    "", "a", "the card", "The CARD was lost, wasn't it?", "Where is my new card?",
    "I'd like to pay 125 dollars to my aunt", "naïve café, Ångström", "你好 world", "emoji 🙂 end",
    "tab\tand\nline", "unknowable", "[SEP] in the text [MASK]", "a" * 120,
    "one two three four five six seven eight nine ten the card was lost and the new card is late",
]
WORDS = ("the card was lost is late my new where i to pay like and in it a one two three four five "
         "six seven eight nine ten text line tab end world query passage").split()


def vocabulary():
    letters = [chr(c) for c in range(ord("a"), ord("z") + 1)]
    digits = [str(d) for d in range(10)]
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"] + list(".,?!':-[]")
    pieces += letters + digits + ["##" + p for p in letters + digits if p != "w"]
    return list(dict.fromkeys(pieces + ["你", "##ing", "##lars"] + WORDS))


def bert(folder, pieces, seed, pooling, unit, length, half, prompts=None, default=None):
    torch.manual_seed(seed)
    config = BertConfig(vocab_size=len(pieces), hidden_size=24, num_hidden_layers=2,
                        num_attention_heads=3, intermediate_size=50, max_position_embeddings=40,
                        initializer_range=0.4, layer_norm_eps=1e-5)
    model = BertModel(config, add_pooling_layer=False)
    for name, p in model.named_parameters():
        if name.endswith("bias") or "LayerNorm" in name:
            p.data += 0.3 * torch.randn_like(p)
    if half:
        model = model.to(half)
    raw = folder.with_name(folder.name + "-raw")
    model.save_pretrained(raw)
    (raw / "vocab.txt").write_text("\n".join(pieces) + "\n", encoding="utf-8")
    t = Tokenizer(tm.WordPiece({p: i for i, p in enumerate(pieces)}, unk_token="[UNK]"))
    t.normalizer = normalizers.BertNormalizer()
    t.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    t.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    t.add_special_tokens(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"])
    BertTokenizerFast(tokenizer_object=t).save_pretrained(raw)
    first = models.Transformer(str(raw), max_seq_length=length)
    parts = [first, models.Pooling(24, pooling_mode=pooling)] + [models.Normalize()] * unit
    st = SentenceTransformer(modules=parts, device="cpu", prompts=prompts,
                             default_prompt_name=default)
    st.save_pretrained(str(folder), create_model_card=False)
    shutil.rmtree(raw)
    st = SentenceTransformer(str(folder), device="cpu")
    if half:
        st = st.float()  # the values of the file, computed in float32
    return st.encode(TEXTS)


def table(folder, pieces, mapped):
    rng = np.random.default_rng(5)
    t = Tokenizer(tm.WordPiece({p: i for i, p in enumerate(pieces)}, unk_token="[UNK]"))
    t.normalizer = normalizers.BertNormalizer()
    t.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    t.add_special_tokens(["[PAD]", "[UNK]"])
    rows = 20 if mapped else len(pieces)
    vectors = rng.normal(size=(rows, 16)).astype(np.float16 if mapped else np.float32)
    more = {}
    if mapped:
        more = dict(weights=rng.random(len(pieces)).astype(np.float32),
                    token_mapping=rng.integers(0, rows, len(pieces)))
    model = StaticModel(vectors, t, config={}, normalize=mapped, **more)
    model.save_pretrained(folder)
    (folder / "README.md").unlink(missing_ok=True)
    return np.asarray(StaticModel.from_pretrained(folder).encode(TEXTS), dtype=np.float32)


def main():
    out = pathlib.Path(sys.argv[1])
    pieces = vocabulary()
    found = {
        "mean": bert(out / "mean", pieces, 1, "mean", True, 30, None),
        "cls": bert(out / "cls", pieces, 2, "cls", False, 12, torch.float16),
        "prompt": bert(out / "prompt", pieces, 3, "mean", True, 40, torch.bfloat16,
                       {"query": "query: ", "passage": "passage: "}, "query"),
        "table": table(out / "table", pieces, False),
        "mapped": table(out / "mapped", pieces, True),
    }
    golden = {"texts": TEXTS, "vectors": {k: np.round(v.astype(float), 7).tolist()
                                          for k, v in found.items()}}
    (out / "golden.json").write_text(json.dumps(golden) + "\n")
    for path in out.rglob("*"):
        if path.name.startswith("README"):
            os.remove(path)


main()
