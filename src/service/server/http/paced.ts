/** Size of a piece, in bytes: it costs about a tenth of a millisecond to send. */
const PIECE_BYTES = 256 * 1024;

/** Pieces of all answers together that one turn of the event loop sends. */
const PIECES_PER_TURN = 4;

const waiting: (() => void)[] = [];

function giveTurns(): void {
  for (const go of waiting.splice(0, PIECES_PER_TURN)) go();
  if (waiting.length > 0) setImmediate(giveTurns);
}

function turn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(giveTurns);
  });
}

/**
 * Returns bytes as a stream whose pieces take turns with those of all other such answers. As one body, hundreds of answers at
 * once would be written to their sockets in one turn of the event loop, and every other request would wait.
 */
export function paced(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> {
  let at = 0;
  let isOpen = true;
  return new ReadableStream(
    {
      async pull(controller) {
        await turn();
        if (!isOpen) return;
        if (at < bytes.length) controller.enqueue(bytes.subarray(at, at + PIECE_BYTES));
        at += PIECE_BYTES;
        if (at >= bytes.length) controller.close();
      },
      cancel() {
        isOpen = false;
      },
    },
    { highWaterMark: 0 },
  );
}
