"""The commands that compare.py runs, and the files that they read."""

import dataclasses
import re
import sqlite3
import struct
import subprocess
import typing
import zlib


@dataclasses.dataclass
class Step:
    """One command. stdout is compared as data, by its numbers, or not at all."""

    args: list
    stdin: str = ""
    stdout: str = "data"
    env: dict = dataclasses.field(default_factory=dict)
    before: typing.Callable = None  # of the folder, before the command


@dataclasses.dataclass
class Case:
    """Steps in one folder. Those to prepare are run by the old binary for both sides."""

    name: str
    steps: list
    prepare: list = dataclasses.field(default_factory=list)


def step(line, **more):
    return Step(line.split(), **more)


def shown(line, keys="", **more):
    """A step that answers by keys where it asks, and is compared by the numbers that it writes."""
    return step(line, stdin=keys, stdout="numbers", **more)


def case(name, *lines, **more):
    return Case(name, [x if isinstance(x, Step) else step(x) for x in lines], **more)


LINKS = "a,b,link\n1,2,same\n1,60,different\n60,110,unknown\n3,4,same\n60,120,different\n"
CLASH = "a,b,link\n1,2,same\n2,3,same\n1,3,different\n"
STORIES = [
    ("soup pan oven and flour", "boat sail anchor and tide"),
    ("pan salt flour and onion", "sail wave tide and mast"),
    ("salt oven onion and soup", "wave anchor mast and boat"),
    ("oven flour soup and pan", "anchor tide boat and sail"),
    ("flour onion pan and salt", "tide mast sail and wave"),
    ("onion soup salt and oven", "mast boat wave and anchor"),
]
FILES = {
    "points.csv": "id,x,y\na,0,0\nb,1,0\nc,5,5\nd,5,6\ne,9,1\nf,9,0\n",
    "line.csv": "x\n0\n1\n2\n20\n21\n22\n",
    "mixed.csv": (
        "size,colour,flat,note\n1,red,yes,a1\n2,red,yes,b2\n,red,yes,c3\n8,blue,no,d4\n"
        "9,blue,,e5\n9,blue,no,f6\n900,,no,g7\n"
    ),
    "people.csv": (
        'id,age,town,member,say\na1,20,Bern,yes,"well, ""yes"""\nb2,30.50,Rome,no,no\n'
        "c3,40,Bern,no,maybe\n007,,Rome,no,\n"
    ),
    "bits.csv": "x,y,z\n0,1,1\n1,0,1\n1,1,0\n1,1,1\n0,0,1\n1,0,0\n",
    "words.jsonl": (
        '{"id":"lion","word":"lion","curve":[1,1,2.5],"kind":"a"}\n'
        '{"id":"lions","word":"lions","curve":[1,2.5],"kind":"a"}\n'
        '{"id":"lino","word":"lino","curve":[1,1,1,2],"kind":"a"}\n'
        '{"id":"telegraph","word":"telegraph","curve":[9,8],"kind":"b"}\n'
        '{"id":"telegram","word":"telegram","curve":[9,8,8.5],"kind":"b"}\n'
        '{"id":"graph","word":"graph","curve":[9,9,8],"kind":"b"}\n'
    ),
    "stories.csv": (
        "id,story,matter\n"
        + "".join(
            f"t{2 * i + j + 1},{STORIES[i % 6][j]} no {1000 + 2 * i + j},{('kitchen', 'sea')[j]}\n"
            for i in range(12)
            for j in range(2)
        )
    ),
    "newstories.csv": (
        "id,story\na,soup and an onion in the pan with salt\nb,flour for the oven and soup in the"
        " pan\nc,the mast and the anchor of a boat with a sail\n"
    ),
    "new.csv": "petal_width,petal_length,sepal_width,sepal_length\n0.2,1.4,3.5,5.1\n2.1,5.9,3,7\n",
    "crooked.csv": "0,1,2\n3,0,4\n2,4,0\n",
    "sets.txt": "empty\n1\n2\n3\n1+2 # they meet\n",
    "links.csv": LINKS,
    "clash.csv": CLASH,
    "unknown.csv": "a,b,link\n1,900,same\n",
    "self.csv": "a,b,link\n2,2,same\n",
    "topics.txt": (
        "# two topics\ncomputer: mac, disk, pc\nscience/space: orbit, moon, nasa\n"
        "science/health: doctor, drug\n"
    ),
    "news.csv": (
        "Mac,disk,pc,orbit,moon,doctor,drug,other,class\n1,1,0,0,0,0,0,,c\n0,2,1,0,0,0,0,3,c\n"
        "1,1,0,1,1,0,0,3,c\n0,0,0,1,1,0,0,4,s\n0,0,0,0,0,1,1,4,c\n1,0,0,1,0,1,0,4,s\n"
    ),
    "mails.jsonl": (
        '{"id":"m1","body":"My Mac\'s DISK, again"}\n{"id":"m2","body":"The moon\'s orbit"}\n'
        '{"id":"m3","body":"a pc; a mac."}\n{"id":"m4","body":"nothing of the kind"}\n'
    ),
    "first.csv": "id,x,y\na,1,2\nb,1.1,2.1\n@link,a,c,different\nc,9,8\nd,9.1,8.2\n",
    "second.csv": "e,1.2,2\nf,8.9,8\ng,1.3,2.1\nh,9.2,8.1\n@link,h,g,different\ni,1,2\n",
    "rows.jsonl": (
        '{"id":"a","x":1,"y":2}\n{"y":2.1,"x":1.1,"id":"b"}\n{"id":"c","x":9,"y":8}\n'
        '{"@link":"same","a":"a","b":"b"}\n{"id":"d","x":9.1,"y":8.2}\n{"id":"e","x":1.2,"y":2}\n'
    ),
    "badrows.csv": "id,x,y\na,1,2\nb,one,2\nc,3,4,5\nd,9,8\ne,5,\nf,1,2\ng,9,9\n",
    "morepoints.csv": "g,9,9\n",
    "streamlinks.csv": "a,b,link\na,e,same\n",
    "pred.csv": "id,cluster\nc,1\na,2\nb,2\n",
    "truth.csv": "id,class\na,x\nb,x\nc,y\nd,y\n",
    "strange.csv": "id,cluster\na,1\nz,2\n",
    "vectors.csv": (
        "id,u,v\n"
        + "".join(
            f"{n}.png,{u},{v}\n"
            for n, u, v in zip("abcdefgh", (0, 0, 0, 0, 9, 9, 9, 9), range(1, 9))
        )
    ),
    # Bad input.
    "empty.csv": "",
    "header.csv": "x,y\n",
    "ragged.csv": "x,y\n1,2\n3\n",
    "quote.csv": 'x,y\n1,2\n"3,4\n5,6\n',
    "text.csv": "x,y\n1,2\n3,4\n5,abc\n",
    "comma.csv": "x;y\n1,5;2\n2,5;3\n",
    "inf.csv": "x,y\n1,2\n3,inf\n",
    "nan.csv": "x,y\n1,2\n3,NaN\n5,6\n",
    "twice.csv": "x,x\n1,2\n",
    "ids.csv": "name,x\na,1\nb,2\na,3\n",
    "constant.csv": "x,class\n1,a\n2,a\n",
    "good.csv": "x,c\n1,a\n2,a\n9,b\n",
    "cut.parquet": "PAR1 and no more\n",
    "cut.npy": "NUMPY\n",
    "bom.csv": "\ufeffx,y\r\n1,2\r8,9\n",
    "wide.csv": "0,1,2,4\n1,0,3,4\n2,3,0,4\n",
    "negative.csv": "0,1,2\n1,0,-4\n2,-4,0\n",
    "zero.csv": "0,0,0\n0,0,0\n0,0,0\n",
    "gooddist.csv": "0,1,5\n1,0,4\n5,4,0\n",
    "short.txt": "a\n",
    "badrules.txt": "computer: mac, disk\nmac disk\n",
}


def png(shade, stripe):
    """A grey picture of 24 × 24 pixels with a stripe."""
    rows = b"".join(
        b"\0" + bytes(255 - shade if (x + y) % 8 < stripe else shade for x in range(24))
        for y in range(24)
    )

    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    head = struct.pack(">IIBBBBB", 24, 24, 8, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


def write_fixtures(folder, old):
    """Writes the files that the commands read."""
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_bytes(text.encode())
    for i, name in enumerate("abcdefgh"):
        at = folder / "pictures" / ("dark" if i < 4 else "light")
        at.mkdir(parents=True, exist_ok=True)
        (at / f"{name}.png").write_bytes(png(30 + i if i < 4 else 200 + i, 1 + i % 4))
    box = ["1" * 16] * 3 + ["111" + "0" * 10 + "111"] * 10 + ["1" * 16] * 3
    bar = ["1" * 16] * 6 + ["1" + "0" * 14 + "1"] * 4 + ["1" * 16] * 6
    for name, rows in {
        "box_1": box,
        "box_2": box[1:] + box[:1],
        "bar_1": bar,
        "bar_2": bar[1:] + bar[:1],
    }.items():
        (folder / "outlines").mkdir(exist_ok=True)
        text = "\n".join(row.translate({48: "1", 49: "0"}) for row in rows)
        (folder / "outlines" / f"{name}.pbm").write_text(f"P1\n16 16\n{text}\n")
    for line in (
        "data convert iris iris-d.npy --metric euclidean",
        "data convert iris iris-d.csv --metric manhattan --scale zscore",
        "data make blobs --rows 120 -k 3 --noise 0.6 --seed 1 --out blobs.csv",
        "data make moons --rows 100 --seed 3 --out moons.csv",
        "data make gauss9 --rows 3000 --seed 5 --out gauss9.csv",
        "data convert iris iris.csv",
    ):
        subprocess.run([old, *line.split()], cwd=folder, check=True, capture_output=True)
    classes = [line.rsplit(",", 1)[1] for line in (folder / "iris.csv").read_text().splitlines()]
    (folder / "iris-classes.txt").write_text("\n".join(classes) + "\n")


FORMAT_1 = """CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('same', 'different', 'unknown', 'undo', 'redo')),
    a TEXT NOT NULL, b TEXT NOT NULL, question INTEGER NOT NULL,
    why TEXT NOT NULL, who TEXT NOT NULL
) STRICT;
PRAGMA application_id = 0x6b696e64;
PRAGMA user_version = 1;"""


def as_format_1(name):
    """Writes the project file as format 1 had it."""

    def rewrite(folder):
        path = folder / name
        with sqlite3.connect(path) as db:
            settings = db.execute("SELECT name, value FROM settings").fetchall()
            columns = "seq, at, kind, a, b, question, why, who"
            events = db.execute(f"SELECT {columns} FROM events ORDER BY seq").fetchall()
        db.close()
        path.unlink()
        db = sqlite3.connect(path)
        db.executescript(FORMAT_1)
        db.executemany("INSERT INTO settings VALUES (?, ?)", settings)
        db.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)", events)
        db.commit()
        db.close()

    return rewrite


def copied(source, target, more=""):
    """Copies a file, and adds another one to its end."""

    def copy(folder):
        data = (folder / source).read_bytes()
        (folder / target).write_bytes(data + ((folder / more).read_bytes() if more else b""))

    return copy


@dataclasses.dataclass
class Method:
    name: str
    matrix: bool  # takes dissimilarities
    clusters: bool  # takes -k
    links: bool  # learns from links
    classes: bool  # learns from classes


def methods(old):
    """The methods as kindred methods lists them."""
    out = subprocess.run([old, "methods"], capture_output=True, check=True, text=True).stdout
    found = []
    for line in out.splitlines()[1:]:
        fields = re.split(r"\s{2,}", line.strip())
        if len(fields) < 4:
            break
        takes, learns = fields[1], fields[2]
        found.append(
            Method(
                fields[0],
                "dissimilarities" in takes,
                "-k" in takes,
                "links" in learns,
                "classes" in learns,
            )
        )
    return found


ASKS_ITSELF = ("cobra", "cobras", "kin", "ncobras")  # makes no groups without somebody to answer
LABELS = "--label class --oracle labels --budget 20"


def of_method(m):
    k = " -k 3" if m.clusters or m.name == "agglomerative" else ""
    known = f" {LABELS}" if m.name in ASKS_ITSELF else ""
    if not known and (m.links or m.classes):
        known = " --label class --labelled-per-class 6"
    named = f"--method {m.name}{k}"
    tree = " --tree t.csv" if m.name in ("agglomerative", "ccl") else ""
    yield case(
        f"cluster/{m.name}",
        f"cluster wine {named}{known or ' --label class'} --json --out w.csv --plot w.svg{tree}",
        f"cluster iris {named}{known} --seed 3",
        f"cluster in/blobs.csv {named}{known} --scale zscore --json --out b.jsonl --plot b.png",
        step(f"methods {m.name}", stdout="none"),
    )
    if m.links:
        yield case(
            f"links/{m.name}",
            f"cluster iris {named} --links in/links.csv --json --out i.csv",
            f"cluster iris {named} --links in/clash.csv --json --out c.csv",
            f"cluster iris {named} --links in/clash.csv --contradictions keep --json --out k.csv",
        )
        yield case(
            f"ask/{m.name}",
            f"cluster iris {named} {LABELS} --json --out i.csv --answers l.csv --plot i.svg",
            shown(f"ask iris {named} {LABELS} --out a.csv --project p.kindred"),
            shown(
                f"ask iris {named} --label class --oracle labels --budget 26 --out more.csv"
                " --project p.kindred",
            ),
            step("plot p.kindred --out p.svg"),
        )
    if m.matrix:
        yield case(
            f"matrix/{m.name}",
            "cluster in/iris-d.npy --dissimilarity --labels in/iris-classes.txt"
            f" {named}{' --labelled-share 0.1' if m.links or m.classes else ''} --json --out d.csv"
            " --plot d.svg",
        )
    # A fit of the Sammon stress makes no model.
    stress = " --stress conflict" if m.name == "cevclus" else ""
    made = step(f"cluster iris {named}{known}{stress} --model m.model --out i.csv")
    yield case(
        f"model/{m.name}",
        "predict m.model iris",
        "predict m.model in/new.csv --out n.csv",
        f"cluster wine {named}{known}{stress} --model w.model --out w.csv",
        prepare=[made],
    )


STRATEGIES = (
    "random random-order closest-pairs farthest-first explore-consolidate minmax npu nonspecificity"
)


def asking():
    for strategy in STRATEGIES.split():
        yield case(
            f"strategy/{strategy}",
            f"cluster iris --method cecm -k 3 {LABELS} --strategy {strategy} --json --out i.csv"
            " --answers l.csv",
            "cluster wine --method pckmeans -k 3 --label class --oracle labels --budget 30"
            f" --strategy {strategy} --oracle-errors 0.05 --oracle-unknowns 0.1 --contradictions"
            " keep --json --out w.csv --answers w.links.csv",
        )
    for name, flags, keys in (
        ("kin", "", "s\nd\n?\nu\nd\ns\nq\n"),
        ("cobra", "--method cobra --super-instances 12", "d\nd\ns\nu\nr\nu\nd\nq\n"),
        ("cobras", "--method cobras", "s\nd\nd\n?\ns\nq\n"),
        ("ncobras", "--method ncobras --error-rate 0.1", "s\nd\nd\ns\nq\n"),
        ("evclus", "--method evclus -k 3", "s\nd\nu\n?\nd\nq\n"),
        ("kevclus", "--method kevclus -k 3 --partners 30", "d\nd\ns\nq\n"),
        ("pckmeans", "--method pckmeans -k 3 --strategy farthest-first", "d\ns\nd\nu\ns\nq\n"),
        ("ssdbscan", "--method ssdbscan", "d\ns\nd\nq\n"),
    ):
        ask = f"ask iris {flags} --terminal --project p.kindred"
        yield case(
            f"terminal/{name}",
            shown(f"{ask} --out g.csv --answers l.csv --plot g.svg --who ann", keys),
            shown("ask p.kindred --terminal --out more.csv --who ann", "u\nu\nr\ns\nq\n"),
        )
        begun = shown(ask, keys)
        yield case(
            f"project-2/{name}",
            shown("ask p.kindred --terminal --out g.csv --answers l.csv", "u\nr\ns\nd\nq\n"),
            "plot p.kindred --out p.svg",
            prepare=[begun],
        )
        yield case(
            f"project-1/{name}",
            step("plot p.kindred --out p.svg", before=as_format_1("p.kindred")),
            shown("ask p.kindred --terminal --out g.csv --answers l.csv", "u\nr\ns\nd\nq\n"),
            prepare=[begun],
        )
    yield case(
        "terminal/two-people",
        shown("ask iris --method cobra --terminal --project p.kindred --who ann", "s\nd\nd\nq\n"),
        shown("ask p.kindred --terminal --out more.csv", "u\nu\nr\ns\nq\n"),
    )
    yield case(
        "terminal/matrix",
        shown(
            "ask in/iris-d.npy --dissimilarity --method evclus -k 3 --terminal --out m.csv --model"
            " m.model --project p.kindred",
            "s\nd\nq\n",
        ),
        "plot p.kindred --picture shepard --out s.svg",
        "plot p.kindred --picture trace --out t.svg",
    )
    yield case(
        "terminal/texts",
        shown(
            "ask in/words.jsonl --text word -k 2 --terminal --out w.csv --project p.kindred",
            "s\nd\nq\n",
        ),
        shown(
            "ask in/words.jsonl --series curve -k 2 --terminal --out c.csv --project c.kindred",
            "s\nd\nq\n",
        ),
        shown(
            "ask in/mixed.csv --metric gower -k 2 --terminal --out m.csv --project m.kindred",
            "d\ns\nq\n",
        ),
        shown(
            "ask in/stories.csv --label matter --terminal --out s.csv --project s.kindred",
            "d\ns\nq\n",
        ),
    )
    yield case(
        "terminal/changed-data",
        shown(
            "ask points.csv --method cobra --terminal",
            "s\nd\nd\nq\n",
            before=copied("in/points.csv", "points.csv"),
        ),
        shown(
            "ask points.csv --terminal",
            "q\n",
            before=copied("in/points.csv", "points.csv", "in/morepoints.csv"),
        ),
        shown("ask points.csv --terminal --changed-data carry --out g.csv", "d\nq\n"),
    )
    yield case(
        "demo/labels", shown("demo iris --method evclus -k 3 --oracle labels")
    )


def evidential():
    fit = "cluster iris --method evclus -k 3"
    yield case(
        "evidential/settings",
        f"{fit} --d0 auto --json --out a.csv",
        f"{fit} --focal in/sets.txt --transform rank --json --out b.csv",
        f"{fit} --pairs 1 --d0 quantile:0.5 --transform linear --json --out c.csv",
        "cluster iris --method evclus -k 2..4 --json --out d.csv",
        f"{fit} --landmarks 60 --json --out e.csv",
        "cluster iris --method kevclus -k 3 --partners 20 --threads 2 --json --out f.csv",
        "cluster iris --method cevclus -k 3 --label class --random-links 20 --d0 3 --json --out"
        " g.csv",
        "cluster iris --method cevclus -k 3 --partners 20 --max-iterations 7 --json --out h.csv",
        "cluster in/gauss9.csv --method kevclus -k 9 --partners 50 --label class --json --out"
        " i.parquet",
    )
    for way in "choose anchor propagate penalty".split():
        yield case(
            f"evidential/links-{way}",
            f"{fit} --links in/links.csv --constraints {way} --xi 2 --json --out l.csv",
        )
    yield case(
        "evidential/pictures",
        *(
            f"{fit} --out a.csv --plot {p.replace(':', '-')}.svg --picture {p}"
            for p in ("masses", "shepard", "trace", "heatmap", "focal:all", "focal:empty")
        ),
        "plot a.csv --data iris --out rough.svg",
        "plot a.csv --data iris --out rough.png",
        "plot a.csv --data in/iris-d.npy --dissimilarity --picture heatmap --out h.svg",
        "plot a.csv --data iris --picture focal:1+2+3 --draw-links in/links.csv --title mine --out"
        " f.svg",
        shown("score a.csv iris --label class --silhouette"),
        "score a.csv a.csv --json",
    )


def kinds():
    yield case(
        "texts",
        "cluster in/words.jsonl --text word -k 2 --json --out w.csv --model w.model --plot w.svg",
        "predict w.model in/words.jsonl",
        "cluster in/stories.csv --text story -k 2 --label matter --json --out s.csv --model"
        " s.model",
        "predict s.model in/newstories.csv",
        "cluster in/stories.csv --text story --metric cosine -k 2 --label matter --json --out c.csv"
        " --model c.model",
        "predict c.model in/newstories.csv --out n.csv",
        f"cluster in/stories.csv --text story --label matter --oracle labels --super-instances 8"
        f" --json --out o.csv",
    )
    yield case(
        "model/texts",
        "predict w.model in/words.jsonl",
        "predict s.model in/newstories.csv",
        "predict g.model in/mixed.csv",
        "predict d.model in/gooddist.csv --dissimilarity",
        "predict v.model in/vectors.csv",
        prepare=[
            step("cluster in/words.jsonl --text word -k 2 --model w.model --out w.csv"),
            step("cluster in/stories.csv --text story -k 2 --model s.model --out s.csv"),
            step("cluster in/mixed.csv --metric gower -k 2 --model g.model --out g.csv"),
            step("cluster in/gooddist.csv --dissimilarity -k 2 --model d.model --out d.csv"),
            step("cluster in/pictures --embedding in/vectors.csv -k 2 --model v.model --out v.csv"),
        ],
    )
    yield case(
        "series",
        "cluster in/words.jsonl --series curve -k 2 --label kind --band 2 --json --out c.csv"
        " --model c.model",
        "predict c.model in/words.jsonl",
        "cluster in/words.jsonl --series curve --metric cyclic-edit --edit-cost 5 -k 2 --json --out"
        " e.csv",
        "data convert in/words.jsonl d.csv --series curve",
    )
    yield case(
        "pictures",
        "cluster in/pictures --label folder --oracle labels --super-instances 6 --json --out g.csv"
        " --plot g.svg",
        "cluster in/pictures --embedding in/vectors.csv -k 2 --label folder --json --out v.csv"
        " --model v.model",
        "data convert in/outlines o.jsonl --segment 2",
        "data convert o.jsonl o.csv --series angles --metric cyclic-edit",
        shown("ask in/pictures --terminal --out p.csv --project p.kindred", "s\nd\nq\n"),
    )
    yield case(
        "mixed",
        "cluster in/mixed.csv --metric gower -k 2 --json --out a.csv",
        "cluster in/mixed.csv --metric gower -k 2 --missing drop --json --out b.csv",
        "cluster in/bits.csv --metric jaccard -k 2 --json --out c.csv",
        "cluster in/bits.csv --metric binary-correlation --scale none -k 2 --json --out d.csv",
        "cluster in/crooked.csv --dissimilarity -k 2 --json --out e.csv",
        "cluster in/nan.csv -k 2 --missing mean --json --out f.csv",
        "cluster in/bom.csv -k 2",
        step("cluster - -k 2 --json --out s.csv", stdin=FILES["points.csv"]),
    )
    for metric in "sqeuclidean manhattan cosine correlation tanimoto gower".split():
        yield case(
            f"metric/{metric}",
            f"cluster iris --metric {metric} -k 3 --json --out i.csv",
            f"data convert iris d.npy --metric {metric}",
        )


def partitions():
    yield case(
        "kmeans/digits",
        "cluster digits -k 10 --label class --json --out d.parquet --model d.model --plot d.svg",
        "predict d.model digits --out again.parquet",
        "cluster digits --method lcvqe -k 10 --label class --random-links 300 --seed 7 --json --out"
        " l.csv",
        "cluster digits --method crpcl -k 10 --label class --random-links 300 --starts 3 --epochs"
        " 10 --json --out c.csv",
        "cluster digits --method cobra --label class --oracle labels --super-instances 30 --seed 7"
        " --json --out o.csv",
        "cluster digits --method spectral -k 10 --label class --json --out s.csv",
        "cluster in/gauss9.csv --method dbscan --eps 0.02 --label class --json --out b.csv --plot"
        " b.svg",
    )
    yield case(
        "competitive",
        "cluster iris --method crpcl -k 3 --label class --labelled-per-class 10 --deduce cannot"
        " --starts 5 --json --out a.csv",
        "cluster iris --method olcvqe -k 3 --label class --random-links 60 --epochs 20 --init"
        " gaussian --rate power --json --out b.csv",
        "cluster in/blobs.csv --method rpcl -k 8 --unlearning-rate 0.01 --label class --prune"
        " --json --out c.csv --model c.model",
        "predict c.model in/blobs.csv",
        "cluster wine --method crpcl -k 3 --prototype-metric full --json --out d.csv --model"
        " d.model",
        "cluster wine --method rpcl -k 3 --prototype-metric diagonal --penalty plain --json --out"
        " e.csv --model e.model",
    )
    yield case(
        "settings/kmeans-kin",
        "cluster wine --method mpckmeans -k 3 --cluster-metric full --label class"
        " --labelled-per-class 8 --json --out a.csv",
        "cluster wine --method mpckmeans -k 3 --shared-metric --label class --labelled-per-class 8"
        " --json --out b.csv",
        "cluster wine --method pckmeans -k 3 --link-weight 0.5 --label class --random-links 40"
        " --json --out c.csv",
        "cluster wine --method ssnb --label class --labelled-share 0.1 --unlabelled-weight 0.5"
        " --json --out d.csv",
        "cluster wine --method fcm -k 3 --fuzziness 1.5 --json --out e.csv",
        "cluster wine --method ecm -k 3 --cluster-metric full --set-penalty 1.5 --noise-distance 2"
        " --json --out f.csv",
        "cluster wine --method spectral -k 3 --neighbours 12 --graph approximate --eigenvectors 4"
        " --json --out g.csv",
        "cluster in/moons.csv --method mdbscan --new-clusters --label class --labelled-per-class 4"
        " --json --out h.csv",
        "cluster wine --method eknnclus --neighbours 20 --quantile 0.9 --json --out i.csv",
        "cluster iris -k 3 --starts 4 --max-iterations 5 --tolerance 0.01 --seed 9 --duplicates"
        " drop --json --out j.csv",
    )
    for linkage in "single complete average weighted ward centroid median".split():
        yield case(
            f"linkage/{linkage}",
            f"cluster wine --method agglomerative -k 3 --linkage {linkage} --label class --json"
            " --out a.csv --tree t.json --plot t.svg --picture dendrogram",
        )
    yield case(
        "linkage/cut",
        "cluster wine --method agglomerative --cut 1.5 --linkage average --json --out a.csv --tree"
        " t.csv",
    )
    yield case(
        "score",
        "cluster iris -k 3 --out g.csv",
        shown("score g.csv iris --silhouette"),
        "score g.csv iris --json --silhouette --links in/links.csv",
        "score in/pred.csv in/truth.csv --json",
        "score in/pred.csv in/truth.csv --json --noise-apart",
        "score in/strange.csv in/truth.csv",
        "plot g.csv --data iris --out g.svg --title groups",
        "plot g.csv --data iris --out g.png --draw-links in/links.csv",
    )
    yield case(
        "rules",
        "links in/news.csv --rules in/topics.txt --label class --out l.csv",
        "links in/news.csv --rules in/topics.txt --most 3 --seed 5",
        "links in/news.csv --rules in/topics.txt --json",
        "links in/mails.jsonl --text body --rules in/topics.txt --out m.jsonl",
        "cluster in/news.csv --label class --links l.csv --drop other --super-instances 6 --json"
        " --out g.csv",
    )


def data():
    for law in "blobs blobs-unequal moons toys2c gauss9 t-clusters".split():
        yield case(
            f"data/make-{law}",
            f"data make {law} --seed 4",
            f"data make {law} --rows 60 --noise 0.3 --seed 4 --out a.parquet",
        )
    yield case(
        "data/convert",
        "data convert in/people.csv a.tsv",
        "data convert a.tsv a.parquet",
        "data convert a.parquet a.jsonl",
        "data convert a.jsonl a.csv",
        "data convert iris a.npy",
        "data convert a.npy b.csv",
        "data convert in/iris-d.csv m.npy --dissimilarity",
        "data convert in/crooked.csv straight.csv --dissimilarity",
        "data convert in/words.jsonl l.csv --text word",
        "data convert in/stories.csv c.csv --text story --metric cosine",
    )
    yield case(
        "data/info",
        *(
            shown(f"data info {name}")
            for name in (
                "iris",
                "in/people.csv",
                "in/mixed.csv",
                "in/points.csv",
                "in/iris-d.csv",
                "in/bom.csv",
            )
        ),
        shown("data list"),
    )


def streams():
    learn = "-k 2 --warm-up 4 --links in/streamlinks.csv"
    yield case(
        "stream/file",
        f"stream in/first.csv {learn} --out a.csv --state s --json",
        step(
            "stream rows.csv --out a.csv --state s --json",
            before=copied("in/first.csv", "rows.csv", "in/second.csv"),
        ),
    )
    yield case(
        "stream/state",
        step(
            f"stream rows.csv --out a.csv --state s --json",
            before=copied("in/first.csv", "rows.csv", "in/second.csv"),
        ),
        step("stream rows.csv -k 3 --out a.csv --state s"),
        prepare=[
            step(
                f"stream rows.csv {learn} --out a.csv --state s",
                before=copied("in/first.csv", "rows.csv"),
            )
        ],
    )
    yield case(
        "stream/state-stdin",
        step("stream --state s", stdin=FILES["second.csv"]),
        prepare=[step(f"stream {learn} --state s", stdin=FILES["first.csv"])],
    )
    for method in "olcvqe crpcl rpcl fscl wta".split():
        yield case(
            f"stream/{method}",
            f"stream iris -k 3 --method {method} --label class --warm-up 50 --out i.csv --model"
            " i.model --json",
            "predict i.model iris",
            f"stream in/gauss9.csv -k 9 --method {method} --half-life 500 --seed 2 --state s --out"
            " g.jsonl --json",
        )
    yield case(
        "stream/bad-rows",
        "stream in/badrows.csv -k 2",
        "stream in/badrows.csv -k 2 --bad-rows stop",
        "stream in/badrows.csv -k 2 --missing mean",
        step("stream - -k 2 --seed 3 --output-format jsonl", stdin=FILES["rows.jsonl"]),
        "stream in/first.csv",
        "stream in/first.csv -k 2 --method kmeans",
        "stream in/first.csv -k 9",
    )


BAD = """
cluster nothing.csv -k 2
cluster irs -k 2
cluster in/empty.csv -k 2
cluster in/header.csv -k 2
cluster in/ragged.csv -k 2
cluster in/quote.csv -k 2
cluster in/text.csv -k 2
cluster in/comma.csv -k 2
cluster in/inf.csv -k 2
cluster in/nan.csv -k 2
cluster in/twice.csv -k 2
cluster in/ids.csv --id name -k 2
cluster iris --drop petal_lenght -k 2
cluster in/constant.csv --label class --oracle labels
cluster in/good.csv --links in/unknown.csv
cluster in/good.csv --links in/self.csv
cluster in/good.csv --links in/clash.csv
cluster in/good.csv --links in/clash.csv --contradictions keep
cluster in/good.csv -k 9
cluster in/good.csv --out out.txt
cluster in/good.csv --method kmeens
cluster in/good.csv --method kmeans
cluster in/good.csv --method cobra
cluster in/cut.parquet -k 2
cluster in/cut.npy -k 2
predict in/good.csv in/good.csv
cluster
cluster iris --no-such-flag
frobnicate
cluster iris --scale big
cluster iris -k -1
cluster iris --super-instances -4
cluster in/wide.csv --dissimilarity -k 2
cluster in/negative.csv --dissimilarity -k 2
cluster in/zero.csv --dissimilarity -k 2
cluster in/gooddist.csv --dissimilarity --labels in/short.txt -k 2
cluster iris --method evclus
cluster iris --method evclus -k 4..2
cluster iris --method kmeans -k 2..4
cluster iris --method evclus -k 13 --focal full
cluster iris --method evclus -k 3 --focal no.txt
cluster iris --method evclus -k 2 --d0 -3
cluster iris --method evclus -k 2 --tail 1.5
cluster iris --method evclus -k 2 --stress high
cluster iris --method evclus -k 2 --transform log
cluster iris --method evclus -k 2 --metric gowr
cluster iris --method lcvqe -k 3 --init best
cluster iris --method crpcl -k 3 --learning-rate 0
cluster iris --method crpcl -k 3 --rate slow
cluster iris --method copkmeans -k 3 --links in/clash.csv
cluster iris --method agglomerative
cluster iris --method agglomerative -k 2 --linkage warp
cluster iris --method kmeans -k 2 --tree tree.csv
cluster iris --method evclus -k 3 --plot a.svg --picture focal:77
cluster iris --method fcm -k 3 --fuzziness 1
cluster iris --method dbscan --eps -1
cluster iris --method spectral -k 3 --neighbours 0
cluster iris --method pckmeans -k 3 --label class --oracle labels --strategy guess
cluster iris --method pckmeans -k 3 --label class --oracle labels --oracle-errors 1.5
cluster iris --method lcvqe -k 3 --label class --oracle labels --strategy nonspecificity
cluster iris -k 2 --out no/a.csv
ask iris --oracle tarot
ask -
ask nothing.csv
ask iris --method kmeans -k 3
ask iris --method evclus
ask iris --oracle labels
ask iris --method evclus -k 2..4
score iris
score iris nothing.csv
plot nothing.csv
plot in/pred.csv
links in/news.csv
links in/news.csv --rules in/badrules.txt
stream in/first.csv -k 0
stream nothing.csv -k 2
stream in/first.csv -k 2 --bad-rows ignore
data convert iris iris.xls
data convert iris x.csv --metric euklid
data make spirals
data make moons --out moons.parq
methods kmeens
reproduce nothing
reproduce
predict nothing.model iris
cluster in/words.jsonl -k 2
"""


def bad():
    for i, line in enumerate(BAD.strip().splitlines(), 1):
        out = " --out out.csv" if line.startswith("cluster ") and "--out" not in line else ""
        yield case(f"bad/{i:02d} {line}"[:44], line + out)


def rest():
    yield case(
        "reproduce",
        shown("reproduce list"),
        shown("reproduce competitive-learning-2013 --trials 1 --parts tables --sets wine --out r"),
        step(
            "reproduce competitive-learning-2013 --trials 1 --parts tables --sets wine --json",
            stdout="none",
        ),
    )
    yield case(
        "environment",
        Step(["cluster", "iris"], env={"KINDRED_CLUSTERS": "3", "KINDRED_METHOD": "kmeans"}),
    )
    yield case(
        "version",
        step("version", stdout="none"),
        step("--help", stdout="none"),
        step("methods", stdout="none"),
    )


def published(folder):
    at = folder.rstrip("/")
    for name, flags in {
        "ecoli": "-k 8",
        "glass": "-k 6",
        "ionosphere": "-k 2",
        "yeast": "-k 10",
        "segmentation": "-k 7",
    }.items():
        yield case(
            f"sets/{name}",
            f"cluster {at}/{name}.csv --method kmeans {flags} --label class --json --out a.csv",
            f"cluster {at}/{name}.csv --method evclus {flags} --label class --json --out b.csv",
            f"cluster {at}/{name}.csv --method kin --label class --oracle labels --budget 40 --json"
            " --out c.csv",
            f"cluster {at}/{name}.csv --method mpckmeans {flags} --label class --labelled-per-class"
            " 5 --json --out d.csv",
        )
    yield case(
        "sets/protein",
        f"cluster {at}/protein_D.csv --dissimilarity --labels {at}/protein_labels.csv -k 4 --json"
        " --out p.csv --plot p.svg",
    )


def every(old, datasets):
    """All cases, in order."""
    for m in methods(old):
        yield from of_method(m)
    for part in (asking, evidential, kinds, partitions, data, streams, bad, rest):
        yield from part()
    if datasets:
        yield from published(datasets)
