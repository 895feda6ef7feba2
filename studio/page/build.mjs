// Builds the page: `node build.mjs` writes dist, `--watch` keeps it up to date, `--tests` bundles
// the unit tests.
// The names in dist are fixed and its bytes depend on the sources and the lockfile alone.
import { build, context } from "esbuild";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";

const common = {
  bundle: true,
  format: "esm",
  jsx: "automatic",
  jsxImportSource: "preact",
  charset: "utf8",
  logLevel: "warning",
};

const page = {
  ...common,
  entryPoints: { app: "src/main.tsx" },
  outdir: "dist",
  target: ["es2022", "chrome111", "firefox113", "safari16.4"],
  minify: true,
  legalComments: "none",
};

async function still() {
  for (const name of ["index.html", "favicon.svg"]) await cp(name, join("dist", name));
}

/** The licences of the packages that are among the inputs of a build, which go with the page. */
async function licences(inputs) {
  const packages = new Set(
    inputs.flatMap((name) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(name)?.[1] ?? []),
  );
  let all = "";
  for (const name of [...packages].sort())
    all += `${name}\n\n${(await readFile(`node_modules/${name}/LICENSE`, "utf8")).trim()}\n\n\n`;
  return all.trimEnd() + "\n";
}

async function tests() {
  await rm("build", { recursive: true, force: true });
  const files = (await readdir("src", { recursive: true })).filter((name) =>
    /\.test\.tsx?$/.test(name),
  );
  await build({
    ...common,
    entryPoints: Object.fromEntries(
      files.map((name) => [basename(name).replace(/\.tsx?$/, ""), join("src", name)]),
    ),
    outdir: "build/tests",
    outExtension: { ".js": ".mjs" },
    platform: "node",
  });
}

const flag = process.argv[2];
if (flag === "--tests") {
  await tests();
} else if (flag === "--watch") {
  await mkdir("dist", { recursive: true });
  await still();
  await (await context({ ...page, logLevel: "info" })).watch();
} else {
  await rm("dist", { recursive: true, force: true });
  await mkdir("dist", { recursive: true });
  await still();
  const { metafile } = await build({ ...page, metafile: true });
  await writeFile("dist/licences.txt", await licences(Object.keys(metafile.inputs)));
}
