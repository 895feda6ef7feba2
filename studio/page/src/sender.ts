// Sends what waits in a queue, in order, each once: one at a time, again and again while the server
// is away.

import { ApiError } from "./api";
import { isTrouble } from "./trouble";
import type { Item, Queue } from "./queue";
import type { Reply, Step } from "./types";

export interface Outcomes {
  /** The server has it. */
  sent(item: Item, reply: Reply): void;
  /** It contradicts other answers; it stays first, and nothing is sent until go is called. */
  clashed(item: Item, error: ApiError): void;
  /** The server will never take it; it is removed. */
  dropped(item: Item, error: ApiError): void;
  /** It could not be sent now, and will be again. */
  trouble(error: unknown): void;
  /** The server is away or busy, or is back; or the queue has changed. */
  changed(away: boolean): void;
}

/** What Sender needs of its surroundings; tests have their own. */
export interface Means {
  post(id: string, step: Step): Promise<Reply>;
  wait(ms: number): Promise<void>;
  /** Runs f while no other tab sends for the same project. */
  alone(f: () => Promise<void>): Promise<void>;
}

/** The longest pause before what failed is tried again, in ms. */
const longest = 8000;

export class Sender {
  private running = false;
  private held = false;
  private stopped = false;
  private wake: (() => void) | null = null;
  /** The server did not answer the last time it was tried. */
  away = false;

  constructor(
    private readonly queue: Queue,
    private readonly means: Means,
    private readonly on: Outcomes,
  ) {}

  /** Sends what waits. Called again, or while waiting for the server, it tries at once. */
  go(): void {
    this.held = false;
    this.wake?.();
    if (this.running || this.stopped || this.queue.length === 0) return;
    this.running = true;
    void this.run();
  }

  private async run(): Promise<void> {
    try {
      await this.means.alone(() => this.drain());
    } catch (error) {
      // No lock, or a mistake in the page: again at once would go on for ever.
      console.error(error);
      if (!this.stopped) await this.sleep(longest);
    }
    this.running = false;
    if (!this.held && !this.stopped && this.queue.length > 0) this.go();
    else this.on.changed(this.away);
  }

  /** Ends for good; what waits stays in the queue. */
  stop(): void {
    this.stopped = true;
    this.wake?.();
  }

  private async drain(): Promise<void> {
    let pause = 250;
    while (!this.held && !this.stopped) {
      this.queue.reload();
      const item = this.queue.first();
      if (item === undefined) break;
      this.queue.mark(item.id);
      let reply: Reply;
      try {
        reply = await this.means.post(item.id, item.step);
      } catch (error) {
        if (this.stopped) return; // what came of it is for nobody here; it waits in the queue
        if (error instanceof ApiError && final(item.step, error)) {
          this.setAway(false);
          this.refused(item, error);
          continue;
        }
        this.setAway(true);
        this.on.trouble(error);
        await this.sleep(pause);
        pause = Math.min(2 * pause, longest);
        continue;
      }
      this.queue.remove(item.id);
      if (this.stopped) return; // the page shows another project
      pause = 250;
      this.setAway(false);
      this.on.sent(item, reply);
    }
  }

  private refused(item: Item, error: ApiError): void {
    if (error.clash !== undefined) {
      if (this.queue.refuse(item.id)) {
        this.on.changed(false);
        return;
      }
      this.held = true;
      this.on.clashed(item, error);
      return;
    }
    this.queue.remove(item.id);
    this.on.dropped(item, error);
  }

  private setAway(away: boolean): void {
    this.away = away;
    this.on.changed(away);
  }

  private sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.wake = () => {
        this.wake = null;
        resolve();
      };
      void this.means.wait(ms).then(() => this.wake?.());
    });
  }
}

/**
 * Whether a refusal stands for good. Busy, overloaded, closed and not-yet-open servers are tried
 * again, and so is one that wants a fresh token, does not know the project now, or has trouble with
 * its files: the answers wait.
 */
export function final(step: Step, error: ApiError): boolean {
  if (error.status >= 500 || ["closed", "opening"].includes(error.kind) || isTrouble(error))
    return false;
  // Someone else's answer cannot be changed, and one that is gone neither.
  if (error.status === 403 || error.status === 404)
    return step.kind === "edit" || step.kind === "drop";
  return ![401, 408, 421, 423, 425, 429].includes(error.status);
}
