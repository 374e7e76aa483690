import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Figures } from './bench.types';
import { FaultyReceiver, type Fault } from './gateway-receiver';
import type { FromPipeline, PipelineEvent, PipelineJob, Rule } from './gateway-rules.types';
import { percentiles } from './rounds';
import { forkScript } from './server-process';

export interface PipelineRun {
  readonly rule: Rule;
  readonly fault: Fault;
  readonly events: number;
  readonly chats: number;
  /** Events per second, evenly spaced; unless given, as fast as they are taken. */
  readonly pace?: number;
  /** Address of the gateway's database. */
  readonly database: string;
}

const STEP_MS = 10;
/** Most events in flight when there is no pace. */
const WINDOW = 500;
/** Longer than our lanes may back off after an outage, so that late events do not count as lost. */
const QUIET_MS = 25_000;
const LIMIT_MS = 60_000;

/** Hands events to the delivering process, and those that it did not take to its successor, as WhatsApp does. */
class Source {
  private readonly open = new Map<string, PipelineEvent>();
  private started: ChildProcess | undefined;
  private child: ChildProcess | undefined;

  constructor(private readonly job: PipelineJob) {}

  get waiting(): number {
    return this.open.size;
  }

  async start(): Promise<void> {
    const child = forkScript(['tools/bench/src/gateway-rules.child.ts'], {}, 'inherit');
    this.child = undefined; // until it is ready, offered events wait in `open`
    this.started = child;
    const ready = once(child, 'message');
    const gone = once(child, 'exit').then(() => Promise.reject(new Error('a pipeline ended before it was ready')));
    child.send({ job: this.job });
    await Promise.race([ready, gone]);
    gone.catch(() => undefined); // a later end is expected
    child.on('message', (message: FromPipeline) => {
      if ('taken' in message) for (const id of message.taken) this.open.delete(id);
    });
    this.child = child;
    if (this.open.size > 0) child.send({ events: [...this.open.values()] });
  }

  offer(events: readonly PipelineEvent[]): void {
    for (const event of events) this.open.set(event.id, event);
    if (events.length > 0 && this.child?.connected) this.child.send({ events });
  }

  /** kill -9. */
  async kill(): Promise<void> {
    const { started: child } = this;
    this.child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}

const eventsOf = ({ events, chats }: PipelineRun): PipelineEvent[] =>
  Array.from({ length: events }, (_, n) => ({
    id: `3A${String(n).padStart(18, '0')}`,
    chat: `62812${String(n % chats).padStart(7, '0')}`,
  }));

/** Counts the events that were first taken after a younger one of their chat. */
const overtaken = (ids: ReadonlyMap<string, readonly string[]>): number => {
  let count = 0;
  for (const chat of ids.values()) {
    let newest = '';
    for (const id of chat)
      if (id < newest) count += 1;
      else newest = id;
  }
  return count;
};

const figuresOf = (run: PipelineRun, receiver: FaultyReceiver, offered: ReadonlyMap<string, number>): Figures => {
  const first = new Map<string, number>();
  const order = new Map<string, string[]>();
  for (const { event, at } of receiver.taken.filter(({ event: { id } }) => offered.has(id))) {
    if (first.has(event.id)) continue;
    first.set(event.id, at);
    order.set(event.chat, [...(order.get(event.chat) ?? []), event.id]);
  }
  const expected = eventsOf(run).filter((event) => FaultyReceiver.takes(run.fault, event));
  const begun = Math.min(...offered.values());
  const ended = Math.max(...first.values());
  const delays = [...first].map(([id, at]) => at - (offered.get(id) ?? at));
  return {
    lost: expected.filter(({ id }) => !first.has(id)).length,
    duplicated: receiver.taken.filter(({ event: { id } }) => offered.has(id)).length - first.size,
    'out of order': overtaken(order),
    ...percentiles(delays),
    'events/s': first.size / ((ended - begun) / 1000),
    'catch-up s': Math.max(0, ended - Math.max(...offered.values())) / 1000,
  };
};

const offerAll = async (run: PipelineRun, source: Source, offered: Map<string, number>): Promise<void> => {
  const events = eventsOf(run);
  const begun = performance.now();
  let restarted: Promise<void> | undefined;
  for (let next = 0; next < events.length;) {
    const due = run.pace ? ((performance.now() - begun) / 1000) * run.pace : next + WINDOW - source.waiting;
    const step = events.slice(next, Math.max(next, Math.floor(due)));
    for (const { id } of step) offered.set(id, performance.now());
    source.offer(step);
    next += step.length;
    // While its successor starts, events wait at the source
    if (run.fault === 'kill -9, answers take 2 s' && next >= events.length / 2)
      restarted ??= source.kill().then(() => source.start());
    await pause(STEP_MS);
  }
  await restarted;
};

/** Waits until all expected events have arrived, or none has for a while. */
const settled = async (run: PipelineRun, receiver: FaultyReceiver): Promise<void> => {
  const expected = eventsOf(run).filter((event) => FaultyReceiver.takes(run.fault, event)).length;
  const begun = performance.now();
  const end = begun + LIMIT_MS;
  while (performance.now() < end) {
    const ids = new Set(receiver.taken.map(({ event }) => event.id).filter((id) => !id.startsWith('W')));
    const quiet = performance.now() - Math.max(begun, receiver.taken.at(-1)?.at ?? 0) > QUIET_MS;
    if (ids.size >= expected || quiet) break;
    await pause(100);
  }
  await pause(300); // for a last duplicate
};

const WARM_EVENTS = 600;

/** Delivers some events that do not count: a process is several times slower just after its start. */
const warmUp = async (source: Source, receiver: FaultyReceiver): Promise<void> => {
  const events = Array.from({ length: WARM_EVENTS }, (_, n) => ({ id: `W${n}`, chat: `62813${String(n % 50)}` }));
  for (let next = 0; next < events.length; next += 20) {
    source.offer(events.slice(next, next + 20));
    await pause(STEP_MS);
  }
  const enough = events.length * 0.9; // some rules lose events
  const end = performance.now() + QUIET_MS;
  while ((source.waiting > 0 || receiver.taken.length < enough) && performance.now() < end) await pause(STEP_MS);
  receiver.taken.length = 0;
};

/** Measures one rule against one fault. */
export const runPipeline = async (run: PipelineRun): Promise<Figures> => {
  const receiver = new FaultyReceiver(run.fault);
  await receiver.start();
  const source = new Source({ rule: run.rule, receiver: receiver.url, database: run.database });
  const offered = new Map<string, number>();
  try {
    await source.start();
    await warmUp(source, receiver);
    const outage = run.fault === 'down for 60 s' ? pause(1_000).then(() => receiver.outage()) : Promise.resolve();
    await offerAll(run, source, offered);
    await outage;
    await settled(run, receiver);
    return figuresOf(run, receiver, offered);
  } finally {
    await source.kill();
    await receiver.stop();
  }
};
