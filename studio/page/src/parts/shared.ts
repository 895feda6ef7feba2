/** A piece of a text beside another one: a word of both, a word of this one alone, or what is between. */
export interface Piece {
  text: string;
  kind: "shared" | "only" | "";
}

/** Letters below which a word says too little to be marked. */
const least = 4;

const words = /[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu;

/** shared cuts a text by its words: those that the other text has, and those that it does not. */
export function shared(text: string, other: string): Piece[] {
  const there = new Set(other.toLowerCase().match(words) ?? []);
  const out: Piece[] = [];
  const add = (piece: string, kind: Piece["kind"]) => {
    const last = out.at(-1);
    if (piece === "") return;
    if (kind === "" && last?.kind === "") last.text += piece;
    else out.push({ text: piece, kind });
  };
  let from = 0;
  for (const match of text.matchAll(words)) {
    const word = match[0];
    add(text.slice(from, match.index), "");
    from = match.index + word.length;
    const telling = word.length >= least || /\p{N}/u.test(word);
    add(word, !telling ? "" : there.has(word.toLowerCase()) ? "shared" : "only");
  }
  add(text.slice(from), "");
  return out;
}
