// A separate process, so that its CPU time is not counted as the server's.
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import type { LoadJob, LoadResult } from './load.types';

const HEADER_END = '\r\n\r\n';
const GRACE_MS = 10_000;

/** Enumerates the 32-bit numbers in an order without locality, like the ids of real messages. */
const scattered = (count: number): number => Math.imul(count, 2_654_435_761) >>> 0;

interface Prepared {
  readonly text: string;
  readonly expects: string;
  /** Remembers the request once it is answered. */
  readonly answered?: () => void;
}

type Ids = readonly [id: string, key: string];

const filler = (request: string): ((ids: Ids) => string) => {
  const parts = request.split(/(\{id\}|\{key\})/);
  return ([id, key]) => parts.map((part) => (part === '{id}' ? id : part === '{key}' ? key : part)).join('');
};

/** How many answered requests are kept for `later`: redeliveries and receipts come soon. */
const REMEMBERED = 512;

const requestsOf = ({ request, keys, keyWidth, expects, later = [] }: LoadJob): (() => Prepared) => {
  const run = randomBytes(6).toString('hex');
  const fill = filler(request);
  const others = later.map((other) => ({ ...other, fill: filler(other.request) }));
  const answered: Ids[] = [];
  let count = 0;
  const fresh = (): Prepared => {
    const number = scattered(++count);
    const ids: Ids = [run + number.toString(16).padStart(8, '0'), String(number % keys).padStart(keyWidth, '0')];
    const remember = others.length > 0 ? { answered: () => void (answered[count % REMEMBERED] = ids) } : {};
    return { text: fill(ids), expects, ...remember };
  };
  return () => {
    let dice = Math.random();
    const other = answered.length === 0 ? undefined : others.find(({ share }) => (dice -= share) < 0);
    const ids = other && answered[Math.floor(Math.random() * answered.length)];
    return other && ids ? { text: other.fill(ids), expects: other.expects } : fresh();
  };
};

/** One keep-alive connection with one request under way at a time. */
class Lane {
  private readonly socket: Socket;
  private chunks: Buffer[] = [];
  private received = 0;
  private expected = Infinity;
  private sentAt = 0;
  private finished: (() => void) | undefined;
  private underWay: Prepared | undefined;

  constructor(
    port: number,
    private readonly next: () => Prepared | undefined,
    private readonly answered: (answer: Buffer, milliseconds: number, request: Prepared) => void,
  ) {
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.socket.on('data', (chunk: Buffer) => this.take(chunk));
  }

  run(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.finished = resolve;
      this.socket.once('error', reject);
      this.socket.once('close', () => reject(new Error('the server closed a connection')));
      this.socket.once('connect', () => this.send());
    });
  }

  private send(): void {
    const request = this.next();
    if (request === undefined) {
      this.finished?.();
      this.socket.destroy();
      return;
    }
    this.chunks = [];
    this.received = 0;
    this.expected = Infinity;
    this.sentAt = performance.now();
    this.underWay = request;
    this.socket.write(request.text);
  }

  private take(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.received += chunk.length;
    if (this.expected === Infinity) this.measure();
    if (this.received < this.expected) return;
    if (this.underWay) this.answered(this.whole(), performance.now() - this.sentAt, this.underWay);
    this.send();
  }

  private whole(): Buffer {
    const [first] = this.chunks;
    return this.chunks.length === 1 && first ? first : Buffer.concat(this.chunks);
  }

  private measure(): void {
    const answer = this.whole();
    const headerEnd = answer.indexOf(HEADER_END);
    if (headerEnd < 0) return;
    const length = /content-length: (\d+)/i.exec(answer.toString('latin1', 0, headerEnd))?.[1];
    if (length === undefined) throw new Error('the server answered without a content length');
    this.expected = headerEnd + HEADER_END.length + Number(length);
  }
}

const offer = async (job: LoadJob): Promise<LoadResult> => {
  const build = requestsOf(job);
  const times: number[] = [];
  let bad = 0;
  let badAnswer = '';
  const begun = performance.now();
  const end = begun + job.seconds * 1000;
  const next = () => (performance.now() < end ? build() : undefined);
  const answered = (answer: Buffer, milliseconds: number, request: Prepared) => {
    times.push(milliseconds);
    request.answered?.();
    if (answer.includes(`HTTP/1.1 ${job.status ?? 200}`, 0, 'latin1') && answer.includes(request.expects)) return;
    bad += 1;
    badAnswer ||= answer.toString('utf8', 0, 600);
  };
  await Promise.all(Array.from({ length: job.connections }, () => new Lane(job.port, next, answered).run()));
  const seconds = (performance.now() - begun) / 1000;
  times.sort((one, other) => one - other);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { requests: times.length, bad, badAnswer, seconds, p50: at(0.5), p95: at(0.95), p99: at(0.99) };
};

const stayAwake = (): void => void setImmediate(stayAwake);

process.once('message', (job: LoadJob) => {
  setTimeout(() => process.exit(1), job.seconds * 1000 + GRACE_MS).unref();
  if (job.awake) stayAwake();
  void offer(job).then((result) => process.send?.(result, () => process.disconnect()));
});
process.on('disconnect', () => process.exit(0));
