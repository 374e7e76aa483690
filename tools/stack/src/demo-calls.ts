import { io, type Socket } from 'socket.io-client';
import { callGateway } from './device';
import type { StackFile } from './stack-file';

export const LIMIT_MS = 20_000;
const POLL_MS = 100;

/** The fields of chat-backend's records that the demo uses. */
export interface InboxEntry {
  readonly pesan_id: string;
  readonly chatInboxId: string;
  readonly role: string;
  readonly pesan: string | null;
  readonly status_ack: string;
}
export interface ListEntry {
  readonly chatId: string;
  readonly nohp: string;
  readonly status: string;
  readonly status_escalate: string;
  readonly user_nama: string | null;
  readonly unread: number;
}
export interface Inbox {
  readonly data: readonly InboxEntry[];
  readonly chat_list: ListEntry;
}
export interface PhoneMessage {
  readonly id: string;
  readonly text: string | null;
  readonly status: string;
  readonly content: { readonly kind: string };
}

/** Polls until there is an answer; after 20 s throws with `what` and where to look. */
export const eventually = async <T>(what: string, look: string, probe: () => Promise<T | undefined>): Promise<T> => {
  for (const end = Date.now() + LIMIT_MS; ;) {
    const found = await probe();
    if (found !== undefined) return found;
    if (Date.now() > end) throw new Error(`${what} did not happen within ${LIMIT_MS / 1000} s. See ${look}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
};

const post = async (url: string, body: object, token?: string): Promise<Record<string, unknown>> => {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(LIMIT_MS),
  });
  const json = (await answer.json()) as Record<string, unknown>;
  if (!answer.ok || json.result === false)
    throw new Error(`${url} answered HTTP ${answer.status}: ${String(json.message ?? JSON.stringify(json))}`);
  return json;
};

const fileForm = (file: Buffer, fields: Readonly<Record<string, string | undefined>>): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.append(name, value);
  form.append('file', new Blob([new Uint8Array(file)]), 'phone.bin');
  return form;
};

/** The gateway as the shop's phone and the customer's phone use it. */
export const gatewayCalls = (url: string, instance: string, nohp: string) => ({
  logout: () => callGateway(url, `/api/logout?instanceID=${instance}`),
  newDevice: (name: string) => callGateway(url, '/api/new', { instanceID: instance, name }),
  qrcode: () => callGateway<{ qrcode: string; qr: string }>(url, `/api/qrcode?instanceID=${instance}`),
  scan: (qr: string, phone: string) => callGateway(url, '/sim/scan', { qr, nohp: phone }),
  status: async () => (await callGateway<{ status: string }>(url, `/api/device-info?instanceID=${instance}`)).status,
  makePhone: (name: string) => callGateway(url, '/sim/phones', { nohp, name }),
  write: (text: string) => callGateway<{ id: string }>(url, '/sim/messages', { from: nohp, to: instance, text }),
  send: (file: Buffer, text?: string) =>
    callGateway<{ id: string }>(url, '/sim/messages', fileForm(file, { from: nohp, to: instance, text })),
  read: () => callGateway<{ count: number }>(url, '/sim/read', { nohp }),
  phone: async () => (await callGateway<{ messages: PhoneMessage[] }>(url, `/sim/inbox?nohp=${nohp}`)).messages,
});

/** Signs somebody in at store-auth; returns the token. */
export const signIn = async (storeAuth: string, person: { email: string; password: string }): Promise<string> => {
  const { data } = await post(`${storeAuth}/api/login`, person);
  return (data as { token: string }).token;
};

/** The token of an agent. */
export const login = ({ services, demo }: StackFile): Promise<string> =>
  signIn(services['store-auth'] ?? '', demo.agents[0] ?? demo.owner);

/** chat-backend as an agent's client uses it, for one conversation. */
export const agentCalls = ({ services, demo }: StackFile, token: string, nohp: string) => {
  const chat = { nohp, instance: demo.instance, team: demo.team };
  const call = (path: string, more: object = {}) =>
    post(`${services['chat-backend']}/v1/${path}`, { ...chat, ...more }, token);
  return {
    inbox: async () => (await call('chat_inbox')) as unknown as Inbox,
    send: async (pesan: string) => (await call('send_message', { pesan })) as unknown as { data: InboxEntry },
    markRead: () => call('chat_markread'),
    finish: () => call('chat_finish'),
  };
};

export interface SeenEvent {
  readonly name: string;
  readonly payload: Record<string, unknown>;
  readonly at: number;
}

/** The agent's socket, which records every event. */
export const openSocket = async (url: string, token: string): Promise<{ socket: Socket; seen: SeenEvent[] }> => {
  const socket = io(url, { auth: { token }, transports: ['websocket'], forceNew: true, reconnection: false });
  const seen: SeenEvent[] = [];
  socket.onAny((name: string, payload: Record<string, unknown>) => seen.push({ name, payload, at: performance.now() }));
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', (error) => reject(new Error(`The agent's socket was refused: ${error.message}`)));
  });
  return { socket, seen };
};
