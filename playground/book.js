// In the book: a link into the playground at each program, with the command that the page shows below it, or that the
// program names. Where the book has no playground there is no link.
"use strict";

(() => {
  const root = typeof path_to_root === "string" ? path_to_root : "";

  /** Whether the playground is there. Pages that are opened from a folder may load scripts, and nothing else. */
  function playground() {
    return new Promise((resolve) => {
      const script = document.createElement("script");
      script.src = `${root}playground/found.js`;
      script.onload = () => resolve(true);
      script.onerror = () => resolve(false);
      document.head.append(script);
    });
  }

  /** The command for a program: its options and the name of its file. */
  function commandOf(blocks, from) {
    const own = /^\/\/ run: (.*)$/m.exec(blocks[from].textContent);
    if (own) return [document.querySelector("h1[id]")?.textContent ?? "program.async", own[1]];
    for (const block of blocks.slice(from + 1)) {
      if (block.classList.contains("language-async")) break;
      const found = /^\$ dbverify (.*)$/m.exec(block.textContent);
      if (!found) continue;
      const words = found[1].split(/[;|&]/)[0].trim().split(/\s+/);
      const file = words.find((word) => word.endsWith(".async"));
      if (file) return [file, words.filter((word) => word !== file).join(" ") || "verify"];
    }
    return ["program.async", "explore"];
  }

  async function packed(text) {
    const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
    return letters.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  }

  async function link(block, file, command) {
    const program = block.textContent;
    if (!/\bproc main\b/.test(program)) return;
    const anchor = document.createElement("a");
    anchor.className = "playground-link";
    anchor.textContent = "Open in the playground";
    if (command.startsWith("prove")) anchor.textContent += " (without Z3, which this proof needs)";
    anchor.href = `${root}playground/index.html#program=${await packed(JSON.stringify([file, command, program]))}`;
    block.closest("pre").after(anchor);
  }

  const blocks = [...document.querySelectorAll("pre > code")];
  const programs = blocks.filter((block) => block.classList.contains("language-async"));
  const links = () => Promise.all(programs.map((block) => link(block, ...commandOf(blocks, blocks.indexOf(block)))));
  window.playgroundLinks = programs.length ? playground().then((there) => there && links()) : Promise.resolve();
})();
