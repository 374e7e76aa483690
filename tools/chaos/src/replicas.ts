import { renameSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import { spreadOf } from './balancer';
import { agentWrites, customerWrites, type Words } from './people';
import { randomFrom } from './plan';
import { chatsOf, type ChatPlan, type ReplicaPlan } from './replica-plan';
import { AGENTS_DEVICE, HOSTS, TWICE, type Twice } from './replica-settings';
import { playDemo, startReplicas, type ReplicaStack } from './replica-stack';
import { replicaProgress, replicaVerdict, type Sent, type Way } from './replica-verdict';
import { person, type Moment } from './run';
import type { Findings } from './verdict';
import type { Victim } from './victim';
import { connectedAtOnce, Watcher } from './watcher';

type Say = (text: string) => void;

const CONNECT_WITHIN_MS = 20_000;
const LOOK_MS = 5_000;
const POLL_MS = 250;
/** A container that died is started again at once; how long until then, and parts of the time at which each service loses a process. */
const AWAY_MS = 1_000;
const KILL_AT: Readonly<Record<Twice, number>> = { 'wa-gateway': 0.2, 'chat-backend': 0.4, 'bot-engine': 0.6 };

interface Writer extends Sent {
  readonly questions: string[];
}

const wordsOf = ({ phone, device }: ChatPlan, text: string): Words => ({ phone, device, text });

const ANSWER = `
  SELECT 1 FROM chat_backend.messages q
  JOIN chat_backend.messages a ON a.store_id = q.store_id AND a.conversation_id = q.conversation_id AND a.seq > q.seq AND a.from_me
  JOIN wa_gateway.sim_message s ON s.instance_id = a.instance AND s.id = a.wa_id AND s.level >= 2
  WHERE q.store_id = $1 AND q.instance = $2 AND q.pesan_id = $3`;

/** A customer of the bot waits until the phone shows its answer. */
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

/** Every chat begins before anything is killed, so that its agent has it open. */
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

/** Of the gateways the one that serves the agents' device: the harder loss. */
const victimOf = async (stack: ReplicaStack, service: Twice, random: () => number): Promise<Victim> => {
  const replicas = stack.replicas[service];
  const lease = 'SELECT address FROM wa_gateway.lease WHERE instance_id = $1';
  const [holder] =
    service === 'wa-gateway' ? await stack.database.query<{ address: string }>(lease, [AGENTS_DEVICE]) : [];
  const victim =
    replicas.find(({ url }) => url === holder?.address) ?? replicas[Math.floor(random() * replicas.length)];
  if (!victim) throw new Error(`${service} has no process`);
  return victim;
};

const torment = async (stack: ReplicaStack, { seconds, seed }: ReplicaPlan, say: Say): Promise<void> => {
  const [begun, random] = [Date.now(), randomFrom(seed)];
  for (const service of TWICE) {
    const at = begun + KILL_AT[service] * seconds * 1_000;
    await pause(Math.max(0, at - Date.now()), undefined, stack);
    const victim = await victimOf(stack, service, random);
    await victim.kill();
    const killed = Date.now();
    say(`killed ${service} at ${victim.url}`);
    await pause(AWAY_MS, undefined, stack);
    await victim.start();
    say(`${service} at ${victim.url} serves again, ${((Date.now() - killed) / 1_000).toFixed(1)} s later`);
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

/** Waits until both ends have everything and nothing is under way, or patience ends. */
const settled = async (stack: ReplicaStack, all: number, patienceSeconds: number): Promise<void> => {
  for (const end = Date.now() + patienceSeconds * 1_000; Date.now() < end;) {
    const { stored, waiting, held, unnamed } = await replicaProgress(stack.database);
    if (stored >= all && waiting + held + unnamed === 0) return;
    await pause(POLL_MS, undefined, stack);
  }
};

const watch = (stack: ReplicaStack, say: Say): (() => void) => {
  const look = async (): Promise<void> => {
    const { stored, shown, waiting, held } = await replicaProgress(stack.database);
    say(`${stored} messages stored, ${shown} answers on phones, ${held + waiting} under way`);
  };
  const timer = setInterval(() => void look().catch(() => undefined), LOOK_MS);
  return () => clearInterval(timer);
};

const COLUMNS = ['sent', 'arrived', 'lost', 'twice', 'disordered'] as const;

export const tableOf = (ways: readonly Way[]): string[] => [
  [''.padEnd(24), ...COLUMNS.map((column) => column.padStart(11))].join(''),
  ...ways.map((way) => [way.name.padEnd(24), ...COLUMNS.map((column) => String(way[column]).padStart(11))].join('')),
];

const socketsLine = (writers: readonly Writer[]): string => {
  const sum = (of: (watcher: Watcher) => number) => writers.reduce((total, { watcher }) => total + of(watcher), 0);
  const upgraded = writers.filter(({ watcher }) => watcher.transport === 'websocket').length;
  return (
    `sockets: ${upgraded} of ${writers.length} on WebSocket, ${sum(({ reconnects }) => reconnects)} connected again ` +
    `(${sum(({ recoveries }) => recoveries)} recovered); ${sum(({ told }) => told)} messages told, ${sum(({ synced }) => synced)} by sync`
  );
};

/** How evenly the balancer has spread requests over the processes. */
const spreadLines = ({ folder, addresses }: ReplicaStack): string[] => {
  const { byReplica, failed } = spreadOf(join(folder, 'nginx'));
  const shares = TWICE.map((service) => {
    const each = addresses.replicas[service].map(({ port, internalPort }) =>
      [port, internalPort].reduce((sum: number, one) => sum + (byReplica.get(`127.0.0.1:${one}`) ?? 0), 0),
    );
    return `${service} ${each.join(' + ')}`;
  });
  return [`requests by process: ${shares.join(', ')}; ${failed} answered 502 or 504 by the balancer`];
};

const play = async (stack: ReplicaStack, plan: ReplicaPlan, say: Say): Promise<Findings> => {
  const output = await playDemo(stack);
  say(`npm run demo: ${output.trim().split('\n').at(-1)}`);
  const chats = chatsOf(plan, stack.shop.instance, stack.tokens.length);
  const before = (await replicaProgress(stack.database)).stored;
  const [writers, refused] = await connectAll(stack, chats, say);
  const stopWatching = watch(stack, say);
  try {
    await begin(stack, writers, plan);
    say('every chat has begun and is open at its agent');
    await Promise.all([flow(stack, writers, plan), torment(stack, plan, say)]);
    say('everybody has written, each service has lost a process');
    const all = chats.reduce((sum, { turns }) => sum + 2 * turns, before);
    await settled(stack, all, plan.patienceSeconds);
    const { ways, findings, repeatedUnderSameId } = await replicaVerdict(stack.database, writers);
    for (const line of ['', ...tableOf(ways), '', socketsLine(writers), ...spreadLines(stack)]) say(line);
    say(`sent again to WhatsApp under the same id, which phones show once: ${repeatedUnderSameId}`);
    return [...refused, ...findings];
  } finally {
    stopWatching();
    for (const { watcher } of writers) watcher.close();
  }
};

/**
 * Two processes of wa-gateway, chat-backend and bot-engine behind nginx, which spreads every single request as the overlay's
 * ingress may. The demo plays, default clients connect, and one process of each service is killed with kill -9 while messages
 * flow both ways. Resolves with what was lost, came twice or came out of order.
 */
export const runReplicas = async (plan: ReplicaPlan, say: Say, signal: AbortSignal): Promise<Findings> => {
  const begun = Date.now();
  const timed: Say = (text) => say(text && `${((Date.now() - begun) / 1000).toFixed(1).padStart(6)} s  ${text}`);
  const stack = await startReplicas(signal, timed);
  const keepLogs = (): void => {
    const kept = `${stack.folder}.kept`;
    renameSync(stack.folder, kept);
    timed(`the logs of all processes are kept in ${kept}`);
  };
  try {
    timed(`outside: ${Object.values(HOSTS).join(', ')} of the ingress`);
    const findings = await play(stack, plan, timed);
    if (findings.length > 0) keepLogs();
    return findings;
  } catch (failure) {
    if (!signal.aborted) keepLogs();
    throw failure;
  } finally {
    await stack.stop();
  }
};
