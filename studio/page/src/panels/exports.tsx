import { useEffect, useState } from "preact/hooks";
import { answered } from "../map/words";
import { brief } from "../parts/brief";
import { useCue } from "../parts/cue";
import { useStore } from "../store";
import type { PictureOffer, State } from "../types";
import "./panels.css";

interface File {
  file: string;
  name: string; // of the link
}

interface Export {
  title: string;
  what: string;
  rows: { label: string; files: File[] }[];
}

/** exportsOf lists what can be taken away, and what each is for. */
export function exportsOf(
  counts: Pick<State, "masses" | "model" | "layout" | "answers" | "stated">,
  pictures: PictureOffer[],
): Export[] {
  const { masses, model, layout } = counts;
  const drawable = pictures.filter((p) => p.lacks === undefined && p.argument === undefined);
  return [
    {
      title: "A table for everybody",
      what: "A line for each object: its id, its group with the name and how certain that is, and your own columns.",
      rows: [{ label: "", files: [{ file: "objects.csv", name: "CSV" }] }],
    },
    {
      title: "The groups",
      what: masses
        ? "A line for each object: its group, the groups that it surely and possibly belongs to, and the belief in each."
        : "A line for each object, with its group.",
      rows: [
        { label: "For spreadsheets", files: [{ file: "partition.csv", name: "CSV" }] },
        { label: "For large data", files: [{ file: "partition.parquet", name: "Parquet" }] },
        { label: "For programs", files: [{ file: "partition.jsonl", name: "JSON lines" }] },
      ],
    },
    {
      title: "The answers",
      what: `What counts of each pair, after ${answered(counts)}: a, b, link and p. Another project takes it as links known before.`,
      rows: [
        {
          label: "",
          files: [
            { file: "answers.csv", name: "CSV" },
            { file: "answers.jsonl", name: "JSON lines" },
          ],
        },
      ],
    },
    {
      title: "The history",
      what: "Every step in order, with who, when, which question and why it was asked, those taken back among them.",
      rows: [{ label: "", files: [{ file: "history.csv", name: "CSV" }] }],
    },
    {
      title: "Pictures",
      what: "For a report or a talk.",
      rows: drawable.flatMap(({ name, title }) => {
        const label = title.charAt(0).toUpperCase() + title.slice(1);
        const first = pictureRow(label, `kind=${name}`);
        // The map that the page has moved to is a picture of its own.
        return name === "groups" && layout !== ""
          ? [first, pictureRow(`${label}, by nearest neighbours`, `kind=${name}&layout=${layout}`)]
          : [first];
      }),
    },
    {
      title: "The model",
      what: model
        ? "With it, kindred predict puts new rows into these groups."
        : "There is none: nothing tells where new rows would belong in these groups.",
      rows: model ? [{ label: "", files: [{ file: "model.json", name: "JSON" }] }] : [],
    },
    {
      title: "The project",
      what: "All of it in one file, to go on elsewhere or to mail to a colleague, who also needs the data.",
      rows: [{ label: "", files: [{ file: "project.kindred", name: "Project file" }] }],
    },
  ];
}

/** pictureRow has a picture in both formats. */
function pictureRow(label: string, asked: string) {
  return {
    label,
    files: [
      { file: `picture.svg?${asked}`, name: "SVG" },
      { file: `picture.png?${asked}`, name: "PNG" },
    ],
  };
}

/** What can be taken away. */
export function ExportsPanel() {
  const store = useStore();
  const state = store.state.value;
  const project = store.project.value;
  const fitted = state?.fitted;
  const [pictures, setPictures] = useState<{ project: string; list: PictureOffer[] } | null>(null);
  useEffect(() => {
    let current = true;
    store.api.pictures(project).then(
      (list) => current && setPictures({ project, list }),
      (error: unknown) => current && store.fail(error),
    );
    return () => {
      current = false;
    };
  }, [store, project, fitted]);
  if (state === null) return null;
  return (
    <div class="exports">
      {state.fitting && (
        <p role="status" class="quiet">
          The groups are being fitted anew: files have them as they stand now.
        </p>
      )}
      {store.waiting.value.length > 0 && (
        <p role="status" class="quiet">
          Answers that wait to be sent are in no file yet.
        </p>
      )}
      {exportsOf(state, pictures?.project === project ? pictures.list : []).map((e) => (
        <section key={e.title} aria-label={e.title}>
          <h3>{e.title}</h3>
          <p class="quiet">{e.what}</p>
          <ul class="files">
            {e.rows.map((row) => (
              <li key={row.label}>
                {row.label !== "" && <span>{row.label}</span>}
                {row.files.map((f) => (
                  <a
                    key={f.file}
                    class="file"
                    href={store.api.export(state.id, f.file)}
                    download
                    aria-label={`${row.label || e.title}: ${f.name}`}
                  >
                    {f.name}
                  </a>
                ))}
              </li>
            ))}
          </ul>
          {e.rows.flatMap((row) => row.files).find((f) => f.file.endsWith(".csv")) && (
            <Preview
              title={e.title}
              file={e.rows.flatMap((row) => row.files).find((f) => f.file.endsWith(".csv"))!.file}
            />
          )}
        </section>
      ))}
    </div>
  );
}

/** Lines of a file that are shown of it, after that of the columns. */
const LINES = 3;

/** The columns of a file and its first lines, folded until they are asked for. */
function Preview({ title, file }: { title: string; file: string }) {
  const store = useStore();
  const state = store.state.value;
  const [open, setOpen] = useState(false);
  const [head, setHead] = useState<string[][] | string | null>(null);
  const cue = useCue<HTMLDivElement>();
  useEffect(() => {
    if (!open || state === null) return;
    let current = true;
    store.api.exportHead(state.id, file).then(
      (text) => current && setHead(linesOf(text).slice(0, LINES + 1)),
      (error: unknown) =>
        current && setHead(error instanceof Error ? error.message : String(error)),
    );
    return () => {
      current = false;
    };
  }, [open, file, state?.id, state?.fitted, state?.revision]);
  const [columns, ...rows] = typeof head === "string" || head === null ? [] : head;
  return (
    <details class="preview" onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>
        Columns<span class="hidden"> of {title}</span>
      </summary>
      <div
        ref={cue}
        class="member-table"
        tabIndex={0}
        role="region"
        aria-label={`Columns: ${title}`}
      >
        {head === null && <p class="quiet">…</p>}
        {typeof head === "string" && <p role="alert">{head}</p>}
        {columns !== undefined && (
          <table>
            <thead>
              <tr>
                {columns.map((c, i) => (
                  <th key={i} scope="col">
                    {c}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((r, i) => (
                <tr key={i}>
                  {r.map((cell, j) => (
                    <td key={j} title={cell}>
                      {brief(cell)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </details>
  );
}

/** linesOf reads the beginning of a file of CSV; a line that is cut off is left out. */
export function linesOf(text: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  let cell = "";
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!;
    if (quoted && c === '"' && text[i + 1] === '"') cell += text[i++];
    else if (c === '"') quoted = !quoted;
    else if (quoted || (c !== "," && c !== "\n" && c !== "\r")) cell += c;
    else if (c !== "\r") {
      line.push(cell);
      cell = "";
      if (c === "\n") {
        lines.push(line);
        line = [];
      }
    }
  }
  return lines;
}
