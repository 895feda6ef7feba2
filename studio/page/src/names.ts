// What the page calls settings, and texts that name them by flags of the command.

const names: Readonly<Record<string, string>> = {
  clusters: "Number of groups",
  "error-rate": "Wrong answers",
  "super-instances": "Super-instances",
  // what a column can be
  features: "Compared",
  id: "Names the rows",
  label: "True classes",
  text: "Text to compare",
  series: "Series to compare",
  images: "Pictures to compare",
  vectors: "Vectors",
  drop: "Left out",
  types: "Type",
  "column-weights": "Weight",
  missing: "Missing values",
  sheet: "Sheet",
  table: "Table",
  query: "Query",
  delimiter: "Delimiter",
  decimal: "Decimal mark",
  na: "Words that mean missing",
  "inflate-limit": "Most bytes when unpacked",
  plain: "As the first edition read it",
  dates: "Dates",
  levels: "Most columns of a category",
  scale: "Scaling",
  duplicates: "Equal rows",
  metric: "Dissimilarity",
  dissimilarity: "It is a matrix of dissimilarities",
  labels: "File of true classes",
  pictures: "Pictures of a matrix",
  embedding: "File of vectors",
  encoder: "Encoder of texts",
  "encoder-model": "Model of the encoder",
  "encoder-prompt": "Before each text",
  dimensions: "Dimensions of vectors",
  links: "File of links",
  "labelled-per-class": "Rows of each class known before",
  "labelled-share": "Share of the true classes known before",
};

/** labelOf calls a setting as the page does. */
export function labelOf(name: string): string {
  const words = name.replaceAll("-", " ");
  return names[name] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * projectName is what a project is called: by its data, or by its own name where another project is
 * on the same data. What its data are the list knows before the project is open.
 */
export function projectName(
  id: string,
  data: string | undefined,
  projects: readonly { id: string; data: string }[] | null,
): string {
  const on = data ?? projects?.find((p) => p.id === id)?.data ?? "";
  const twins = (projects ?? []).some((p) => p.id !== id && p.data === on);
  return on === "" || twins ? id : on;
}

/** A flag, with the word in capitals that stands for its value. */
const flag =
  /(^|[\s([{"'“‘,;:/])--([a-z][a-z0-9-]*[a-z0-9])(?![a-z0-9-])(?: [A-Z]{2,}\b(?! [A-Z]))?/g;
const clustersFlag = /(^|\s)-k(?![a-z0-9-])/g;
const command = /\b(with|by|as) kindred [a-z]+ (?=--)/g;
const hint = / \((?:see )?kindred [a-z ]+\)/g;

/** What a column is taken for instead, by flags of the command, and as its own fields have it. */
const hints: readonly [flags: RegExp, instead: string][] = [
  [
    /: --label .+ uses it, --features puts it in$/,
    `choose “${role("label")}” to judge the groups by it, or “${role("features")}” to compare it`,
  ],
  [/: --features .+ compares it$/, `choose “${role("features")}” to compare it`],
  [/: --text compares it$/, `choose “${role("text")}” to compare it`],
  [/: --types .+=category compares it$/, `choose the type “category” to compare it`],
  [/: --dates auto compares them$/, `set “${labelOf("dates")}” to auto to compare them`],
];

function role(setting: string): string {
  return labelOf(setting).toLowerCase();
}

/** plain names settings in a sentence as the page does, in place of flags of the command. */
export function plain(text: string): string {
  const [flags, instead] = hints.find(([flags]) => flags.test(text)) ?? [];
  return (flags ? text.replace(flags, `: ${instead}`) : text)
    .replace(command, "$1 ")
    .replace(/\bDATA is\b/g, "the data are")
    .replace(/\bDATA\b/g, "the data")
    .replace(hint, "")
    .replace(/ with --project\b/g, "")
    .replace(clustersFlag, (_, before: string) => `${before}“${labelOf("clusters")}”`)
    .replace(flag, (_, before: string, name: string) => `${before}“${labelOf(name)}”`);
}

/** Fields of answers of the server that hold sentences of kindred, and not what is in the data. */
const sentences = new Set([
  "detail",
  "mend",
  "message",
  "error",
  "failed",
  "notes",
  "remarks",
  "help",
  "auto",
  "problem",
  "suspicions",
]);

/** plainly is an answer of the server with all its sentences plain. */
export function plainly<T>(value: T, said = false): T {
  if (typeof value === "string") return (said ? plain(value) : value) as T;
  if (Array.isArray(value)) return value.map((v: unknown) => plainly(v, said)) as T;
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, v]) => [key, plainly(v as unknown, sentences.has(key))]),
  ) as T;
}
