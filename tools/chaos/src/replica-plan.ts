import { phoneOf } from './people';
import { numbersFrom } from './plan';
import { AGENTS_DEVICE } from './replica-settings';

export interface ReplicaPlan {
  /** In both directions together. */
  readonly messages: number;
  /** Agents' clients with a socket, each with a chat of its own; a fifth of the chats is the bot's. */
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

const BOT_EVERY = 5;

export const chatsOf = ({ messages, clients }: ReplicaPlan, botsDevice: string, agents: number): ChatPlan[] =>
  Array.from({ length: clients }, (_, chat) => {
    const isBots = chat % BOT_EVERY === BOT_EVERY - 1;
    return {
      phone: phoneOf(chat),
      device: isBots ? botsDevice : AGENTS_DEVICE,
      answeredBy: isBots ? 'bot' : 'agent',
      agent: chat % agents,
      turns: Math.ceil(messages / clients / 2),
      questionAt: (n) =>
        isBots ? `Halo, sepatu lari hitam ukuran 42 masih ada? (${chat}-${n})` : `pesan ${chat}-${n}`,
      answerAt: (n) => `jawaban ${chat}-${n}`,
      answerIdAt: (n) => `chaos-${chat}-${n}`,
    };
  });
