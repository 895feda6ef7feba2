// Whether the server and the project can be reached, and what is done when not.

import { signal } from "@preact/signals";
import { type Api, ApiError } from "./api";
import type { Live } from "./live";
import type { Project } from "./types";
import { isTrouble, Troubled } from "./trouble";

export type Connection = "connecting" | "live" | "away" | "stranger";

/** The longest pause before a project is opened again that could not be opened, in ms. */
const longest = 8000;

/** The first pause before it is asked again whether a project is open, which events report, too. */
const opening = 400;

/** What Reach needs of the store. */
interface Around {
  project(): string;
  live(): Live | null;
  /** What the list of projects says of one. */
  stateOf(project: string): Project["state"] | undefined;
  refreshTurn(): void;
}

export class Reach {
  /** Whether events arrive. */
  readonly connection = signal<Connection>("connecting");
  /** What stands in the way of the project, in words: it is not there, or it cannot be opened. */
  readonly obstacle = signal("");
  /** Why the project cannot be opened, where that may pass; it is tried again and again. */
  readonly troubled = new Troubled();
  private opening = false;
  /** The project that was opened last: one that fails is not opened again and again. */
  private tried = "";
  private soon: ReturnType<typeof setTimeout> | undefined;
  private later: ReturnType<typeof setTimeout> | undefined;
  private pause = 1000;
  private wait = opening;

  constructor(
    private readonly api: Api,
    private readonly around: Around,
  ) {}

  /** Events arrive. */
  live(): void {
    this.connection.value = "live";
    this.obstacle.value = "";
  }

  /** No events arrive from the project any more. */
  lost(project: string): void {
    if (this.connection.value === "live") this.connection.value = "connecting";
    if (this.around.stateOf(project) !== "opening") void this.probe(project);
  }

  /** The server has answered about the project: whatever was in the way is not. */
  heard(): void {
    this.over();
    if (this.connection.value !== "live") this.around.live()?.retry();
  }

  /** Another project is shown, or this one is open. */
  over(): void {
    clearTimeout(this.later);
    this.later = undefined;
    this.pause = 1000;
    this.wait = opening;
    this.troubled.over();
  }

  /** Opens the project at once, if it could not be opened. */
  retry(): void {
    if (this.later === undefined) return;
    clearTimeout(this.later);
    this.later = undefined;
    this.pause = 1000;
    void this.reopen(this.around.project());
  }

  private async probe(project: string): Promise<void> {
    try {
      await this.api.state(project);
      if (project === this.around.project() && !this.around.live()?.open)
        this.connection.value = "connecting";
    } catch (error) {
      if (project === this.around.project()) this.trouble(error);
    }
  }

  /** Opens a project that the server has closed, and tells what else is in the way. */
  trouble(error: unknown): void {
    if (isTrouble(error)) {
      this.troubled.by(error);
      if (this.later !== undefined) return;
      const project = this.around.project();
      this.later = setTimeout(() => {
        this.later = undefined;
        if (project === this.around.project()) void this.reopen(project);
      }, this.pause);
      this.pause = Math.min(2 * this.pause, longest);
      return;
    }
    if (!(error instanceof ApiError) || error.status >= 500) {
      if (this.connection.value !== "live") this.connection.value = "away";
      else this.around.live()?.check();
      return;
    }
    if (error.status === 401) this.connection.value = "stranger";
    else if (error.kind === "closed") {
      const project = this.around.project();
      if (this.tried !== project || this.around.stateOf(project) !== "failed")
        void this.reopen(project);
    } else if (error.kind === "opening") {
      this.connection.value = "connecting";
      clearTimeout(this.soon);
      this.soon = setTimeout(() => this.around.refreshTurn(), this.wait);
      this.wait = Math.min(2 * this.wait, longest);
    } else if (error.status === 404) this.obstacle.value = error.message;
  }

  private async reopen(project: string): Promise<void> {
    if (this.opening) return;
    this.opening = true;
    this.tried = project;
    this.connection.value = "connecting";
    try {
      await this.api.open(project);
      if (project === this.around.project()) {
        this.around.live()?.retry();
        this.around.refreshTurn();
      }
    } catch (error) {
      if (project === this.around.project() && error instanceof ApiError)
        this.obstacle.value = error.message;
    } finally {
      this.opening = false;
    }
  }
}
