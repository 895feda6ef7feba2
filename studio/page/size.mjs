// Fails where the page has grown beyond what it may be, compressed as the command serves it.
import { readdir, readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";

const most = 120_000; // bytes

let all = 0;
for (const name of await readdir("dist"))
  if (name !== "licences.txt") all += gzipSync(await readFile(`dist/${name}`), { level: 9 }).length;
console.log(`the page: ${all} bytes compressed, of ${most}`);
if (all > most) process.exit(1);
