import { setTimeout as pause } from 'node:timers/promises';
import { DEVICE, startStack, type ChaosStack } from './chaos-stack';
import { agentText, agentWrites, customerText, customerWrites, phoneOf, type Words } from './people';
import { killsOf, randomFrom, type Kill, type Plan } from './plan';
import { progressOf, verdictOf, type Findings } from './verdict';

const LOOK_MS = 2_000;

type Say = (text: string) => void;

export interface Moment {
  readonly random: () => number;
  readonly signal: AbortSignal;
}

const wordsOf = (chat: number, text: string): Words => ({ phone: phoneOf(chat), device: DEVICE, text });

/** Writes `count` messages one at a time, spread over the time of the plan. */
export const person = async (
  count: number,
  { seconds }: Pick<Plan, 'seconds'>,
  moment: Moment,
  write: (n: number) => Promise<unknown>,
) => {
  const begun = Date.now();
  for (let n = 0; n < count; n++) {
    const due = begun + ((n + moment.random()) / count) * seconds * 1000;
    await pause(Math.max(0, due - Date.now()), undefined, moment);
    await write(n);
  }
};

/** Kills one service repeatedly; it is ready again before the next kill. */
const torment = async (stack: ChaosStack, kills: readonly Kill[], say: Say): Promise<void> => {
  const begun = Date.now();
  for (const { service, atMs, awayMs } of kills) {
    const victim = service === 'chat-backend' ? stack.chat : stack.gateway;
    await pause(Math.max(0, begun + atMs - Date.now()), undefined, stack);
    await victim.kill();
    say(`killed ${service}`);
    await pause(awayMs, undefined, stack);
    await victim.start();
    say(`${service} is ready again`);
  }
};

const shares = ({ messages, replies, chats }: Plan) => ({
  chats,
  messagesPerChat: Math.ceil(messages / chats),
  repliesPerChat: Math.ceil(replies / chats),
});

/** Waits until everything has arrived and nothing is in transit, or until patience ends. */
const settled = async (stack: ChaosStack, plan: Plan): Promise<void> => {
  const { chats, messagesPerChat, repliesPerChat } = shares(plan);
  const end = Date.now() + plan.patienceSeconds * 1000;
  while (Date.now() < end) {
    const { stored, shown, waiting } = await progressOf(stack);
    if (stored >= chats * messagesPerChat && shown >= chats * repliesPerChat && waiting === 0) return;
    await pause(250, undefined, stack);
  }
};

const watch = (stack: ChaosStack, plan: Plan, say: Say): (() => void) => {
  const { chats, messagesPerChat, repliesPerChat } = shares(plan);
  const look = async (): Promise<void> => {
    const { stored, shown, waiting } = await progressOf(stack);
    say(
      `${stored}/${chats * messagesPerChat} messages stored, ${shown}/${chats * repliesPerChat} answers shown, ${waiting} in transit`,
    );
  };
  const timer = setInterval(() => void look().catch(() => undefined), LOOK_MS);
  return () => clearInterval(timer);
};

const rampage = async (stack: ChaosStack, plan: Plan, say: Say): Promise<Findings> => {
  const moment = { random: randomFrom(plan.seed + 1), signal: stack.signal };
  const { chats, messagesPerChat, repliesPerChat } = shares(plan);
  const kills = killsOf(plan);
  const stopWatching = watch(stack, plan, say);
  try {
    await Promise.all([
      ...(['chat-backend', 'wa-gateway'] as const).map((name) =>
        torment(
          stack,
          kills.filter(({ service }) => service === name),
          say,
        ),
      ),
      ...Array.from({ length: chats }, (_, chat) => [
        person(messagesPerChat, plan, moment, (n) => customerWrites(stack, wordsOf(chat, customerText(chat, n)))),
        person(repliesPerChat, plan, moment, (n) =>
          agentWrites(stack, wordsOf(chat, agentText(chat, n)), `chaos-${chat}-${n}`),
        ),
      ]).flat(),
    ]);
    say('all messages are written and all kills done');
    await settled(stack, plan);
    return await verdictOf(stack, { chats, messagesPerChat, repliesPerChat });
  } finally {
    stopWatching();
  }
};

/**
 * Customers write through the gateway, agents answer through chat-backend, and both services are killed with kill -9 meanwhile.
 * Resolves with what was lost, arrived twice or out of order; rejects when `signal` aborts it.
 */
export const runChaos = async (plan: Plan, say: Say, signal = new AbortController().signal): Promise<Findings> => {
  const begun = Date.now();
  const stack = await startStack(signal);
  try {
    return await rampage(stack, plan, (text) =>
      say(`${((Date.now() - begun) / 1000).toFixed(1).padStart(6)} s  ${text}`),
    );
  } finally {
    await stack.stop();
  }
};
