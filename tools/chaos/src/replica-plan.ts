import { phoneOf } from './people';
import { numbersFrom } from './plan';
import { AGENTS_DEVICE } from './replica-settings';

export interface ReplicaPlan {
  /** In both directions in total. */
  readonly messages: number;
  /** Agents' clients with a socket, each with its own chat; the bot answers a tenth of the chats. */
  readonly clients: number;
  /** People write evenly over this time, and the kills happen in it. */
  readonly seconds: number;
  readonly seed: number;
  /** How long messages may take to arrive after the last one was written. */
  readonly patienceSeconds: number;
}

/** What is sold beside. */
export interface SalePlan extends ReplicaPlan {
  /** Placed and paid evenly over the time, four of them at the bot. */
  readonly orders: number;
}

/** What happens to the processes while people write and buy. */
export interface TroublePlan extends SalePlan {
  /** How often each service loses a process. */
  readonly kills: number;
  /** Each process that would be killed hangs for so many seconds instead (SIGSTOP) and then goes on; 0: it is killed. */
  readonly hang: number;
  /** How often Redis is killed, or hangs. */
  readonly redis: number;
  /** 1: the services reach their database through a PgBouncer in transaction mode. */
  readonly pooled: number;
}

const USUAL: TroublePlan = {
  ...{ messages: 1_000, clients: 50, orders: 60, seconds: 60, seed: 1, patienceSeconds: 120 },
  ...{ kills: 1, hang: 0, redis: 0, pooled: 0 },
};

/** `--messages=200 --clients=10 --hang=40` */
export const replicaPlanFrom = (args: readonly string[]): TroublePlan => numbersFrom(USUAL, args);

/** One chat of the run: half of its messages are from the customer, half are answers. */
export interface ChatPlan {
  readonly phone: string;
  readonly device: string;
  readonly answeredBy: 'bot' | 'agent';
  /** Index of the agent. */
  readonly agent: number;
  /** Messages of each side. */
  readonly turns: number;
  readonly questionAt: (n: number) => string;
  readonly answerAt: (n: number) => string;
  /** The id with which an agent sends its n-th answer. */
  readonly answerIdAt: (n: number) => string;
}

const BOT_EVERY = 10;
/** bot-engine answers 10 requests per minute for a customer and 60 for a store (design 3.4), including repeats after a crash. */
const SECONDS_PER_BOT_TURN = 10;

const isBots = (chat: number): boolean => chat % BOT_EVERY === BOT_EVERY - 1;

/** The chats of agents take the messages that exceed the limit of the bot's. */
export const chatsOf = (plan: ReplicaPlan, botsDevice: string, agents: number): ChatPlan[] => {
  const { messages, clients, seconds } = plan;
  const bots = Math.floor(clients / BOT_EVERY);
  const botTurns = Math.max(1, Math.floor(Math.min(messages / clients / 2, seconds / SECONDS_PER_BOT_TURN)));
  const agentTurns = Math.max(1, Math.ceil((messages / 2 - bots * botTurns) / (clients - bots)));
  return Array.from({ length: clients }, (_, chat) => ({
    phone: phoneOf(chat),
    ...(isBots(chat)
      ? { device: botsDevice, answeredBy: 'bot', turns: botTurns }
      : { device: AGENTS_DEVICE, answeredBy: 'agent', turns: agentTurns }),
    agent: chat % agents,
    questionAt: (n) =>
      isBots(chat) ? `Halo, sepatu lari hitam ukuran 42 masih ada? (${chat}-${n})` : `pesan ${chat}-${n}`,
    answerAt: (n) => `jawaban ${chat}-${n}`,
    answerIdAt: (n) => `chaos-${chat}-${n}`,
  }));
};
