const PIECE_BYTES = 64 * 1024;

/**
 * A body in pieces, and a signal that aborts when the receiver takes no further piece for so long, or does not answer after
 * the last one: who takes a large file slowly does not hang.
 */
export const withProgress = (bytes: Buffer, silenceMs: number, signal: AbortSignal) => {
  const ending = new AbortController();
  const silence = setTimeout(() => ending.abort(new Error('the receiver takes nothing')), silenceMs);
  const stop = (): void => ending.abort(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  async function* pieces(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      yield bytes.subarray(at, at + PIECE_BYTES);
      silence.refresh();
    }
  }
  const done = (): void => {
    clearTimeout(silence);
    signal.removeEventListener('abort', stop);
  };
  return { body: pieces(), signal: ending.signal, done };
};
