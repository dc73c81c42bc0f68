// Asks the verifier one question. The page makes a worker for each, and ends it to stop: so memory is given back.
"use strict";

onmessage = async ({ data: { module, question } }) => {
  let fault = "";
  let memory;
  const text = (at, length) => new TextDecoder().decode(new Uint8Array(memory.buffer, at, length));
  try {
    const page = {
      now: () => performance.now(),
      fault: (at, length) => { fault = text(at, length); },
    };
    const verifier = (await WebAssembly.instantiate(module, { page })).exports;
    memory = verifier.memory;
    const bytes = new TextEncoder().encode(JSON.stringify(question));
    const room = verifier.reserve(bytes.length);
    new Uint8Array(memory.buffer, room, bytes.length).set(bytes);
    const at = verifier.answer();
    const length = new DataView(memory.buffer).getUint32(at, true);
    postMessage({ said: JSON.parse(text(at + 4, length)) });
  } catch (error) {
    postMessage({ fault: fault || reason(error) });
  }
};

// A limit of the browser, most likely; a fault of the verifier has told its own text.
function reason(error) {
  if (error instanceof RangeError) return "the program is nested too deep for a page: the command line of dbverify has more room";
  if (error instanceof WebAssembly.RuntimeError) return "the memory of a page is used up: the command line of dbverify has more";
  return String(error);
}
