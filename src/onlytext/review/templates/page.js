"use strict";
// Every text goes into the page as text: nothing here reads HTML, and nothing asks the network.
(() => {
  const { rows, words, shades, chunk } = JSON.parse(document.getElementById("data").textContent);
  const sources = [...document.querySelectorAll("script.chunk")];
  const chunks = [];
  const haystacks = [];
  const list = document.getElementById("list");
  const count = document.getElementById("count");
  const form = document.querySelector("form.filters");
  const [N, NAME, STATUS, REASONS, PATTERNS, LANGUAGE, DOUBT] = [0, 1, 2, 3, 4, 5, 6];

  const say = (key, values = {}) => words[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
  const number = new Intl.NumberFormat("en");

  function make(tag, name, ...inside) {
    const made = document.createElement(tag);
    if (name) made.className = name;
    made.append(...inside);
    return made;
  }

  // U+E000 and U+E001 stand round the sign for a character that must not act.
  function put(parent, text) {
    text.split("\ue000").forEach((part, index) => {
      if (!index) { if (part) parent.append(part); return; }
      const end = part.indexOf("\ue001");
      parent.append(make("span", "sign", part.slice(0, end)));
      if (end + 1 < part.length) parent.append(part.slice(end + 1));
    });
    return parent;
  }

  function itemAt(index) {
    const place = Math.floor(index / chunk);
    if (!chunks[place]) {
      chunks[place] = JSON.parse(sources[place].textContent);
      sources[place].textContent = "";
    }
    return chunks[place][index % chunk];
  }

  // ---------------------------------------------------------------- one item

  function mark([fate, text, reason = "", pattern = ""]) {
    if (fate === "kept") return put(document.createDocumentFragment(), text);
    if (fate === "gap") return make("span", "gap", say("gap", { n: number.format(Number(text)) }));
    if (fate === "doubted") {
      const doubt = put(make("mark", "", make("span", "unseen", say("doubted"))), text);
      return group(doubt, make("span", "label", reason));
    }
    if (fate === "lawful") return put(make("del", "cut lawful"), text);
    const cut = put(make("del", `cut ${shades[reason] || "s6"}`, make("span", "unseen", say("removed"))), text.trimEnd());
    const after = text.slice(text.trimEnd().length);
    return group(cut, make("span", "label", pattern ? `${reason} · ${pattern}` : reason), after);
  }

  function group(...parts) {
    const made = document.createDocumentFragment();
    made.append(...parts);
    return made;
  }

  // A text that is long scrolls by itself; then the keyboard has to reach it too.
  const LONG = 1500;

  function textOf(parts, label) {
    const box = make("div", "text");
    box.dir = "auto";
    box.append(...parts);
    if (box.textContent.length > LONG) {
      box.classList.add("long");
      box.tabIndex = 0;
      box.setAttribute("role", "group");
      box.setAttribute("aria-label", say(label));
    }
    return box;
  }

  function change([side, text]) {
    if (side === "both") return put(document.createDocumentFragment(), text);
    return put(make(side === "before" ? "del" : "ins", side === "before" ? "old" : ""), text);
  }

  function pass(reply) {
    const again = reply.ask ? ` · ${say("again")}` : "";
    const about = make("p", "about", make("strong", "", say(reply.part) + again));
    put(about, ` · ${say(`outcome_${reply.outcome}`)} · ${reply.model} · ${reply.seconds} s`);
    const made = make("div", "pass", about);
    if (reply.cause) made.append(put(make("p", "why"), reply.cause));
    const columns = make("div", "columns");
    const left = make("div", "", make("h4", "", say("reply")));
    left.append(reply.marks.length ? textOf(reply.marks.map(mark), "reply") : make("p", "why", say("empty")));
    columns.append(left);
    if (reply.draft) {
      const right = make("div", "", make("h4", "", say(reply.compared ? "draft" : "draft_alone")));
      if (reply.compared && reply.draft.every(([side]) => side === "both")) {
        right.append(make("p", "why", say("no_changes")));
      }
      right.append(textOf(reply.draft.map(change), "draft_alone"));
      columns.append(right);
    }
    made.append(columns);
    return made;
  }

  function fields(pairs) {
    const made = make("dl", "record");
    for (const [name, text] of pairs) {
      const value = put(make("dd"), text);
      value.dir = "auto";
      made.append(put(make("dt"), name), value);
    }
    return made;
  }

  const isPlain = (reply) => reply.outcome !== "refused" && reply.marks.every(([fate]) => fate === "kept" || fate === "lawful");

  function folded(title, ...inside) {
    return make("details", "", make("summary", "", title), ...inside);
  }

  function fill(box, index) {
    const item = itemAt(index);
    const parts = [];
    if (item.cause) parts.push(put(make("p", "why", `${say("cause")}: `), item.cause));
    if (item.doubts.length) parts.push(put(make("p", "why", `${say("doubts")}: `), item.doubts.join("; ")));
    const drafted = item.replies.some((reply) => reply.draft);
    const aside = [];
    for (const reply of item.replies) {
      // A first reply in which nothing was dropped is the draft that stands beside the second one.
      if (drafted && reply.part === "generate" && isPlain(reply)) {
        aside.push(folded(`${say("generate")} · ${say(`outcome_${reply.outcome}`)}`, pass(reply)));
      } else parts.push(pass(reply));
    }
    const result = make("div", "pass", make("h4", "", say(item.record.length || !item.text ? "record" : "text")));
    if (item.record.length) result.append(fields(item.record));
    else if (item.text) result.append(textOf([put(document.createDocumentFragment(), item.text)], "text"));
    else result.append(make("p", "why", say("no_record")));
    parts.push(result, ...aside, folded(say("brief"), fields(item.brief)));
    if (item.failures.length) {
      parts.push(folded(`${say("failures")} (${item.failures.length})`, fields(item.failures.map(([fault, seconds, message]) => [`${fault}, ${seconds} s`, message]))));
    }
    box.append(...parts);
  }

  function article(index, position) {
    const row = rows[index];
    const box = make("article", "item");
    box.id = `item-${row[N]}`;
    const link = put(make("a"), row[NAME] || say("row", { n: row[N] }));
    link.href = `#item-${row[N]}`;
    const head = make("h3", "", link);
    head.dir = "auto";
    const top = make("div", "top", head, make("span", "soft", say("row", { n: row[N] })), make("span", `chip st${row[STATUS]}`, say(`status_${row[STATUS]}`)));
    if (row[DOUBT]) top.append(make("span", "chip doubt", say("doubt")));
    if (row[LANGUAGE]) top.append(make("span", "soft", row[LANGUAGE]));
    box.append(top);
    box.setAttribute("aria-labelledby", head.id = `name-${row[N]}`);
    box.setAttribute("aria-posinset", position + 1);
    box.setAttribute("aria-setsize", fitting.length);
    fill(box, index);
    return box;
  }

  // ---------------------------------------------------------------- all items

  // Only the blocks near the screen hold their items; the others keep the room that they take.
  const BLOCK = 10;
  let fitting = [];
  let blocks = [];
  let usual = 700 * BLOCK;
  const watcher = new IntersectionObserver((seen) => {
    for (const one of seen) (one.isIntersecting ? enter : leave)(one.target);
  }, { rootMargin: "1500px 0px" });

  function enter(block) {
    if (block.firstChild) return;
    const start = blocks.indexOf(block) * BLOCK;
    block.append(...fitting.slice(start, start + BLOCK).map((index, place) => article(index, start + place)));
    block.style.minHeight = "";
  }

  function leave(block) {
    if (!block.firstChild || block.contains(document.activeElement)) return;
    const { height } = block.getBoundingClientRect();
    if (fitting.length > BLOCK) usual = height;
    block.style.minHeight = `${height}px`;
    block.replaceChildren();
  }

  function lay() {
    watcher.disconnect();
    blocks = Array.from({ length: Math.ceil(fitting.length / BLOCK) }, () => make("div", "block"));
    blocks.forEach((block, place) => {
      block.style.minHeight = `${(usual * Math.min(BLOCK, fitting.length - place * BLOCK)) / BLOCK}px`;
    });
    list.replaceChildren(...blocks);
    if (blocks.length) enter(blocks[0]);
    blocks.forEach((block) => watcher.observe(block));
  }

  function plainOf(value) {
    if (Array.isArray(value)) return value.map(plainOf).join(" ");
    if (value && typeof value === "object") return Object.values(value).map(plainOf).join(" ");
    return typeof value === "string" ? value : "";
  }

  function haystack(index) {
    haystacks[index] ??= `${rows[index][NAME]} ${plainOf(itemAt(index))}`.replace(/[\ue000\ue001]/g, "").toLowerCase();
    return haystacks[index];
  }

  function wanted() {
    const given = new FormData(form);
    const [status, reason, pattern, language] = ["status", "reason", "pattern", "language"].map((name) => given.get(name) || "");
    const needle = (given.get("search") || "").trim().toLowerCase();
    return (row, index) =>
      (!status || String(row[STATUS]) === status) &&
      (!reason || (reason === "any" ? row[REASONS].length > 0 : reason === "none" ? !row[REASONS].length : row[REASONS].includes(reason.slice(1)))) &&
      (!pattern || row[PATTERNS].includes(pattern)) &&
      (!language || row[LANGUAGE] === language) &&
      (!given.get("doubt") || row[DOUBT] === 1) &&
      (!needle || haystack(index).includes(needle));
  }

  function filter() {
    const fits = wanted();
    fitting = [...rows.keys()].filter((index) => fits(rows[index], index));
    const shown = fitting.length;
    count.textContent = shown ? say("count", { shown: number.format(shown), all: number.format(rows.length) }) : say("none");
    lay();
  }

  let waiting = 0;
  function soon() {
    clearTimeout(waiting);
    waiting = setTimeout(filter, 150);
  }

  const rowOf = new Map(rows.map((row, index) => [`#item-${row[N]}`, index]));

  function follow() {
    const index = rowOf.get(location.hash);
    if (index === undefined) return;
    if (!fitting.includes(index)) {
      form.reset();
      setTimeout(follow);
      return;
    }
    enter(blocks[Math.floor(fitting.indexOf(index) / BLOCK)]);
    const go = () => document.getElementById(location.hash.slice(1))?.scrollIntoView();
    go();
    // Blocks that are filled on the way change the heights above it.
    requestAnimationFrame(() => requestAnimationFrame(go));
  }

  form.addEventListener("input", soon);
  form.addEventListener("submit", (event) => { event.preventDefault(); filter(); });
  form.addEventListener("reset", () => setTimeout(filter));
  window.addEventListener("hashchange", follow);
  window.addEventListener("beforeprint", () => { if (fitting.length <= 500) blocks.forEach(enter); });
  filter();
  follow();
})();
