// The whole execution at a glance, which is the slider too: step N ends at N / steps of the width.

const strip = byId("strip");
let stripLeft = 0, stripWidth = 1;

function drawStrip() {
  const small = parseFloat(getComputedStyle(root).fontSize);
  const high = Math.round(small * (groups.length > 8 ? 0.66 : 1.12)), top = data.rounds ? Math.round(small * 1.1) : 4;
  const labels = groups.length <= 60 && innerWidth > 560;
  stripLeft = labels ? Math.round(small * 7) : 0;
  const width = strip.clientWidth;
  stripWidth = Math.max(1, width - stripLeft - 8);
  const height = top + groups.length * high + 4;
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("width", width);
  svg.setAttribute("height", height);
  svg.setAttribute("aria-hidden", "true");
  const pattern = (id, tone) => {
    const p = shape(defs, "pattern", { id, width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" });
    shape(p, "rect", { width: 2, height: 6, fill: tone });
  };
  const defs = shape(svg, "defs", {});
  pattern("hatch-late", "var(--delay)");
  pattern("hatch-stuck", "var(--bad)");
  const x = stripAt;
  bands(svg, x, top, height);
  groups.forEach((g) => {
    const y = top + g.n * high;
    if (labels) shape(svg, "text", { x: stripLeft - 8, y: y + high / 2 + 1, class: "name", fill: g.color, style: "font-size:" + Math.min(small * 0.75, high + 1) + "px" }, cut(g.name, 16));
    g.lanes.forEach((lane) => bars(svg, g, lane, x, y, high));
  });
  if (marked) marked.steps().forEach(([i, wrote]) => shape(svg, "circle", { cx: x(i + 0.5), cy: top + groupOf[steps[i].lane].n * high + high / 2, r: 3, class: wrote ? "wrote" : "read" }));
  if (failing >= 0 || blocked.length) shape(svg, "path", { class: "cross", d: `M${x(last) - 9} ${top + groupOf[steps[last - 1].lane].n * high + high / 2 - 4}l8 8m0 -8l-8 8` });
  shape(svg, "path", { id: "cursor", class: "cursor", d: "M0 0" });
  strip.replaceChildren(svg);
  moveCursor();
}
// The part of the execution that the strip shows.
let zoom = 1, zoomFrom = 0;
const stripAt = (step) => stripLeft + Math.max(0, Math.min(1, (step - zoomFrom) * zoom / last)) * stripWidth;
function zoomStrip(by) {
  zoom = Math.max(1, Math.min(last / 4, zoom * by));
  centreStrip();
  drawStrip();
}
function centreStrip() {
  const seen = last / zoom;
  zoomFrom = zoom <= 1 ? 0 : Math.max(0, Math.min(last - seen, at - seen / 2));
}
function bands(svg, x, top, height) {
  if (!data.rounds) return;
  let from = 0;
  for (let i = 1; i <= last; i++) {
    if (i < last && steps[i].round === steps[from].round) continue;
    const round = steps[from].round;
    if (round % 2 === 1) shape(svg, "rect", { class: "band", x: x(from), y: 0, width: x(i) - x(from), height });
    if (x(i) - x(from) > 60) shape(svg, "text", { x: x(from) + 4, y: top - 5 }, "round " + round);
    from = i;
  }
}
function bars(svg, g, lane, x, y, high) {
  const middle = y + high / 2, thick = Math.max(4, high - 6);
  const mine = stepsOf[lane];
  const end = ended[lane] ? mine[mine.length - 1] + 1 : last;
  if (!g.many && x(end) > x(born[lane])) shape(svg, "line", { class: "pending", x1: x(born[lane] + 1), x2: x(end), y1: middle, y2: middle, stroke: g.color });
  // Steps that are closer than a pixel become one bar.
  let from = -1, to = -1;
  const bar = () => { if (from >= 0) shape(svg, "rect", { x: x(from), y: middle - thick / 2, width: Math.max(1.5, x(to + 1) - x(from)), height: thick, rx: 2, fill: g.color }); };
  for (const i of mine) {
    if (steps[i].kind === "delayed") {
      const next = mine.find((j) => j > i && steps[j].kind !== "delayed") ?? last;
      shape(svg, "rect", { x: x(i), y: middle - thick / 2, width: Math.max(2, x(next) - x(i)), height: thick, fill: "url(#hatch-late)", stroke: "var(--delay)" });
      continue;
    }
    if (from >= 0 && x(i) - x(to + 1) < 1) { to = i; continue; }
    bar();
    from = to = i;
  }
  bar();
  if (blocked.some((b) => b.lane === lane)) {
    const since = mine.length ? mine[mine.length - 1] + 1 : born[lane] + 1;
    shape(svg, "rect", { x: x(since), y: middle - thick / 2, width: Math.max(3, x(last) - x(since)), height: thick, fill: "url(#hatch-stuck)", stroke: "var(--bad)" });
  }
}
function moveCursor() {
  const cursor = byId("cursor");
  if (!cursor) return;
  if (zoom > 1 && (at < zoomFrom || at > zoomFrom + last / zoom)) { centreStrip(); return drawStrip(); }
  const x = last ? stripAt(at) : stripLeft;
  cursor.setAttribute("d", `M${x - 5} 0h10l-5 6zM${x} 5V999`);
}
function listenToStrip() {
  let held = false;
  const drag = (e) => go(Math.ceil((e.clientX - strip.getBoundingClientRect().left - stripLeft) / stripWidth * last / zoom + zoomFrom));
  strip.addEventListener("wheel", (e) => { if (e.ctrlKey) { e.preventDefault(); zoomStrip(e.deltaY < 0 ? 1.25 : 0.8); } }, { passive: false });
  strip.addEventListener("pointerdown", (e) => { held = true; if (e.isTrusted) strip.setPointerCapture(e.pointerId); drag(e); });
  strip.addEventListener("pointermove", (e) => { if (held) drag(e); });
  strip.addEventListener("pointerup", () => { held = false; });
  strip.addEventListener("pointercancel", () => { held = false; });
}
