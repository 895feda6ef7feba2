import { useStore } from "../store";
import "./panels.css";

interface File {
  file: string;
  name: string; // of the link
}

interface Export {
  title: string;
  what: string;
  files: File[];
}

const evidential = (method: string) => method.endsWith("evclus");

/** exportsOf lists what can be taken away, and what each is for. */
export function exportsOf(method: string): Export[] {
  const picture = (kind: string, words: string): File[] => [
    { file: `picture.svg${kind}`, name: `${words} (SVG)` },
    { file: `picture.png${kind}`, name: `${words} (PNG)` },
  ];
  const kinds: [string, string][] = evidential(method)
    ? [
        ["?kind=rough", "what is surely and possibly in each group"],
        ["?kind=groups", "groups"],
        ["?kind=masses", "belief"],
        ["?kind=heatmap", "dissimilarities by group"],
        ["?kind=trace", "how the fit went"],
      ]
    : [["?kind=groups", "groups"]];
  return [
    {
      title: "The groups",
      what: evidential(method)
        ? "A line for each object: its group, the groups that it surely and possibly belongs to, and the belief in each."
        : "A line for each object, with its group.",
      files: [
        { file: "partition.csv", name: "CSV, for spreadsheets" },
        { file: "partition.parquet", name: "Parquet, for large data" },
        { file: "partition.jsonl", name: "JSON lines, for programs" },
      ],
    },
    {
      title: "The answers",
      what: "What counts of each pair: a, b, link and p. kindred takes it again, with --links or in another project.",
      files: [
        { file: "answers.csv", name: "CSV" },
        { file: "answers.jsonl", name: "JSON lines" },
      ],
    },
    {
      title: "The history",
      what: "Every step in order, with who, when, which question and why it was asked, those taken back among them.",
      files: [{ file: "history.csv", name: "CSV" }],
    },
    { title: "Pictures", what: "For a report or a talk.", files: kinds.flatMap(([kind, words]) => picture(kind, words)) },
    {
      title: "The model",
      what: "With it, kindred predict puts new rows into these groups, where the method allows it.",
      files: [{ file: "model.json", name: "JSON" }],
    },
    {
      title: "The project",
      what: "All of it in one file, to go on elsewhere or to mail to a colleague, who also needs the data.",
      files: [{ file: "project.kindred", name: "project file" }],
    },
  ];
}

/** What can be taken away. */
export function ExportsPanel() {
  const store = useStore();
  const state = store.state.value;
  if (state === null) return null;
  return (
    <div class="exports">
      {state.fitting && <p role="status" class="quiet">The groups are being fitted anew: files have them as they stand now.</p>}
      {store.waiting.value.length > 0 && <p role="status" class="quiet">Answers that wait to be sent are in no file yet.</p>}
      {exportsOf(state.method).map((e) => (
        <section key={e.title} aria-label={e.title}>
          <h3>{e.title}</h3>
          <p class="quiet">{e.what}</p>
          <ul class="files">
            {e.files.map((f) => (
              <li key={f.file}>
                <a href={store.api.export(state.id, f.file)} download>{f.name}</a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
