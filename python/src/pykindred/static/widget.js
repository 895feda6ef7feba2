// The widget of a session in a notebook, see widget.py: one plain module, which loads nothing.

const light = (
  "#429adb #c08906 #720069 #364b00 #c97182 " + "#0834a4 #575be1 #846c01 #076a99 #96395a"
).split(" ");
const dark = (
  "#81e0ff #e5a400 #d43b85 #ece215 #ffaa9b " + "#a29de3 #5e70f6 #a37017 #2485b6 #e57674"
).split(" ");

/** Colour of a hue from 1, as the studio has it; 0 is grey. */
function colour(hue, onDark) {
  if (hue <= 0) return onDark ? "#9a9fa8" : "#6d7178";
  const fixed = (onDark ? dark : light)[hue - 1];
  if (fixed) return fixed;
  const l = onDark ? 0.66 + 0.1 * (hue % 3) : 0.42 + 0.09 * (hue % 3);
  return `oklch(${l} 0.11 ${(hue * 137.508) % 360})`;
}

/** Black or white, whichever is easier to read on a colour. */
function ink(css) {
  if (!css.startsWith("#")) return Number(css.slice(6, 10)) > 0.62 ? "#000" : "#fff";
  const [r, g, b] = [1, 3, 5].map((i) => {
    const v = parseInt(css.slice(i, i + 2), 16) / 255;
    return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.18 ? "#000" : "#fff";
}

/** Reports whether what lies behind an element is dark. */
function onDark(el) {
  const size = { width: 1, height: 1 };
  const paper = Object.assign(document.createElement("canvas"), size).getContext("2d");
  for (let at = el.parentNode; at; at = at.parentNode ?? at.host) {
    if (!(at instanceof Element)) continue;
    paper.clearRect(0, 0, 1, 1);
    paper.fillStyle = getComputedStyle(at).backgroundColor; // as rgb(…), oklab(…) or color(…)
    paper.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = paper.getImageData(0, 0, 1, 1).data;
    if (a >= 128) return 0.299 * r + 0.587 * g + 0.114 * b < 128;
  }
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

/** Makes an element: text is text, never markup. */
function make(name, { text, ...more } = {}, ...children) {
  const el = document.createElement(name);
  for (const [key, value] of Object.entries(more)) {
    if (key.startsWith("on")) el.addEventListener(key.slice(2), value);
    else if (key === "class") el.className = value;
    else if (value === true) el.setAttribute(key, "");
    else if (value !== false && value != null) el.setAttribute(key, value);
  }
  if (text != null) el.textContent = text;
  el.append(...children.filter((c) => c != null));
  return el;
}

/** The bytes of a value that came over the kernel's connection. */
function bytes(value) {
  if (value == null) return new Uint8Array();
  if (typeof value === "string")
    return Uint8Array.from(atob(value.slice(value.indexOf(",") + 1)), (c) => c.charCodeAt(0));
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
}

/** The type of a picture by its first bytes; nothing else is shown. */
function typeOf(b) {
  if (b[0] === 0x89) return "image/png";
  if (b[0] === 0xff) return "image/jpeg";
  if (b[0] === 0x47) return "image/gif";
  return "image/webp";
}

export default {
  render({ model, el }) {
    let busy = false;
    let next = null; // what was asked for meanwhile
    let bright = null; // group whose points alone are coloured
    let later; // the next look while a fit runs
    let wait = 300;
    let urls = [];
    const abort = new AbortController();

    const progress = make("p", { class: "soft", role: "status" });
    const bar = make("progress", { max: 1, "aria-label": "share of the likely answers" });
    const problem = make("div", { class: "problem", role: "alert", hidden: true });
    const asked = make("div", { "aria-live": "polite" });
    const keys = { " ": "unknown", "?": "unknown", ArrowLeft: "different", ArrowRight: "same" };
    const button = (action, text, key, title) => {
      keys[key.toLowerCase()] = action;
      const how = { class: action, title, "aria-keyshortcuts": key, onclick: () => act(action) };
      const shown = make("kbd", { text: key.toLowerCase(), "aria-hidden": "true" });
      return make("button", { type: "button", ...how }, make("span", { text }), shown);
    };
    const buttons = {
      different: button("different", "Different", "D", "They belong to different groups"),
      unknown: button("unknown", "Don't know", "Space", "This pair is not asked again"),
      same: button("same", "Same", "S", "Both belong to one group"),
      skip: button("skip", "Skip", "K", "Ask me later"),
      undo: button("undo", "Undo", "U", "Take back your last step"),
      redo: button("redo", "Redo", "R", "Bring back what you took back"),
    };
    const answers = make(
      "div",
      { class: "answers", role: "group", "aria-label": "your answer" },
      make("div", { class: "main" }, buttons.different, buttons.unknown, buttons.same),
      make("div", { class: "side" }, buttons.skip, buttons.undo, buttons.redo),
    );
    const canvas = make("canvas", { role: "img" });
    const about = make("p", { class: "soft" });
    const groups = make("ul", { class: "groups" });
    const certain = make("p", { class: "certain" });
    const root = make(
      "div",
      {
        class: "kindred-ask",
        tabindex: "0",
        role: "group",
        "aria-label": "kindred: do these two belong together?",
        "data-lm-suppress-shortcuts": "true",
      },
      progress,
      bar,
      asked,
      problem,
      answers,
      certain,
      make("div", { class: "results" }, make("div", { class: "map" }, canvas, about), groups),
    );
    el.append(root);

    function send(message) {
      if (busy) {
        if (message.do !== "look") next = message;
        return;
      }
      busy = true;
      root.setAttribute("aria-busy", "true");
      model.send(message);
    }

    function act(action, more = {}) {
      const q = model.get("view").question;
      if (["same", "different", "unknown"].includes(action)) {
        if (!q) return;
        send({ do: "answer", answer: action, a: q.a.row, b: q.b.row, number: q.number, ...more });
      } else if (!buttons[action].disabled) send({ do: action });
    }

    root.addEventListener("keydown", (e) => {
      e.stopPropagation(); // the notebook has keys of its own
      if (e.target instanceof HTMLInputElement || e.ctrlKey || e.metaKey || e.altKey) return;
      if (e.key === " " && e.target instanceof HTMLButtonElement) return;
      const action = keys[e.key.length === 1 ? e.key.toLowerCase() : e.key];
      if (!action || e.repeat) return;
      e.preventDefault();
      act(action);
    });
    root.addEventListener("click", (e) => {
      // A button that is disabled loses the keys to the notebook.
      if (!e.target.closest("input, a")) root.focus({ preventScroll: true });
    });

    function enable() {
      const view = model.get("view");
      for (const action of ["same", "different", "unknown", "skip"])
        buttons[action].disabled = !view.question;
      buttons.undo.disabled = !view.canUndo;
      buttons.redo.disabled = !view.canRedo;
      root.setAttribute("aria-busy", "false");
    }

    function picture(card) {
      const b = bytes(card.picture);
      const url = URL.createObjectURL(new Blob([b], { type: typeOf(b) }));
      urls.push(url);
      return make("img", {
        src: url,
        alt: `object ${card.id}`,
        draggable: "false",
        class: card.width && card.width < 100 ? "small" : "",
      });
    }

    function object(card, letter) {
      const id = make(
        "div",
        { class: "id" },
        make("b", { text: letter }),
        make("span", { text: card.id }),
      );
      if (card.picture) return make("div", { class: "object" }, id, picture(card));
      if (card.series) {
        const plot = make("canvas", { role: "img", "aria-label": `series ${card.id}` });
        requestAnimationFrame(() => line(plot, card.series));
        return make("div", { class: "object" }, id, plot);
      }
      return make("div", { class: "object" }, id, make("div", { class: "text", text: card.text }));
    }

    function line(plot, values) {
      const c = fit(plot);
      const low = Math.min(...values),
        high = Math.max(...values);
      c.strokeStyle = getComputedStyle(root).getPropertyValue("--accent");
      c.lineWidth = 1.5;
      c.beginPath();
      values.forEach((v, i) =>
        c.lineTo(
          4 + (i / Math.max(1, values.length - 1)) * (plot.clientWidth - 8),
          plot.clientHeight - 6 - ((v - low) / (high - low || 1)) * (plot.clientHeight - 12),
        ),
      );
      c.stroke();
    }

    function question(view) {
      const q = view.question;
      if (!q) {
        asked.replaceChildren(
          make("h3", {
            text: view.fitting ? "Looking for the next question …" : "No question is left",
          }),
          make("p", { class: "soft", text: view.done }),
        );
        return;
      }
      const pair =
        q.a.picture || q.a.text || q.a.series
          ? make(
              "div",
              { class: q.a.text ? "pair texts" : "pair" },
              object(q.a, "A"),
              object(q.b, "B"),
            )
          : null;
      const rows = q.fields.map((f) =>
        make(
          "tr",
          { class: f.mark === "≠" ? "differs" : "" },
          make("th", { scope: "row", text: f.name }),
          make("td", { text: f.a }),
          make("td", { text: f.b }),
        ),
      );
      const head = (letter, id) =>
        make("th", { scope: "col" }, make("b", { text: letter }), ` ${id}`);
      const fields =
        rows.length === 0
          ? null
          : make(
              "div",
              { class: "scroll" },
              make(
                "table",
                { class: "fields" },
                make("thead", {}, make("tr", {}, make("th"), head("A", q.a.id), head("B", q.b.id))),
                make("tbody", {}, ...rows),
              ),
            );
      asked.replaceChildren(
        ...[
          make(
            "div",
            { class: "head" },
            make("h3", { text: "Do these two belong together?" }),
            make("span", { class: "soft", text: q.why }),
          ),
          pair,
          fields,
        ].filter(Boolean),
      );
    }

    function list(view) {
      const isDark = root.classList.contains("dark");
      const editing = groups.contains(root.getRootNode().activeElement);
      if (editing) return;
      groups.replaceChildren(
        ...view.groups.map((g) => {
          const css = colour(g.hue + 1, isDark);
          const dot = make("span", { class: "dot", text: g.group });
          dot.style.background = css;
          dot.style.color = ink(css);
          const name = make("input", {
            value: g.name,
            placeholder: g.suggested || "name this group",
            "aria-label": `name of group ${g.group}`,
            maxlength: 200,
            onchange: (e) => send({ do: "name", group: g.group, name: e.target.value }),
            onkeydown: (e) => {
              if (e.key === "Enter") {
                e.target.blur();
                root.focus({ preventScroll: true });
              }
            },
          });
          const size = make("span", {
            class: "size",
            text: g.doubtful ? `${g.size} · ${g.doubtful} doubtful` : String(g.size),
          });
          const shown = g.members.filter((m) => m.picture);
          const item = make(
            "li",
            {},
            make("div", { class: "line" }, dot, name, size),
            shown.length
              ? make("div", { class: "members" }, ...shown.map(picture))
              : make("div", { class: "traits", text: g.traits.join("; ") || g.members[0]?.text }),
          );
          item.addEventListener("pointerenter", () => {
            bright = g.group;
            draw();
          });
          item.addEventListener("pointerleave", () => {
            bright = null;
            draw();
          });
          return item;
        }),
      );
    }

    /** Sizes a canvas to the pixels that it covers, and clears it. */
    function fit(at) {
      const ratio = devicePixelRatio || 1;
      at.width = Math.max(1, Math.round(at.clientWidth * ratio));
      at.height = Math.max(1, Math.round(at.clientHeight * ratio));
      const c = at.getContext("2d");
      c.scale(ratio, ratio);
      return c;
    }

    function draw() {
      if (!canvas.clientWidth) return;
      const isDark = root.classList.contains("dark");
      const view = model.get("view");
      const raw = bytes(model.get("points"));
      const xy = new Float32Array(raw.slice().buffer);
      const b = bytes(model.get("places"));
      const places = new DataView(b.buffer, b.byteOffset, b.byteLength);
      const c = fit(canvas);
      const w = canvas.clientWidth,
        h = canvas.clientHeight,
        pad = 14;
      const n = Math.min(xy.length / 2, b.length / 6);
      let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
      for (let i = 0; i < n; i++) {
        x0 = Math.min(x0, xy[2 * i]);
        x1 = Math.max(x1, xy[2 * i]);
        y0 = Math.min(y0, xy[2 * i + 1]);
        y1 = Math.max(y1, xy[2 * i + 1]);
      }
      const scale = Math.min((w - 2 * pad) / (x1 - x0 || 1), (h - 2 * pad) / (y1 - y0 || 1));
      const px = (x) => w / 2 + (x - (x0 + x1) / 2) * scale;
      const py = (y) => h / 2 - (y - (y0 + y1) / 2) * scale;
      const r = n > 5000 ? 1.3 : n > 1000 ? 2 : 3.2;
      for (let i = 0; i < n; i++) {
        const group = places.getUint16(6 * i + 2, true);
        const certainty = places.getUint8(6 * i + 4) / 255;
        const dim = bright !== null && group !== bright;
        c.globalAlpha = dim ? 0.12 : 0.35 + 0.65 * certainty;
        c.fillStyle = colour(places.getUint16(6 * i, true), isDark);
        c.beginPath();
        c.arc(px(xy[2 * i]), py(xy[2 * i + 1]), r, 0, 7);
        c.fill();
      }
      c.globalAlpha = 1;
      c.font = "600 13px system-ui, sans-serif";
      c.textBaseline = "middle";
      const marks = view.question?.marks ?? [];
      const near =
        marks.length === 2 &&
        Math.abs(px(marks[0][0]) - px(marks[1][0])) < 30 &&
        Math.abs(py(marks[0][1]) - py(marks[1][1])) < 16;
      const leftmost = near && marks[0][0] > marks[1][0] ? 1 : 0;
      marks.forEach(([x, y], i) => {
        const left = near ? i === leftmost : px(x) + 9 > w - 14;
        const at = left ? px(x) - 19 : px(x) + 9;
        c.lineWidth = 2;
        c.strokeStyle = isDark ? "#fff" : "#000";
        c.beginPath();
        c.arc(px(x), py(y), 6, 0, 7);
        c.stroke();
        c.lineWidth = 4;
        c.strokeStyle = isDark ? "#14161a" : "#f4f2ee";
        c.strokeText("AB"[i], at, py(y));
        c.fillStyle = isDark ? "#fff" : "#000";
        c.fillText("AB"[i], at, py(y));
      });
      canvas.setAttribute(
        "aria-label",
        `map of ${view.rows} rows in ${view.groups?.length ?? 0} groups`,
      );
      about.textContent = n < view.rows ? `The map shows ${n} of ${view.rows} rows.` : "";
    }

    function show() {
      const view = model.get("view");
      busy = false;
      urls.forEach((u) => URL.revokeObjectURL(u));
      urls = [];
      progress.textContent = view.progress;
      bar.value = view.share;
      question(view);
      list(view);
      certain.textContent =
        [view.certain, ...(view.remarks ?? []), view.changed, view.failed]
          .filter(Boolean)
          .join(" ") +
        (view.keeps ? "" : " Answers are kept until Python ends; name a project to keep them.");
      const p = view.problem;
      problem.hidden = !p;
      if (p) {
        problem.replaceChildren(make("div", { text: p.text }));
        if (p.answer)
          problem.append(
            make("button", {
              type: "button",
              text: "Keep it as a doubt",
              onclick: () => act(p.answer, { keep: true }),
            }),
          );
      }
      enable();
      draw();
      clearTimeout(later);
      const [message, q] = [next, view.question];
      next = null;
      // An answer is to the question that was shown, and not to the one after it.
      if (
        message &&
        (message.do !== "answer" || (message.a === q?.a.row && message.b === q?.b.row))
      )
        send(message);
      else if (view.fitting) {
        later = setTimeout(() => send({ do: "look" }), wait);
        wait = Math.min(2000, wait * 1.5);
      } else wait = 300;
    }

    function theme() {
      const was = root.classList.contains("dark");
      root.classList.toggle("dark", onDark(root));
      if (was !== root.classList.contains("dark")) {
        list(model.get("view"));
        draw();
      }
    }

    // A name that is being written must not be lost, and its pictures stay.
    model.on("change:view", show);
    model.on("change:points", draw);
    model.on("change:places", draw);
    const size = new ResizeObserver(() => draw());
    size.observe(canvas);
    const themes = new MutationObserver(() => {
      theme();
      setTimeout(theme, 400);
    });
    for (const at of [document.documentElement, document.body])
      themes.observe(at, {
        attributes: true,
        attributeFilter: [
          "class",
          "style",
          "theme",
          "data-jp-theme-light",
          "data-jp-theme-name",
          "data-theme",
          "data-vscode-theme-kind",
        ],
      });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", theme, {
      signal: abort.signal,
    });
    root.classList.toggle("dark", onDark(root));
    show();
    requestAnimationFrame(theme);
    return () => {
      abort.abort();
      clearTimeout(later);
      size.disconnect();
      themes.disconnect();
      model.off("change:view", show);
      model.off("change:points", draw);
      model.off("change:places", draw);
      urls.forEach((u) => URL.revokeObjectURL(u));
    };
  },
};
