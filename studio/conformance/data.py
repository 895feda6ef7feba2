#!/usr/bin/env python3
"""Writes what the server is tried on: data.py FOLDER ROWS makes rows.csv and pictures/."""

import random
import struct
import sys
import zlib
from pathlib import Path


def table(path, rows):
    with open(path, "w") as f:
        f.write("name,x,y,kind\n")
        for i in range(rows):
            c = i % 3
            x, y = 4 * c + random.gauss(0, 1), random.gauss(-c, 1)
            f.write(f"r{i},{x:.3f},{y:.3f},{'abc'[c]}\n")


def picture(path, size=12):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    pixels = b"".join(b"\0" + random.randbytes(size) for _ in range(size))
    with open(path, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n")
        f.write(chunk(b"IHDR", struct.pack(">IIBBBBB", size, size, 8, 0, 0, 0, 0)))
        f.write(chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b""))


def main(folder, rows):
    random.seed(1)
    folder = Path(folder)
    table(folder / "rows.csv", rows)
    (folder / "pictures").mkdir()
    for i in range(rows):
        picture(folder / "pictures" / f"{i}.png")


main(sys.argv[1], int(sys.argv[2]))
