import { setTimeout as pause } from 'node:timers/promises';
import { DEVICE, TEAM, type ChaosStack } from './chaos-stack';

const TRY_AGAIN_MS = 150;
const CALL_LIMIT_MS = 30_000;

/** The number of a customer. */
export const phoneOf = (chat: number): string => `6281200${String(chat).padStart(6, '0')}`;

/** The texts that the customer of a chat writes, and those that the agent answers, in order. */
export const customerText = (chat: number, n: number): string => `pesan ${chat}-${n}`;
export const agentText = (chat: number, n: number): string => `jawaban ${chat}-${n}`;

const post = async (url: string, body: object, headers: Record<string, string> = {}): Promise<unknown> => {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(CALL_LIMIT_MS),
  });
  return answer.status === 200 ? answer.json() : undefined;
};

const isPosted = async (url: string, body: object, headers?: Record<string, string>): Promise<boolean> => {
  const answer = await post(url, body, headers).catch(() => undefined);
  const { success, result } = (answer ?? {}) as { success?: boolean; result?: boolean };
  return success === true || result === true;
};

/** Whether the network has the message: what a phone shows with a clock or a tick. */
const isOnNetwork = async ({ database }: ChaosStack, phone: string, text: string): Promise<boolean> => {
  const rows = await database.query(
    `SELECT 1 FROM wa_gateway.sim_message WHERE direction = 'in' AND phone = $1 AND content#>>'{message,text}' = $2`,
    [phone, text],
  );
  return rows.length > 0;
};

/** A customer writes one message and, like a phone, sends it again only when the network does not have it. */
export const customerWrites = async (stack: ChaosStack, chat: number, n: number): Promise<void> => {
  const [phone, text] = [phoneOf(chat), customerText(chat, n)];
  const body = { from: phone, to: DEVICE, text };
  while (!(await isPosted(`${stack.gateway.url}/sim/messages`, body))) {
    // What the process had begun when it died has ended, one way or the other, when its successor serves
    do await pause(TRY_AGAIN_MS, undefined, stack);
    while (!(await stack.gateway.isReady()));
    if (await isOnNetwork(stack, phone, text)) return;
  }
};

/** An agent answers; the same id with every try makes it one message (contract). */
export const agentWrites = async (stack: ChaosStack, chat: number, n: number): Promise<void> => {
  const body = {
    nohp: phoneOf(chat),
    instance: DEVICE,
    team: TEAM,
    pesan: agentText(chat, n),
    pesan_id: `chaos-${chat}-${n}`,
  };
  const headers = { Authorization: `Bearer ${stack.token}` };
  while (!(await isPosted(`${stack.chat.url}/v1/send_message`, body, headers)))
    await pause(TRY_AGAIN_MS, undefined, stack);
};
