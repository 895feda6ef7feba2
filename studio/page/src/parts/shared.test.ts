import assert from "node:assert/strict";
import { test } from "node:test";
import { brief, briefly } from "./brief";
import { shared } from "./shared";

test("words of both texts are told from those of one, whatever their case", () => {
  const pieces = shared("My Card was lost in 2024.", "the card is stolen, 2024");
  assert.deepEqual(
    pieces.filter((p) => p.kind !== "").map((p) => [p.text, p.kind]),
    [
      ["Card", "shared"],
      ["lost", "only"],
      ["2024", "shared"],
    ],
  );
  assert.equal(pieces.map((p) => p.text).join(""), "My Card was lost in 2024.");
  assert.deepEqual(shared("", "x"), []);
  assert.deepEqual(shared("Köln grüßt 東京", "köln")[0], { text: "Köln", kind: "shared" });
});

test("numbers with many decimals are short, all else is as it is", () => {
  assert.equal(brief("-0.6702515472721813"), "-0.67025");
  assert.equal(brief("1.5"), "1.5");
  assert.equal(brief("12345678"), "12345678");
  assert.equal(brief("v1.000001"), "v1.000001");
  assert.deepEqual(briefly("0.1234567", "0.1234568"), ["0.1234567", "0.1234568"]);
  assert.deepEqual(briefly("0.12345678", "3"), ["0.12346", "3"]);
});
