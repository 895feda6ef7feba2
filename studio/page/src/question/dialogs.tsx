import { help } from "../keys";
import { CardView } from "../parts/card";
import { Modal } from "../parts/dialog";
import { RegroupDialog } from "../panels/regrouping";
import { remember } from "../kept";
import type { Store } from "../store";
import type { Card } from "../types";
import { ClashDialog } from "./clash";

/** Whichever dialog is open. */
export function Dialogs({ store }: { store: Store }) {
  const dialog = store.dialog.value;
  if (dialog === null) return null;
  const close = () => (store.dialog.value = null);
  switch (dialog.kind) {
    case "clash":
      return (
        <ClashDialog key={dialog.item.id} store={store} item={dialog.item} clash={dialog.clash} />
      );
    case "bad":
      return <BadDialog store={store} cards={[dialog.a, dialog.b]} close={close} />;
    case "regroup":
      return <RegroupDialog store={store} wish={dialog.wish} close={close} />;
    case "help":
      return <HelpDialog close={close} />;
    case "welcome":
      return <Welcome close={close} />;
  }
}

function BadDialog({ store, cards, close }: { store: Store; cards: Card[]; close(): void }) {
  const leave = (card: Card) => {
    close();
    store.step({ kind: "bad", row: card.row });
  };
  return (
    <Modal title="Which of the two is bad data?" close={close}>
      <p>It is left out of the questions from now on. Undo brings it back.</p>
      <div class="which">
        {cards.map((card, i) => (
          <button
            type="button"
            key={card.row}
            class="reference"
            autofocus={i === 0}
            onClick={() => leave(card)}
          >
            <CardView card={card} size="medium" />
            <span dir="auto">{card.id}</span>
          </button>
        ))}
      </div>
      <div class="choices">
        <button type="button" onClick={close}>
          Neither
        </button>
      </div>
    </Modal>
  );
}

function HelpDialog({ close }: { close(): void }) {
  return (
    <Modal title="Keys" close={close}>
      <table class="keys">
        <tbody>
          {help.map((h) => (
            <tr key={h.text}>
              <th scope="row">
                {h.keys.map((k, i) => (
                  <span key={k}>
                    {i > 0 && " "}
                    <kbd>{k}</kbd>
                  </span>
                ))}
              </th>
              <td>{h.text}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="small quiet">
        No key acts while you write in a field, and a key that is held down acts once. A key counts
        for the pair that was in sight when you pressed it. Where there was none, the page says that
        the key was not counted.
      </p>
    </Modal>
  );
}

const seen = "kindred/welcomed";

function Welcome({ close }: { close(): void }) {
  const done = () => {
    remember(seen, "yes");
    close();
  };
  return (
    <Modal title="How this works" close={done}>
      <ol class="steps">
        <li>
          You see <b>two objects</b>. Say whether they belong to one group: <kbd>s</kbd> same,{" "}
          <kbd>d</kbd> different, or <kbd>space</kbd> when you cannot tell.
        </li>
        <li>
          kindred asks where an answer <b>tells it most</b>. Some tens of answers are often enough:
          stop when the groups are right.
        </li>
        <li>
          Every answer is <b>saved at once</b>, and can be taken back (<kbd>u</kbd>) or changed
          later under History.
        </li>
        <li>
          The <b>map</b> and the <b>groups</b> follow your answers. Take them along under Export.
        </li>
      </ol>
      <div class="choices">
        <button type="button" class="primary" autofocus onClick={done}>
          Begin
        </button>
      </div>
      <p class="small quiet">
        All keys: <kbd>h</kbd>. Nothing leaves this machine.
      </p>
    </Modal>
  );
}

/** Tells whether the explanation was closed before. */
export const welcomed = seen;
