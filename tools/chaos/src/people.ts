import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '@platform/data';
import { TEAM } from './chaos-stack';

const TRY_AGAIN_MS = 150;
const CALL_LIMIT_MS = 30_000;
const ENDING_MS = 500;

/** Is told how each call ends: its status, or `broken` when there is none. */
type Told = (outcome: string) => void;

/** The network of the customers' phones. */
export interface Network {
  readonly told?: Told;
  readonly gateway: { readonly url: string; isReady(): Promise<boolean> };
  /** Superuser. */
  readonly database: Pick<Database, 'query'>;
  readonly signal: AbortSignal;
}

/** An agent's access to chat-backend. */
export interface Desk {
  readonly told?: Told;
  readonly chat: { readonly url: string };
  readonly token: string;
  readonly signal: AbortSignal;
}

/** One message of a chat between a customer's phone and a device of the shop. */
export interface Words {
  readonly phone: string;
  readonly device: string;
  readonly text: string;
}

/** The number of a customer. */
export const phoneOf = (chat: number): string => `6281200${String(chat).padStart(6, '0')}`;

/** The n-th text that the customer of a chat writes, and the agent's n-th answer. */
export const customerText = (chat: number, n: number): string => `pesan ${chat}-${n}`;
export const agentText = (chat: number, n: number): string => `jawaban ${chat}-${n}`;

interface Call {
  readonly url: string;
  readonly body: object;
  readonly headers?: Record<string, string>;
  readonly told?: Told | undefined;
}

const post = async ({ url, body, headers = {}, told }: Call): Promise<unknown> => {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(CALL_LIMIT_MS),
  }).catch((cause: unknown) => {
    told?.('broken');
    throw cause;
  });
  told?.(String(answer.status));
  return answer.status === 200 ? answer.json() : undefined;
};

interface Posted {
  readonly success?: boolean;
  readonly result?: boolean;
  readonly data?: { readonly id?: string };
}

const posted = async (call: Call): Promise<Posted | undefined> => {
  const answer = (await post(call).catch(() => undefined)) as Posted | undefined;
  return answer?.success === true || answer?.result === true ? answer : undefined;
};

/** The message's id if the network has it, which a phone shows as a tick instead of a clock. */
const idOnNetwork = async ({ database }: Network, { phone, text }: Words): Promise<string | undefined> => {
  const [row] = await database.query<{ id: string }>(
    `SELECT id FROM wa_gateway.sim_message WHERE direction = 'in' AND phone = $1 AND content#>>'{message,text}' = $2`,
    [phone, text],
  );
  return row?.id;
};

/**
 * Writes one message as a customer; like a phone, sends it again only when the network does not have it. Resolves with its id.
 */
export const customerWrites = async (network: Network, words: Words): Promise<string> => {
  const body = { from: words.phone, to: words.device, text: words.text };
  const call = { url: `${network.gateway.url}/sim/messages`, body, told: network.told };
  for (;;) {
    const id = (await posted(call))?.data?.id;
    if (id !== undefined) return id;
    // Whatever the killed process had begun is committed or rolled back once its successor is ready; one that hung does it a moment later
    do await pause(TRY_AGAIN_MS, undefined, network);
    while (!(await network.gateway.isReady()));
    await pause(ENDING_MS, undefined, network);
    const known = await idOnNetwork(network, words);
    if (known !== undefined) return known;
  }
};

/** Answers as an agent; the same id on every try makes it one message (contract). */
export const agentWrites = async (desk: Desk, { phone, device, text }: Words, id: string): Promise<void> => {
  const body = { nohp: phone, instance: device, team: TEAM, pesan: text, pesan_id: id };
  const headers = { Authorization: `Bearer ${desk.token}` };
  const call = { url: `${desk.chat.url}/v1/send_message`, body, headers, told: desk.told };
  while (!(await posted(call))) await pause(TRY_AGAIN_MS, undefined, desk);
};
