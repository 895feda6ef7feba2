// A typed client of the HTTP API.

import type {
  Clash,
  Cluster,
  Column,
  Dispute,
  Event,
  Explained,
  Found,
  Guess,
  Link,
  LinkKind,
  MapInfo,
  Me,
  Member,
  Methods,
  PageLink,
  PictureOffer,
  Plan,
  Preview,
  Problem,
  Progress,
  Project,
  Regroup,
  Reply,
  Sharing,
  Source,
  Standing,
  State,
  Step,
  Turn,
  Person,
} from "./types";
import { plain, plainly } from "./names";

const base = "/api/v1";

/** A refusal by the server, with what it said. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly problem: Problem,
  ) {
    super(sentence(problem) || `the server answered ${status}`);
    this.name = "ApiError";
  }

  get clash(): Clash | undefined {
    return this.problem.clash;
  }

  /** The name of the kind of problem, as in "closed". */
  get kind(): string {
    return (this.problem.type ?? "").split("/").at(-1) ?? "";
  }

  /** The state has moved on since: another tab or person was quicker. */
  get stale(): boolean {
    return this.status === 412 || this.kind === "stale";
  }
}

/** The server cannot be reached. */
export class AwayError extends Error {
  constructor() {
    super("the server cannot be reached");
    this.name = "AwayError";
  }
}

function sentence(p: Problem): string {
  const parts = [p.detail || p.title || ""];
  for (const e of p.errors ?? [])
    if (e.message) parts.push(e.location ? `${e.location}: ${e.message}` : e.message);
  if (p.mend && !parts[0]?.includes(p.mend)) parts.push(p.mend);
  return parts.filter((s) => s !== "").join("; ");
}

/** A name for a step that no other step has; the server knows a step that comes twice by it. */
export function newID(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
}

const timeout = 30_000;

export class Api {
  private async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
    ms = timeout,
    signal = AbortSignal.timeout(ms),
  ): Promise<Response> {
    const init: RequestInit = {
      method,
      headers: { Accept: "application/json, application/problem+json", ...headers },
      credentials: "same-origin",
      cache: "no-cache",
      signal,
    };
    if (method !== "GET") {
      (init.headers as Record<string, string>)["Content-Type"] = "application/json";
      if (body !== undefined) init.body = JSON.stringify(body);
    }
    let response: Response;
    try {
      response = await fetch(base + path, init);
    } catch {
      throw new AwayError();
    }
    if (response.ok) return response;
    let problem: Problem = { status: response.status, title: response.statusText };
    try {
      problem = { ...problem, ...plainly((await response.json()) as Problem) };
    } catch {
      // not a problem document: the status says it
    }
    throw new ApiError(response.status, problem);
  }

  private async json<T>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
    ms?: number,
    signal?: AbortSignal,
  ): Promise<T> {
    const response = await this.send(method, path, body, headers, ms, signal);
    if (response.status === 204) return undefined as T;
    try {
      return plainly((await response.json()) as T);
    } catch {
      throw new AwayError();
    }
  }

  private get<T>(path: string): Promise<T> {
    return this.json<T>("GET", path);
  }

  me(): Promise<Me> {
    return this.get("/me");
  }

  link(person: string): Promise<PageLink> {
    return this.json("POST", "/links", { person });
  }

  async projects(): Promise<Project[]> {
    return (await this.get<{ projects: Project[] | null }>("/projects")).projects ?? [];
  }

  async sources(): Promise<Source[]> {
    return (await this.get<{ sources: Source[] | null }>("/sources")).sources ?? [];
  }

  methods(): Promise<Methods> {
    return this.get("/methods");
  }

  /** Reads data, and returns what a project on them would have, until the signal ends it. */
  async preview(look: Look, signal: AbortSignal): Promise<Preview> {
    const p = await this.json<Preview>("POST", "/preview", look, {}, undefined, signal);
    // Reasons are sentences here; of questions they hold what is in the data.
    const why = (c: Column) => (c.why === undefined ? c : { ...c, why: plain(c.why) });
    return { ...p, columns: p.columns.map(why) };
  }

  /** How far the preview is that was asked for. */
  previewing(): Promise<Progress> {
    return this.get("/preview");
  }

  begin(data: string, settings: Record<string, string>): Promise<{ id: string }> {
    return this.json("POST", "/projects", { data, settings });
  }

  /** What was said of projects that are not open yet, so that it is said once. */
  private readonly reopenings = new Map<string, Reopening>();

  /** Opens a project, with what was said of it before, too. */
  open(project: string, how: Reopening = {}): Promise<unknown> {
    const all = { ...this.reopenings.get(project), ...how };
    this.reopenings.set(project, all);
    return this.json("POST", `${at(project)}/open`, all);
  }

  /** The project is open: what was said of it is kept with it. */
  opened(project: string): void {
    this.reopenings.delete(project);
  }

  settings(project: string, settings: Record<string, string>): Promise<unknown> {
    return this.json("POST", `${at(project)}/settings`, { settings });
  }

  async state(project: string): Promise<State> {
    return wholeState(await this.get<State>(at(project)));
  }

  /** Asks what is to be done next. shown is the pair on the screen, as in "12-40", or "". */
  async turn(project: string, shown: string): Promise<Turn> {
    return wholeTurn(await this.get<Turn>(`${at(project)}/turn${query({ shown })}`));
  }

  /**
   * Sends a step under its id; the same id again gives the first reply. shown is the pair on the
   * screen after it, as in "12-40", or "".
   */
  async step(project: string, id: string, step: Step, shown: string): Promise<Reply> {
    const p = at(project);
    const q = query({ shown });
    const reply = await (() => {
      switch (step.kind) {
        case "answer": {
          const { kind: _, ...rest } = step;
          return this.json<Reply>("POST", `${p}/answers${q}`, { id, ...rest });
        }
        case "skip":
          return this.json<Reply>("POST", `${p}/skips${q}`, { id, a: step.a, b: step.b });
        case "bad":
          return this.json<Reply>("POST", `${p}/bad${q}`, { id, row: step.row });
        case "undo":
        case "redo":
          return this.json<Reply>("POST", `${p}/${step.kind}${q}`, { id });
        case "name":
          return this.json<Reply>("POST", `${p}/names${q}`, { id, row: step.row, name: step.name });
        case "links":
          return this.json<Reply>("POST", `${p}/links${q}`, {
            id,
            pairs: step.pairs,
            ...(step.keep ? { keep: true } : {}),
            ...(step.back !== undefined ? { back: step.back } : {}),
            ...(step.clusters !== undefined ? { clusters: step.clusters } : {}),
          });
        case "edit":
          return this.json<Reply>(
            "PATCH",
            `${p}/history/${step.seq}${q}`,
            { id, answer: step.answer, ...(step.keep ? { keep: true } : {}) },
            match(step.revision),
          );
        case "drop":
          return this.json<Reply>(
            "DELETE",
            `${p}/history/${step.seq}${query({ id, shown })}`,
            undefined,
            match(step.revision),
          );
      }
    })();
    return { event: reply.event, state: wholeState(reply.state), turn: wholeTurn(reply.turn) };
  }

  /** What a regrouping comes to; it changes nothing. */
  async plan(project: string, regroup: Regroup): Promise<Plan> {
    const p = await this.json<Plan>("POST", `${at(project)}/plan`, regroup);
    return {
      ...p,
      pairs: p.pairs ?? [],
      notes: p.notes ?? [],
      groups: p.groups ?? [],
      against: p.against ?? [],
    };
  }

  async history(
    project: string,
    offset = 0,
    limit = 100,
  ): Promise<{ events: Event[]; total: number }> {
    const h = await this.get<{ events: Event[] | null; total: number }>(
      `${at(project)}/history?offset=${offset}&limit=${limit}`,
    );
    return { events: h.events ?? [], total: h.total };
  }

  async links(project: string): Promise<Link[]> {
    return (await this.get<{ links: Link[] | null }>(`${at(project)}/links`)).links ?? [];
  }

  async contradictions(project: string): Promise<{ clashes: Clash[]; disputes: Dispute[] }> {
    const c = await this.get<{ clashes: Clash[] | null; disputes: Dispute[] | null }>(
      `${at(project)}/contradictions`,
    );
    return { clashes: c.clashes ?? [], disputes: c.disputes ?? [] };
  }

  guess(project: string, a: number, b: number): Promise<Guess> {
    return this.get(`${at(project)}/guess?a=${a}&b=${b}`);
  }

  explain(project: string, a: number, b: number): Promise<Explained> {
    return this.get(`${at(project)}/explain?a=${a}&b=${b}`);
  }

  /** The groups as they stand, and of which of them rows are; at most 200 rows. */
  async groups(project: string, rows: readonly number[] = []): Promise<Standing> {
    const g = await this.get<{ clusters: Cluster[] | null; revision: number; of?: number[] }>(
      `${at(project)}/groups${query({ with: rows.join(",") })}`,
    );
    const clusters = (g.clusters ?? []).map((c) => ({
      ...c,
      names: c.names ?? [],
      members: c.members ?? [],
      traits: c.traits ?? [],
    }));
    return { clusters, of: g.of ?? [], revision: g.revision };
  }

  /** Members of the group that a row is in now, and its number; 0 for none. */
  async members(
    project: string,
    row: number,
    order: "typical" | "doubtful",
    offset: number,
    limit: number,
  ): Promise<Members & { cluster: number }> {
    const m = await this.get<{ members: Member[] | null; total: number; cluster: number }>(
      `${at(project)}/groups/0/members?with=${row}&order=${order}&offset=${offset}&limit=${limit}`,
    );
    return { ...m, members: m.members ?? [] };
  }

  /** The doubtful objects; where there are none, those that are less than certain. */
  doubts(project: string, offset: number, limit: number): Promise<Members> {
    return this.list(`${at(project)}/doubts?least=true&offset=${offset}&limit=${limit}`);
  }

  /** At most 200 rows a call. */
  async objects(project: string, rows: number[]): Promise<Member[]> {
    return (await this.list(`${at(project)}/objects?rows=${rows.join(",")}`)).members;
  }

  object(project: string, row: number): Promise<Member> {
    return this.get(`${at(project)}/objects/${row}`);
  }

  /** Objects that are looked for; values that are "" say nothing of them. */
  async search(
    project: string,
    wanted: Record<string, string>,
    offset: number,
    limit: number,
  ): Promise<Found> {
    const f = await this.get<Found>(
      `${at(project)}/search${query({ ...wanted, offset: `${offset}`, limit: `${limit}` })}`,
    );
    return { ...f, members: f.members ?? [] };
  }

  private async list(path: string): Promise<Members> {
    const m = await this.get<{ members: Member[] | null; total?: number }>(path);
    return { members: m.members ?? [], total: m.total ?? m.members?.length ?? 0 };
  }

  /** Address of a picture, at least size pixels wide or high where it has that many. */
  picture(project: string, row: number, size: number): string {
    return `${base}${at(project)}/objects/${row}/picture?size=${size}`;
  }

  /** x, y of every row, row by row; layout is one of a state. */
  async points(project: string, layout: string): Promise<Float32Array> {
    const path = `${at(project)}/map/points${query({ layout })}`;
    return floats(
      await (await this.send("GET", path, undefined, undefined, 120_000)).arrayBuffer(),
    );
  }

  /**
   * Six bytes a row: cluster and set as little-endian uint16, certainty, flags; with the revision
   * they are of.
   */
  async places(project: string): Promise<{ places: DataView; revision: number }> {
    const response = await this.send(
      "GET",
      `${at(project)}/map/places`,
      undefined,
      undefined,
      120_000,
    );
    const tag = (response.headers.get("ETag") ?? "").replace(/\D/g, "");
    return {
      places: new DataView(await response.arrayBuffer()),
      revision: tag === "" ? 0 : Number(tag),
    };
  }

  async mapInfo(project: string, layout: string): Promise<MapInfo> {
    const info = await this.get<MapInfo>(`${at(project)}/map/info${query({ layout })}`);
    return { ...info, axes: info.axes ?? ["", ""], sets: info.sets ?? [] };
  }

  async pictures(project: string): Promise<PictureOffer[]> {
    return (
      (await this.get<{ pictures: PictureOffer[] | null }>(`${at(project)}/pictures`)).pictures ??
      []
    );
  }

  export(project: string, file: string): string {
    return `${base}${at(project)}/exports/${file}`;
  }

  /** The first bytes of a file of CSV. */
  async exportHead(project: string, file: string): Promise<string> {
    const response = await this.send("GET", `${at(project)}/exports/${file}`, undefined, {
      Range: "bytes=0-8191",
    });
    return response.text();
  }

  async people(project: string): Promise<{ people: Person[]; sharing: Sharing }> {
    const p = await this.get<{ people: Person[] | null; sharing: Sharing }>(
      `${at(project)}/people`,
    );
    return { people: p.people ?? [], sharing: p.sharing };
  }

  reliability(project: string, name: string, reliability: number): Promise<unknown> {
    return this.json("PUT", `${at(project)}/people/${encodeURIComponent(name)}`, { reliability });
  }

  sharing(project: string, sharing: Sharing): Promise<unknown> {
    return this.json("PUT", `${at(project)}/sharing`, sharing);
  }

  events(project: string): string {
    return project === "" ? `${base}/events` : `${base}${at(project)}/events`;
  }
}

/** Which data to look at, by which settings, and which of their columns to list. */
export interface Look {
  data: string;
  settings: Record<string, string>;
  find?: string;
  offset?: number;
  limit?: number;
}

/** What is otherwise when a project is opened again. */
export interface Reopening {
  settings?: Record<string, string>;
  /** The answers are taken along to data that changed. */
  carry?: boolean;
}

export interface Members {
  members: Member[];
  total: number;
}

export function wholeState(s: State): State {
  return {
    ...s,
    hues: s.hues ?? [],
    settings: s.settings ?? {},
    notes: s.notes ?? [],
    remarks: s.remarks ?? [],
    people: s.people ?? [],
  };
}

export function wholeTurn(t: Turn): Turn {
  return { ...t, ahead: t.ahead ?? [] };
}

export function isAnswer(step: string): step is LinkKind {
  return step === "same" || step === "different" || step === "unknown";
}

function at(project: string): string {
  return `/projects/${encodeURIComponent(project)}`;
}

/** The query of an address; values that are "" are left out. */
function query(values: Record<string, string>): string {
  const q = new URLSearchParams(Object.entries(values).filter(([, v]) => v !== "")).toString();
  return q === "" ? "" : `?${q}`;
}

function match(revision: number | undefined): Record<string, string> {
  return revision === undefined ? {} : { "If-Match": `"${revision}"` };
}

// All machines that run browsers today are little-endian, but the format does not depend on it.
function floats(buffer: ArrayBuffer): Float32Array {
  if (new Uint8Array(new Uint32Array([1]).buffer)[0] === 1)
    return new Float32Array(buffer, 0, buffer.byteLength >> 2);
  const view = new DataView(buffer);
  return Float32Array.from({ length: buffer.byteLength >> 2 }, (_, i) =>
    view.getFloat32(4 * i, true),
  );
}
