// What the page calls settings, and texts that name them by flags of the command.

const names: Readonly<Record<string, string>> = {
  clusters: "Number of groups",
  "error-rate": "Wrong answers",
  "super-instances": "Super-instances",
  label: "Column of true classes",
  id: "Names of the rows",
  text: "Texts to compare",
  series: "Series to compare",
  drop: "Columns to leave out",
  missing: "Missing values",
};

/** labelOf calls a setting as the page does. */
export function labelOf(name: string): string {
  const words = name.replaceAll("-", " ");
  return names[name] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

const flag = /(^|[\s([{"'“‘,;:/])--([a-z][a-z0-9-]*[a-z0-9])(?![a-z0-9-])/g;
const command = /\b(with|by|as) kindred [a-z]+ (?=--)/g;

/** plain names settings in a sentence as the page does, in place of flags of the command. */
export function plain(text: string): string {
  return text
    .replace(command, "$1 ")
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
