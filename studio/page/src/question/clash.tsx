import { isAnswer } from "../api";
import { CardView } from "../parts/card";
import { Modal } from "../parts/dialog";
import { mine, Sign, whoWords } from "../parts/event";
import type { Store } from "../store";
import type { Item } from "../queue";
import type { Card, Clash, Event, LinkKind, Step } from "../types";

/** A refused answer: the chain that says otherwise, and what to do about it. */
export function ClashDialog({ store, item, clash }: { store: Store; item: Item; clash: Clash }) {
  const settle = (...instead: Step[]) => store.settleClash(item, instead);
  const keep = kept(item.step);
  return (
    <Modal title="This contradicts earlier answers" wide still>
      <p>
        Not all of these can hold:{" "}
        <b class="formula" dir="auto">
          {clash.words}
        </b>
        . Which one is wrong?
      </p>
      <Chain
        store={store}
        clash={clash}
        mend={(event, answer) => {
          const mended: Step =
            answer === null
              ? { kind: "drop", seq: event.seq }
              : { kind: "edit", seq: event.seq, answer };
          // What an edit replaces still counts, and may contradict the mended chain: the edit goes
          // first.
          if (item.step.kind === "edit") settle({ ...item.step, keep: true }, mended);
          else settle(mended, item.step);
        }}
      />
      <div class="choices">
        <button type="button" class="primary" onClick={() => settle()}>
          Take mine back
        </button>
        {keep !== null && (
          <button type="button" onClick={() => settle(keep)}>
            Keep mine as doubt
          </button>
        )}
      </div>
      <p class="small quiet">
        An answer kept as doubt stays in the history and is listed under Contradictions.{" "}
        {clash.weighed
          ? "It is weighed against the others, and answers are trusted less."
          : "Nothing follows from it until you mend the chain."}
      </p>
    </Modal>
  );
}

/** The step again, to be kept although it contradicts; null for one that cannot. */
function kept(step: Step): Step | null {
  return step.kind === "answer" || step.kind === "edit" || step.kind === "links"
    ? { ...step, keep: true }
    : null;
}

/** The objects of a chain and the answers between them; the last answer closes the ring. */
export function Chain({
  store,
  clash,
  mend,
}: {
  store: Store;
  clash: Clash;
  /** Changes an answer of the chain, or with null drops it. */
  mend(event: Event, answer: LinkKind | null): void;
}) {
  const me = store.me.value?.name ?? "";
  const card = (o: Event["a"]): Card =>
    clash.objects.find((c) => c.id === o?.id) ?? { row: o?.row ?? -1, id: o?.id ?? "" };
  const steps = walk(clash);
  const first = steps[0]?.from;
  const last = steps.at(-1)?.to;
  return (
    <div class="chain-frame">
      <ol class="chain">
        {first !== undefined && (
          <li class="thing">
            <Thing card={card(first)} />
          </li>
        )}
        {steps.map(({ event, to }) => (
          <li key={`${event.seq}-${to?.id}`} class="hop">
            <div class="between">
              {isAnswer(event.step) && <Sign link={event.step} />}
              <span class="small quiet">{whoWords(event, me)}</span>
              {mine(event, me) && isAnswer(event.step) && (
                <div class="mends">
                  <button
                    type="button"
                    class="small"
                    onClick={() => mend(event, flip(event.step as LinkKind))}
                  >
                    {event.step === "same" ? "They differ" : "They are the same"}
                    <span class="hidden">
                      : {event.a?.id} and {event.b?.id}
                    </span>
                  </button>
                  <button type="button" class="small" onClick={() => mend(event, null)}>
                    Drop
                    <span class="hidden">
                      {" "}
                      the answer about {event.a?.id} and {event.b?.id}
                    </span>
                  </button>
                </div>
              )}
            </div>
            <Thing card={card(to)} />
          </li>
        ))}
      </ol>
      {isAnswer(clash.answer.step) && (
        <p class="closing">
          {clash.answer.seq === 0 ? "Your answer now: " : "Kept as doubt: "}
          <b dir="auto">{clash.answer.a?.id ?? first?.id}</b> <Sign link={clash.answer.step} />{" "}
          <b dir="auto">{clash.answer.b?.id ?? last?.id}</b>
          {clash.answer.seq !== 0 && <span class="quiet"> {whoWords(clash.answer, me)}</span>}
        </p>
      )}
    </div>
  );
}

function Thing({ card }: { card: Card }) {
  return (
    <figure>
      {card.row >= 0 && <CardView card={card} size="medium" />}
      <figcaption dir="auto">{card.id}</figcaption>
    </figure>
  );
}

function flip(answer: LinkKind): LinkKind {
  return answer === "same" ? "different" : "same";
}

/**
 * The links of a chain in the direction in which it is walked, from one end of the answer to the
 * other.
 */
export function walk(clash: Clash): { event: Event; from: Event["a"]; to: Event["a"] }[] {
  let at = clash.answer.a?.id ?? clash.objects[0]?.id;
  const ids = clash.chain[0];
  if (ids !== undefined && at !== ids.a?.id && at !== ids.b?.id) at = clash.answer.b?.id;
  return clash.chain.map((event) => {
    const back = event.b?.id === at && event.a?.id !== at;
    const [from, to] = back ? [event.b, event.a] : [event.a, event.b];
    at = to?.id;
    return { event, from, to };
  });
}
