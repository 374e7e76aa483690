import { setMaxListeners } from 'node:events';
import { cpSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { agentWrites, customerWrites, type Words } from './people';
import { randomFrom } from './plan';
import { chatsOf, type ChatPlan, type ReplicaPlan } from './replica-plan';
import { HOSTS } from './replica-settings';
import { playDemo, startReplicas, type ReplicaStack } from './replica-stack';
import type { StackOptions } from './replica-starting';
import { replicaProgress, replicaVerdict, type Sent, type Way } from './replica-verdict';
import { person, type Moment } from './run';
import type { Findings } from './verdict';
import { connectedAtOnce, Watcher } from './watcher';

export type Say = (text: string) => void;

const CONNECT_WITHIN_MS = 20_000;
const LOOK_MS = 5_000;
const POLL_MS = 250;
const SETTLE_MS = 1_000;

interface Writer extends Sent {
  readonly questions: string[];
}

const wordsOf = ({ phone, device }: ChatPlan, text: string): Words => ({ phone, device, text });

const ANSWER = `
  SELECT 1 FROM chat_backend.messages q
  JOIN chat_backend.messages a ON a.store_id = q.store_id AND a.conversation_id = q.conversation_id AND a.seq > q.seq AND a.from_me
  JOIN wa_gateway.sim_message s ON s.instance_id = a.instance AND s.id = a.wa_id AND s.level >= 2
  WHERE q.store_id = $1 AND q.instance = $2 AND q.pesan_id = $3`;

/** Waits until the customer's phone shows the bot's answer, or until patience ends. */
const answered = async (stack: ReplicaStack, device: string, question: string, patienceSeconds: number) => {
  const { database, shop } = stack;
  for (const end = Date.now() + patienceSeconds * 1_000; Date.now() < end;) {
    if ((await database.query(ANSWER, [shop.store.store_id, device, question])).length > 0) return;
    await pause(POLL_MS, undefined, stack);
  }
};

const ask = async (stack: ReplicaStack, { chat, questions }: Writer, plan: ReplicaPlan): Promise<void> => {
  const id = await customerWrites(stack, wordsOf(chat, chat.questionAt(questions.length)));
  questions.push(id);
  if (chat.answeredBy === 'bot') await answered(stack, chat.device, id, plan.patienceSeconds);
};

const connectAll = async (stack: ReplicaStack, chats: readonly ChatPlan[], say: Say): Promise<[Writer[], Findings]> => {
  const begun = Date.now();
  const writers = chats.map((chat) => ({
    ...{ chat, questions: [] },
    watcher: new Watcher(stack.chat.url, stack.tokens[chat.agent] ?? ''),
  }));
  const watchers = writers.map(({ watcher }) => watcher);
  const connected = await connectedAtOnce(watchers, CONNECT_WITHIN_MS, stack.signal);
  say(`${connected.length} of ${chats.length} default clients connected, none refused, in ${Date.now() - begun} ms`);
  const others = watchers.filter((watcher) => !connected.includes(watcher));
  return [writers, others.map(({ refusals }) => `a client did not connect at once: ${refusals[0] ?? 'no answer'}`)];
};

/** Begins every chat before anything is killed, so that its agent has it open. */
const begin = async (stack: ReplicaStack, writers: readonly Writer[], plan: ReplicaPlan): Promise<void> => {
  await Promise.all(writers.map((writer) => ask(stack, writer, plan)));
  const find = `SELECT nohp AS phone, store_id || '.' || id AS id FROM chat_backend.conversations WHERE last_seq > 0`;
  for (;;) {
    const ids = new Map(
      (await stack.database.query<{ phone: string; id: string }>(find)).map((row) => [row.phone, row.id]),
    );
    const found = writers.flatMap(({ chat, watcher }) => {
      const id = ids.get(chat.phone);
      return id === undefined ? [] : [{ id, watcher }];
    });
    if (found.length === writers.length) {
      await Promise.all(found.map(({ id, watcher }) => watcher.open(id)));
      return;
    }
    await pause(POLL_MS, undefined, stack);
  }
};

const flow = async (stack: ReplicaStack, writers: readonly Writer[], plan: ReplicaPlan): Promise<void> => {
  const moment: Moment = { random: randomFrom(plan.seed + 1), signal: stack.signal };
  await Promise.all(
    writers.flatMap((writer) => {
      const { chat } = writer;
      const desk = { ...stack, token: stack.tokens[chat.agent] ?? '' };
      const answer = (n: number) => agentWrites(desk, wordsOf(chat, chat.answerAt(n)), chat.answerIdAt(n));
      return [
        person(chat.turns - 1, plan, moment, () => ask(stack, writer, plan)),
        ...(chat.answeredBy === 'agent' ? [person(chat.turns, plan, moment, answer)] : []),
      ];
    }),
  );
};

/** What is wrong now with what everybody has written, and with what goes on beside. */
const verdictNow = async (stack: ReplicaStack, writers: readonly Writer[], beside: Beside | undefined) => {
  const { findings, ...verdict } = await replicaVerdict(stack.database, writers);
  return { ...verdict, findings: [...findings, ...((await beside?.verdict()) ?? [])] };
};

/** The verdict as soon as nothing is in transit or wrong, or when patience ends. */
const settled = async (
  stack: ReplicaStack,
  writers: readonly Writer[],
  { beside, patienceSeconds }: { readonly beside: Beside | undefined; readonly patienceSeconds: number },
): Promise<Awaited<ReturnType<typeof verdictNow>>> => {
  for (const end = Date.now() + patienceSeconds * 1_000; ;) {
    const { waiting, held, unnamed } = await replicaProgress(stack.database);
    const isOver = Date.now() > end;
    if (isOver || waiting + held + unnamed === 0) {
      const verdict = await verdictNow(stack, writers, beside);
      if (isOver || verdict.findings.length === 0) return verdict;
    }
    await pause(SETTLE_MS, undefined, stack);
  }
};

const watch = (stack: ReplicaStack, say: Say, beside: Beside | undefined): (() => void) => {
  const look = async (): Promise<void> => {
    const { stored, shown, waiting, held } = await replicaProgress(stack.database);
    const more = await beside?.progress();
    say(
      `${stored} messages stored, ${shown} answers on phones, ${held + waiting} under way${more === undefined ? '' : `; ${more}`}`,
    );
  };
  const timer = setInterval(() => void look().catch(() => undefined), LOOK_MS);
  return () => clearInterval(timer);
};

const COLUMNS = ['sent', 'arrived', 'lost', 'twice', 'disordered'] as const;

const tableOf = (ways: readonly Way[]): string[] => [
  [''.padEnd(24), ...COLUMNS.map((column) => column.padStart(11))].join(''),
  ...ways.map((way) => [way.name.padEnd(24), ...COLUMNS.map((column) => String(way[column]).padStart(11))].join('')),
];

const socketsLine = (writers: readonly Writer[]): string => {
  const sum = (of: (watcher: Watcher) => number) => writers.reduce((total, { watcher }) => total + of(watcher), 0);
  const upgraded = writers.filter(({ watcher }) => watcher.transport === 'websocket').length;
  return (
    `sockets: ${upgraded} of ${writers.length} on WebSocket, ${sum(({ reconnects }) => reconnects)} reconnects ` +
    `(${sum(({ recoveries }) => recoveries)} recovered); ${sum(({ told }) => told)} messages pushed, ${sum(({ synced }) => synced)} by sync`
  );
};

/** What goes on beside the messages. */
export interface Beside {
  /** Resolves when its people have done what they do. */
  play(): Promise<void>;
  /** What is wrong with it now. */
  verdict(): Promise<Findings>;
  progress(): Promise<string>;
}

/** What happens to the processes while people write, and the lines to print about it at the end. */
export interface Trouble {
  readonly during: () => Promise<Findings>;
  readonly lines: () => readonly string[];
  readonly beside?: Beside;
}

/** Runs the demo, connects default clients and lets people write in both directions while there is trouble. */
export const playTraffic = async (
  stack: ReplicaStack,
  plan: ReplicaPlan,
  say: Say,
  { during, lines, beside }: Trouble,
): Promise<Findings> => {
  const output = await playDemo(stack);
  say(`npm run demo: ${output.trim().split('\n').at(-1)}`);
  const chats = chatsOf(plan, stack.shop.instance, stack.tokens.length);
  const [writers, refused] = await connectAll(stack, chats, say);
  const stopWatching = watch(stack, say, beside);
  try {
    await begin(stack, writers, plan);
    say('every chat has begun and is open in the client of its agent');
    const [, troubled] = await Promise.all([flow(stack, writers, plan), during(), beside?.play()]);
    say(beside ? 'everybody has written, bought and paid' : 'everybody has written');
    const { patienceSeconds } = plan;
    const { ways, findings, repeatedUnderSameId } = await settled(stack, writers, { beside, patienceSeconds });
    for (const line of ['', ...tableOf(ways), '', socketsLine(writers), ...lines()]) say(line);
    say(`sent again to WhatsApp under the same id, which phones show once: ${repeatedUnderSameId}`);
    return [...refused, ...troubled, ...findings];
  } finally {
    stopWatching();
    for (const { watcher } of writers) watcher.close();
  }
};

/** Starts two processes of each service for `play`; keeps all logs when there are findings. */
export const onReplicas = async (
  options: StackOptions,
  say: Say,
  play: (stack: ReplicaStack, say: Say) => Promise<Findings>,
): Promise<Findings> => {
  const begun = Date.now();
  const timed: Say = (text) => say(text && `${((Date.now() - begun) / 1000).toFixed(1).padStart(6)} s  ${text}`);
  const end = new AbortController(); // otherwise people who still write after `play` would retry for ever
  const signal = AbortSignal.any([options.signal, end.signal]);
  setMaxListeners(0, signal); // every wait listens to it
  const stack = await startReplicas({ ...options, signal }, timed);
  const keepLogs = (): void => {
    const kept = `${stack.folder}.kept`;
    cpSync(stack.folder, kept, { recursive: true }); // copied, because processes that still run keep writing there
    timed(`the logs of all processes are kept in ${kept}`);
  };
  try {
    timed(`served hosts of the ingress: ${Object.values(HOSTS).join(', ')}`);
    const findings = await play(stack, timed);
    if (findings.length > 0) keepLogs();
    return findings;
  } catch (failure) {
    if (!options.signal.aborted) keepLogs();
    throw failure;
  } finally {
    end.abort();
    await stack.stop();
  }
};
