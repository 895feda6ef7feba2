import type { Event, LinkKind } from "../types";

export const signs: Record<LinkKind, string> = { same: "=", different: "≠", unknown: "?" };

/** What a link says, as a sign with its name. */
export function Sign({ link }: { link: LinkKind }) {
  return (
    <span
      class={`sign ${link}`}
      role="img"
      aria-label={link === "unknown" ? "not known" : link}
      title={link}
    >
      {signs[link]}
    </span>
  );
}

/** Who gave it: "you" for the one who looks, where people have names. */
export function whoWords(event: Event, me: string): string {
  if (event.seq === 0 && !event.who) return "given with the data";
  if (!event.who) return "";
  return event.who === me ? "you" : event.who;
}

/** Whether the one who looks may change it: everybody their own answers, the nameless one all. */
export function mine(event: Event, me: string): boolean {
  return event.seq > 0 && (me === "" || event.who === me);
}
