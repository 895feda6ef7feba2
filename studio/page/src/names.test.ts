import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";
import { labelOf, plain, plainly, projectName } from "./names";

test("settings are called as the fields of the page are", () => {
  assert.equal(labelOf("drop"), "Left out");
  assert.equal(labelOf("clusters"), "Number of groups");
  assert.equal(labelOf("min-points"), "Min points");
  assert.equal(plain("give --encoder lsa"), "give “Encoder of texts” lsa");
});

test("a column says in a sentence what else it can be taken for", async () => {
  assert.equal(
    plain("looks like the true classes: --label class uses it, --features puts it in"),
    "looks like the true classes: choose “true classes” to judge the groups by it, or “compared” " +
      "to compare it",
  );
  assert.equal(
    plain("not a feature: surname, which is named like names: --features surname compares it"),
    "not a feature: surname, which is named like names: choose “compared” to compare it",
  );
  assert.equal(plain("holds numbers"), "holds numbers");
  assert.equal(plain("is so: --drop x y"), "is so: “Left out” x y");
  // All hints that the sources of kindred have, with the names that are put in.
  const root = new URL("../../../../", import.meta.url);
  const source = await readFile(new URL("data/dataset/roles.go", root), "utf8");
  const joined = source
    .replace(/" \+\s*words\.Shell\([\w.]+\) \+\s*"/g, "x")
    .replace(/" \+\s*"/g, "");
  const found = [...joined.matchAll(/"((?:[^"\\\n]|\\.)*: --[^"]*)"/g)].map(([, text]) => text!);
  assert.ok(found.length >= 5, found.join("\n"));
  for (const text of found) assert.match(plain(text), /: (choose|set) /, text);
});

test("a project is called by its data, and by its own name where others are on them", () => {
  const list = [
    { id: "bank", data: "bank.csv" },
    { id: "iris", data: "iris" },
  ];
  assert.equal(projectName("bank", undefined, list), "bank.csv"); // while it is opened
  assert.equal(projectName("bank", "bank.csv", list), "bank.csv");
  assert.equal(projectName("bank", "bank.csv", null), "bank.csv");
  assert.equal(projectName("bank", undefined, null), "bank");
  const twins = [...list, { id: "bank-2", data: "bank.csv" }];
  assert.equal(projectName("bank", "bank.csv", twins), "bank");
  assert.equal(projectName("bank-2", undefined, twins), "bank-2");
  assert.equal(projectName("iris", "iris", twins), "iris");
});

test("a sentence of the command names settings and no flags", () => {
  for (const [said, want] of [
    [
      "drop such rows (--missing drop), or leave the column out (--drop b)",
      "drop such rows (“Missing values” drop), or leave the column out (“Left out” b)",
    ],
    ["--min-points and --eps: give one", "“Min points” and “Eps”: give one"],
    [
      "compare lists of numbers with kindred cluster --series s",
      "compare lists of numbers with “Series to compare” s",
    ],
    ["a--b.csv -- as it is", "a--b.csv -- as it is"],
  ] as const)
    assert.equal(plain(said), want);
});

test("only sentences change in an answer, and never what is in the data", () => {
  const answer = {
    id: "--label",
    notes: ["--label uses it"],
    values: [{ name: "--drop", value: "x --drop y" }],
    problem: { detail: "give --scale none", status: 422, errors: null },
  };
  assert.deepEqual(plainly(answer), {
    id: "--label",
    notes: ["“True classes” uses it"],
    values: [{ name: "--drop", value: "x --drop y" }],
    problem: { detail: "give “Scaling” none", status: 422, errors: null },
  });
});

test("no sentence in the sources of kindred quotes a flag on the page", async () => {
  const root = new URL("../../../../", import.meta.url);
  const folders = [
    "ask",
    "cluster",
    "data",
    "eval",
    "evidence",
    "fit",
    "internal",
    "link",
    "method",
  ];
  let seen = 0;
  for (const folder of [...folders, "project", "studio"]) {
    for (const name of await readdir(new URL(`${folder}/`, root), { recursive: true })) {
      if (!name.endsWith(".go") || name.endsWith("_test.go") || /node_modules|testdata/.test(name))
        continue;
      const source = await readFile(new URL(`${folder}/${name}`, root), "utf8");
      const code = source.replace(/^\s*\/\/.*$/gm, "");
      // "…" + "…" is one sentence
      const joined = code.replace(/(?<!\\)" \+\s*"/g, "");
      for (const [, text] of joined.matchAll(/"((?:[^"\\\n]|\\.)*)"/g)) {
        if (!/--[a-z]|(^|\s)-k\b/.test(text!)) continue;
        seen++;
        assert.doesNotMatch(plain(text!), /--[a-z]|(^|\s)-k\b/, `${folder}/${name}: ${text}`);
      }
    }
  }
  assert.ok(seen > 80, `only ${seen} sentences were found`);
});
