// The view that is shown, as text and as a Mermaid sequence diagram.

function rowText(row) {
  const { words, changes, note } = said(row);
  return words + (changes ? "  [" + changes + "]" : "") + (note ? "  (" + note + ")" : "");
}
function asText() {
  const out = [about.kind ? "bug: " + about.kind + ": " + about.message : about.file];
  if (about.where) out.push("  --> " + about.where);
  if (about.command) out.push("$ " + about.command);
  out.push("dbverify " + about.version + ": " + about.summary, "");
  let round = -1, lane = -1;
  for (const row of rows) {
    if (row.inner) continue;
    const first = firstOf(row), s = steps[first];
    if (data.rounds && s.round !== round) { out.push("-- round " + s.round + " --"); lane = -1; }
    round = s.round;
    if (s.lane !== lane && row.whole === undefined) out.push(laneWords(s.lane));
    lane = row.whole !== undefined ? -1 : s.lane;
    const number = row.list ? (first + 1) + "-" + (finalOf(row) + 1) : String(first + 1);
    out.push("  " + number.padStart(7) + "  " + String(row.list ? "" : s.line || "").padStart(4) + "  " + (row.list ? "... " : "") + rowText(row));
  }
  return out.join("\n") + "\n";
}
function asMermaid() {
  const id = (g) => "T" + g.n, clean = (text) => text.replace(/[;#\n]/g, ",");
  const out = ["sequenceDiagram"];
  groups.forEach((g) => out.push("  participant " + id(g) + " as " + clean(g.name)));
  let before = null, round = data.rounds ? 0 : -1;
  for (const row of rows) {
    if (row.inner) continue;
    const s = steps[firstOf(row)], g = groupOf[s.lane];
    if (data.rounds && s.round !== round) {
      out.push("  Note over " + id(groups[0]) + (groups.length > 1 ? "," + id(groups[groups.length - 1]) : "") + ": round " + s.round);
      round = s.round;
    }
    if (before && before !== g) out.push("  " + id(before) + "-->>" + id(g) + ": switch");
    before = g;
    const text = (row.list ? "" : firstOf(row) + 1 + ". ") + clean(rowText(row));
    const child = !row.list && s.child !== undefined ? groupOf[s.child] : undefined;
    out.push(child && child !== g ? "  " + id(g) + "->>" + id(child) + ": " + text : "  Note " + (s.kind === "fails" || row.list ? "over " : "right of ") + id(g) + ": " + text);
  }
  return out.join("\n") + "\n";
}

const dialog = byId("dialog");
let exported = { text: "", name: "" };
function offer(title, text, name) {
  exported = { text, name };
  byId("dialog-title").textContent = title;
  const area = make("textarea", { readonly: "", "aria-label": title, spellcheck: "false" });
  area.value = text;
  byId("dialog-body").replaceChildren(area);
  byId("copy-text").hidden = byId("download").hidden = false;
  dialog.showModal();
}
function copy(text, button) {
  const old = button.textContent;
  const done = () => { button.textContent = "copied"; setTimeout(() => { button.textContent = old; }, 1200); };
  const byHand = () => {
    const area = make("textarea", {});
    area.value = text;
    (button.closest("dialog") || document.body).append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
    done();
  };
  if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, byHand); else byHand();
}
const KEYS = [
  ["← → or k j", "a row back, forward"], ["p n or Page up, down", "to the last, the next switch of task"], ["Home End", "the start, the end"],
  ["Space", "play, stop"], ["v", "the story, or all steps"], ["s", "source and values beside the lanes, or the lanes alone"],
  ["w", "watch an expression"], ["/", "search in steps"], ["g", "tasks of one procedure share a lane"], ["h", "arrows: what comes before what"], ["+ −", "zoom the strip"], ["f", "large, for a projector"], ["t", "light or dark"], ["Esc", "unmark the variable, leave the field"],
];
function help() {
  byId("dialog-title").textContent = "Keys";
  const list = make("dl", {});
  for (const [key, text] of KEYS) list.append(make("dt", {}, make("kbd", {}, key)), make("dd", {}, text));
  byId("dialog-body").replaceChildren(list, make("p", { class: "soft" },
    "The story shows switches, delays, and the steps that change what the failing check looks at; the rest is folded. Thick line: the task runs. Thin: it is pending. Amber: it was delayed. Red: it is blocked, or fails. A click on a variable marks its steps."));
  byId("copy-text").hidden = byId("download").hidden = true;
  dialog.showModal();
}
