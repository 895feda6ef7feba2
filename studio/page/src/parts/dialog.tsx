import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { Refusals } from "./refusals";

/**
 * A modal dialog: the browser keeps the focus in it and gives it back at the end. Escape, or a
 * click beside it, closes it
 * through `close`; without `close` one of its buttons must. One that comes of itself is `still`: its
 * title has the focus, so that a key meant for the page presses no button.
 */
export function Modal({
  title,
  close,
  wide = false,
  still = false,
  children,
}: {
  title: string;
  close?: () => void;
  wide?: boolean;
  still?: boolean;
  children: ComponentChildren;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = ref.current!;
    const before = document.activeElement;
    if (!dialog.open) dialog.showModal();
    return () => {
      dialog.close();
      if (before instanceof HTMLElement && before.isConnected)
        before.focus({ preventScroll: true });
    };
  }, []);
  return (
    <dialog
      ref={ref}
      class={wide ? "wide" : undefined}
      aria-labelledby={id}
      onCancel={(e) => {
        e.preventDefault();
        close?.();
      }}
      onClose={() => {
        // A browser lets nobody hold a dialog against a second Escape.
        if (ref.current?.isConnected !== true) return;
        if (close !== undefined) close();
        else ref.current.showModal();
      }}
      onClick={(e) => {
        if (e.target === ref.current) close?.();
      }}
    >
      <div class="inside">
        <header>
          <h2 id={id} {...(still ? { tabIndex: -1, autofocus: true } : {})}>
            {title}
          </h2>
          {close !== undefined && (
            <button type="button" class="close" aria-label="close" onClick={close}>
              ×
            </button>
          )}
        </header>
        <Refusals />
        {children}
      </div>
    </dialog>
  );
}
