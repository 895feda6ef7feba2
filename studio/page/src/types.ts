// The JSON of the API, as project/types.go and project/input/card.go have it.

export type Kind = "image" | "text" | "series" | "fields" | "none";
export type LinkKind = "same" | "different" | "unknown";
export type EventStep = LinkKind | "undo" | "redo" | "skip" | "bad" | "name" | "drop" | "groups";

/** An object as it is shown to a person. */
export interface Card {
  row: number;
  id: string;
  image?: boolean;
  width?: number;
  height?: number;
  text?: string;
  series?: number[];
  fields?: Field[];
  truncated?: boolean;
}

export interface Field {
  name: string;
  value: string;
  /** Of a column that rows are not compared by. */
  aside?: boolean;
}

/**
 * A field of two objects; mark is "≠" where they differ, "~" where they are near, missing where
 * equal.
 */
export interface Difference {
  name: string;
  a: string;
  b: string;
  mark?: "~" | "≠" | "";
  /** Of a column that rows are not compared by. */
  aside?: boolean;
}

export interface Person {
  name: string;
  answers: number;
  stated: number;
  shared: number;
  agreement?: number;
  repeated: number;
  consistency?: number;
  reliability: number;
  active: boolean;
}

export interface Sharing {
  overlap: number;
  repeat: number;
  discount: boolean;
}

/** A project as the one who asks sees it. */
export interface State {
  id: string;
  data: string;
  kind: Kind;
  rows: number;
  method: string;
  /** The method takes links, so that groups can be merged, split and moved to. */
  links: boolean;
  title: string;
  clusters: number;
  /** There may well be fewer or more groups. */
  /** A number of groups may be stated, as a step. */
  numbered: boolean;
  uncertain: boolean;
  /**
   * Colour of each group, from 0: it stays with a group while the numbers, which go by size,
   * change.
   */
  hues: number[];
  remarks: string[];
  /** The groups come with masses; the fit has a trace; the groups make a model. */
  masses: boolean;
  trace: boolean;
  model: boolean;
  settings: Record<string, string>;
  notes: string[];
  revision: number;
  fitted: number;
  /** Of the map that keeps neighbours best and is ready; "" is the first. */
  layout: string;
  fitting: boolean;
  failed?: string;
  /** In effect, of everyone; a step of several links is one. */
  answers: number;
  /** Links that they state, each of a step of several. */
  stated: number;
  mine: number;
  likely: number;
  /** What may well be as much: from `least` to `upto`, which is 0 where nobody can say. */
  least: number;
  upto: number;
  most: number;
  estimated: boolean;
  endless: boolean;
  settled: boolean;
  changed?: string;
  canUndo: boolean;
  canRedo: boolean;
  skipped: number;
  bad: number;
  contradictions: number;
  disagreements: number;
  people: Person[];
  sharing: Sharing;
}

/** A picture of the groups, and whether it can be drawn of them as they stand. */
export interface PictureOffer {
  name: string;
  title: string;
  /** What follows the name after a colon. */
  argument?: string;
  /** Why it cannot be drawn. */
  lacks?: string;
}

export interface Question {
  number: number;
  a: Card;
  b: Card;
  fields?: Difference[];
  why: string;
  source: "method" | "skipped" | "overlap" | "repeat";
  group?: Group;
  /** Of the pair on the screen: why its answer is no longer needed. */
  moot?: Moot;
  /** Of one ahead: answers to the question of the turn that settle this one, too. */
  settledBy?: LinkKind[];
}

export interface Moot {
  words: string;
  /** An answer is refused. */
  closed?: boolean;
}

/** An uncertain object, A of its question, with the objects that stand for the clusters. */
export interface Group {
  may: number[];
  outlier: boolean;
  references: Reference[];
  ask: number;
}

export interface Reference {
  card: Card;
  cluster: number;
  dissimilarity: number;
  answered?: LinkKind;
  fields?: Difference[];
}

export interface Turn {
  question?: Question;
  ahead: Question[];
  done?: string;
}

export interface Reply {
  event: Event;
  state: State;
  turn: Turn;
}

/** One step in the history of a project. */
export interface Event {
  seq: number;
  id?: string;
  at: string;
  who?: string;
  step: EventStep;
  a?: Obj;
  b?: Obj;
  question?: number;
  why?: string;
  target?: number;
  batch?: number;
  doubt?: boolean;
  repeat?: boolean;
  text?: string;
  /** Groups that the method finds from this step on. */
  clusters?: number;
  /** Of a step of several events: the first and the last, also of one that is taken or brought back. */
  first?: number;
  last?: number;
  inEffect: boolean;
}

/** A row by number and id; row is −1 for one that is not among the data now. */
export interface Obj {
  row: number;
  id: string;
}

export interface Cluster {
  cluster: number;
  hue: number;
  names: string[];
  /** From the keywords of texts, where people gave no name. */
  suggested?: string;
  size: number;
  doubtful: number;
  medoid: Card;
  members: Card[];
  traits: Trait[];
}

export interface Trait {
  words: string;
  feature: string;
  inside: number;
  outside: number;
  effect: number;
}

/** An object with its place in the groups. */
export interface Member {
  card: Card;
  cluster: number;
  certainty: number;
  others?: number[];
  outlier?: boolean;
  bad?: boolean;
  why: string;
  masses?: Mass[];
  answers?: Event[];
}

export interface Mass {
  clusters: number[];
  mass: number;
  words: string;
}

/** A contradiction: an answer, and the chain of others from which its opposite follows. */
export interface Clash {
  answer: Event;
  chain: Event[];
  objects: Card[];
  words: string;
  /** A kept answer counts at once, beside those of the chain. */
  weighed: boolean;
}

/** A pair that was answered in different ways. */
export interface Dispute {
  a: Card;
  b: Card;
  answers: Event[];
  counts: LinkKind;
}

export interface Guess {
  same: number;
  words: string;
}

export interface Pair {
  a: number;
  b: number;
  link: LinkKind;
}

export interface Link {
  a: Obj;
  b: Obj;
  link: LinkKind;
  plausibility: number;
  source: string;
}

export interface Me {
  name: string;
  people: boolean;
  admin: boolean;
  /** Of all people, for the first of them. */
  names?: string[];
  version: string;
}

/** A link that opens the page for a person, once. */
export interface PageLink {
  person: string;
  link: string;
  ends: string;
}

export interface Project {
  id: string;
  data: string;
  method: string;
  state: "open" | "opening" | "closed" | "failed";
  share?: number;
  what?: string;
  error?: string;
  answers: number;
  stated: number;
  /** What its data lack now, where that is in the way. */
  missing?: Missing;
  /** Settings that the error names. */
  settings?: string[];
  /** Its data changed, and the answers can be taken along. */
  changed?: boolean;
}

/** What a project on data would have. */
export interface Preview {
  rows: number;
  features: number;
  /** What is missing, where the setting missing does not say what to do about it. */
  missing?: Missing;
  /** Why a project cannot be begun so. */
  problem?: string;
  /** Settings that the problem names. */
  settings?: string[];
  kind: "table" | "matrix" | "series" | "texts" | "pictures" | "embedding";
  format?: string;
  parts?: Parts;
  read: number;
  duplicates: number;
  notes: string[];
  suspicions: string[];
  facts: { name: string; value: string }[];
  examples: string[];
  measured?: string;
  low?: string;
  high?: string;
  histogram: number[];
  /** How many columns rows are compared by, and the names of the first three. */
  compared: number;
  by: string[];
  /** What is compared that no setting names, and what is left out for that. */
  chosen?: string;
  columns: Column[];
  /** Columns that are called as was asked for, and all of them. */
  found: number;
  width: number;
}

/** What a file holds of which one is read. */
export interface Parts {
  what: "sheet" | "array" | "table";
  /** The setting that chooses one by its name. */
  setting: "sheet" | "table";
  names: string[];
  chosen?: string;
}

/** What a column was taken for, and what it holds. */
export interface Column {
  name: string;
  type: string;
  width?: number;
  role: string;
  why?: string;
  missing: number;
  distinct?: number;
  low?: string;
  high?: string;
  mean?: string;
  histogram?: number[];
  examples?: { value: string; rows?: number }[];
  suspicions?: string[];
}

/** What makes two objects close or far. */
export interface Explained {
  by: string;
  distance: number;
  columns: { column: string; a: string; b: string; amount: number; share: number }[];
  more: number;
  words: string[];
}

export interface Missing {
  values: number;
  rows: number;
  columns: { name: string; missing: number }[];
  choices: { name: string; title: string; rows: number; features: number }[];
}

export interface Source {
  name: string;
  title: string;
  kind: "sample" | "file" | "folder" | "project";
}

/** A method that asks. */
export interface Method {
  name: string;
  title: string;
  source: string;
  default: string;
  needsClusters: boolean;
  clusters: boolean;
  dissimilarity: boolean;
  masses: boolean;
  strategic: boolean;
  superInstances: boolean;
  takes: string[];
  params: Param[];
}

/** The declaration of a parameter of a method. */
export interface Param {
  name: string;
  type: "integer" | "number" | "boolean" | "choice" | "text" | "file" | "list";
  help: string;
  unit?: string;
  range: string;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  exclusiveMaximum?: number;
  span?: boolean;
  choices?: string[];
  default?: string;
  auto?: string;
  example?: string;
  basic: boolean;
  /** Formats of data that it means something to; all, where there are none. */
  formats?: string[];
}

/** The declaration of a setting that is none of a method. */
export interface Setting extends Param {
  part: "reading" | "preparing" | "comparing" | "knowledge";
}

/** A way to choose questions for a method that has none of its own. */
export interface Strategy {
  name: string;
  title: string;
  needsClusters: boolean;
  needsMasses: boolean;
  refits: boolean;
}

export interface Methods {
  methods: Method[];
  strategies: Strategy[];
  settings: Setting[];
}

/** How well a map keeps neighbours. */
export interface MapQuality {
  trustworthiness: number;
  continuity: number;
  neighbours: number;
  rows: number;
}

export interface MapInfo {
  axes: [string, string];
  layout: string;
  quality?: MapQuality;
  rows: number;
  sets: number[][];
  revision: number;
}

export interface Progress {
  what: string;
  share: number;
}

/**
 * What is wrong, after RFC 9457, with the mend where there is one and the clash of a contradiction.
 */
export interface Problem {
  type?: string;
  title?: string;
  status?: number;
  detail?: string;
  mend?: string;
  clash?: Clash;
  errors?: { message?: string; location?: string; value?: unknown }[];
  /** The name of the request, which the log of the server has, too. */
  request?: string;
  /** Settings that its sentences name. */
  settings?: string[];
  /** Of the file that could not be read. */
  parts?: Parts;
}

/** What a person does, as it waits to be sent. */
export type Step =
  | { kind: "answer"; a: number; b: number; answer: LinkKind; question?: number; keep?: boolean }
  | { kind: "skip"; a: number; b: number }
  | { kind: "bad"; row: number }
  | { kind: "undo" }
  | { kind: "redo" }
  | { kind: "name"; row: number; name: string }
  | { kind: "links"; pairs: Pair[]; keep?: boolean; back?: number[]; clusters?: number }
  | { kind: "edit"; seq: number; answer: LinkKind; keep?: boolean; revision?: number }
  | { kind: "drop"; seq: number; revision?: number };

/** How a person wants the groups to be; groups are named by a row of them. */
export interface Regroup {
  do: "merge" | "split" | "move";
  rows: number[];
  to?: number;
  /** Own answers that stand against it are taken back in the same step. */
  back?: boolean;
}

/** The groups as they stand, with the numbers of those that rows asked about are in. */
export interface Standing {
  clusters: Cluster[];
  of: number[];
  revision: number;
}

/** What a regrouping comes to: links to be stated in one step. */
export interface Plan {
  regroup: Regroup;
  words: string;
  objects: number;
  groups: number[];
  pairs: Pair[];
  same: number;
  apart: number;
  /** Own answers that stand against it. */
  against: Event[];
  /** Nothing of it comes about as long as these stand. */
  blocked?: boolean;
  contradictions: number;
  clash?: Clash;
  /** The number of groups to find from now on, where the method finds a fixed one. */
  clusters?: number;
  notes: string[];
  revision: number;
  /** The revision that its groups are of. */
  fitted: number;
}

export type Panel =
  | "groups"
  | "map"
  | "search"
  | "object"
  | "doubts"
  | "history"
  | "contradictions"
  | "people"
  | "exports"
  | "settings"
  | "projects";

/** A part of what a search found. */
export interface Found {
  members: Member[];
  total: number;
  /** The number of the group that was looked in. */
  group?: number;
  by: "words" | "meaning" | "likeness" | "certainty" | "rows";
  /** Nothing comes close to what was meant; these are the nearest all the same. */
  far?: boolean;
  note?: string;
  /** False while texts are read: ask again. */
  ready: boolean;
  share: number;
}
