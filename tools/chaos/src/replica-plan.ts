import { phoneOf } from './people';
import { numbersFrom } from './plan';
import { AGENTS_DEVICE } from './replica-settings';

export interface ReplicaPlan {
  /** In both directions together. */
  readonly messages: number;
  /** Agents' clients with a socket, each with a chat of its own; a tenth of the chats is the bot's. */
  readonly clients: number;
  /** People write evenly over this time; the kills fall into it. */
  readonly seconds: number;
  readonly seed: number;
  /** How long after the last message everything may take to arrive. */
  readonly patienceSeconds: number;
}

const USUAL: ReplicaPlan = { messages: 1_000, clients: 50, seconds: 60, seed: 1, patienceSeconds: 120 };

/** `--messages=200 --clients=10` */
export const replicaPlanFrom = (args: readonly string[]): ReplicaPlan => numbersFrom(USUAL, args);

/** One chat of the run: half of its messages are the customer's, half are answers. */
export interface ChatPlan {
  readonly phone: string;
  readonly device: string;
  readonly answeredBy: 'bot' | 'agent';
  /** Which of the agents. */
  readonly agent: number;
  /** Of each side. */
  readonly turns: number;
  readonly questionAt: (n: number) => string;
  readonly answerAt: (n: number) => string;
  /** Under which an agent sends. */
  readonly answerIdAt: (n: number) => string;
}

const BOT_EVERY = 10;
/** bot-engine answers a customer 10 times a minute and a store 60 times (design 3.4), asked again after a crash included. */
const SECONDS_PER_BOT_TURN = 10;

const isBots = (chat: number): boolean => chat % BOT_EVERY === BOT_EVERY - 1;

/** Chats of agents make up for what those of the bot must not have. */
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
