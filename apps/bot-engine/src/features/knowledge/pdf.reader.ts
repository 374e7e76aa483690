import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { timeLimit } from '@platform/runtime';
import { PDF_SCRIPT } from './pdf.script';

/** It holds no text that can be read: a scan, a locked or a broken document. */
export class NoText extends Error {}
/** Reading it took more time, memory or text than a document may. */
export class TooMuch extends Error {}

export interface PdfLimits {
  readonly timeoutMs: number;
  /** Of everything that the process holds. */
  readonly memoryMb: number;
  readonly characters: number;
}

/** The memory of a pod has room for the service and for one such process. */
export const PDF_LIMITS: PdfLimits = { timeoutMs: 20_000, memoryMb: 200, characters: 2_000_000 };

const WATCH_MS = 20;
const HEAP_MB = 120;
const PAGE_BYTES = 4_096;
const MB = 1024 * 1024;
/** Node's exit code when the heap is full, beside the signal. */
const ABORTED = 134;

type Child = ChildProcessByStdio<Writable, Readable, null>;

/** Resident memory, where the system tells it. */
const residentMb = async (pid: number): Promise<number> => {
  const sizes = await readFile(`/proc/${pid}/statm`, 'latin1').catch(() => '');
  return (Number(sizes.split(' ')[1] ?? 0) * PAGE_BYTES) / MB;
};

const start = ({ characters }: PdfLimits): Child => {
  const library = pathToFileURL(require.resolve('unpdf')).href;
  const flags = [`--max-old-space-size=${HEAP_MB}`, '--input-type=module', '--eval', PDF_SCRIPT, '--'];
  // Nothing of our settings, which hold secrets
  return spawn(process.execPath, [...flags, library, String(characters)], {
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
  });
};

/** Looks at its memory until it ends; true: it was ended for it. */
const watch = async (child: Child, { memoryMb }: PdfLimits, ended: AbortSignal): Promise<boolean> => {
  while (!ended.aborted) {
    if (child.pid !== undefined && (await residentMb(child.pid)) > memoryMb) return child.kill('SIGKILL');
    await new Promise((resume) => setTimeout(resume, WATCH_MS));
  }
  return false;
};

const printed = async (child: Child, limit: number): Promise<string> => {
  let text = '';
  child.stdout.setEncoding('utf8');
  for await (const part of child.stdout) {
    text += String(part);
    if (text.length > limit) child.kill('SIGKILL');
  }
  return text;
};

/**
 * The text of a PDF. It is read in a process of its own, because a hostile document can take any time and any memory: the limits of
 * a worker thread hold neither for buffers nor for one large list, and end the whole service with it. Throws `NoText` or `TooMuch`.
 */
export const readPdf = async (bytes: Buffer, limits: PdfLimits = PDF_LIMITS, signal?: AbortSignal): Promise<string> => {
  const child = start(limits);
  const ended = new AbortController();
  const inTime = timeLimit(limits.timeoutMs, signal);
  const stop = () => void child.kill('SIGKILL');
  inTime.addEventListener('abort', stop);
  child.stdin.on('error', () => undefined); // it may end before it has read everything
  child.stdin.end(bytes);
  try {
    const closed = once(child, 'close') as Promise<[number | null, string | null]>;
    const [text, [code, killed], tooLarge] = await Promise.all([
      printed(child, limits.characters),
      closed.finally(() => ended.abort()),
      watch(child, limits, ended.signal),
    ]);
    signal?.throwIfAborted();
    if (tooLarge || killed || code === ABORTED || text.length > limits.characters)
      throw new TooMuch('reading the document takes too much');
    if (code !== 0) throw new NoText('the document cannot be read');
    return text;
  } finally {
    inTime.removeEventListener('abort', stop);
  }
};
