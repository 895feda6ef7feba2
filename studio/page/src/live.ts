// Server-sent events that come back after the server was away, more slowly each time, up to eight
// seconds.

import { plainly } from "./names";

export interface Listener {
  state?(data: unknown): void;
  progress?(data: unknown): void;
  projects?(data: unknown): void;
  status(status: "connecting" | "live" | "away"): void;
}

export class Live {
  private source: EventSource | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private pause = 500;
  private closed = false;

  constructor(
    private readonly address: string,
    private readonly listener: Listener,
  ) {
    this.connect();
  }

  private connect(): void {
    if (this.closed) return;
    const source = new EventSource(this.address);
    this.source = source;
    source.onopen = () => {
      this.pause = 500;
      this.listener.status("live");
    };
    source.onerror = () => {
      source.close();
      if (this.source !== source || this.closed) return;
      this.source = null;
      this.listener.status("away");
      this.timer = setTimeout(() => this.connect(), this.pause * (0.75 + Math.random() / 2));
      this.pause = Math.min(2 * this.pause, 8000);
    };
    for (const name of ["state", "progress", "projects"] as const) {
      const hear = this.listener[name];
      if (hear === undefined) continue;
      source.addEventListener(name, (event) => {
        let data: unknown;
        try {
          data = plainly(JSON.parse((event as MessageEvent<string>).data));
        } catch {
          return;
        }
        hear.call(this.listener, data);
      });
    }
  }

  /** Connects anew, as the server seems to be gone although nothing said so. */
  check(): void {
    if (this.closed || this.source === null) return;
    this.source.close();
    this.source = null;
    this.connect();
  }

  get open(): boolean {
    return this.source?.readyState === EventSource.OPEN;
  }

  /** Tries at once if the server was away; tells if it is not. */
  retry(): void {
    if (this.open) this.listener.status("live");
    if (this.closed || this.source !== null) return;
    clearTimeout(this.timer);
    this.connect();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    this.source?.close();
    this.source = null;
  }
}
