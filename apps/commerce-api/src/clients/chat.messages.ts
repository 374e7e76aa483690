import type { ServiceTokens } from '@platform/auth';
import { Rejected } from '@platform/errors';
import { path, peer, type HttpClient, type Peer, type PeerCall } from '@platform/http';

/** A file that the customer gets. */
export interface ChatDocument {
  readonly filename: string;
  readonly mimetype: string;
  readonly bytes: Buffer;
}

export interface ChatMessage {
  readonly storeId: string;
  /** Digits of E.164. */
  readonly phone: string;
  /** With a document its caption. */
  readonly text: string;
  readonly document?: ChatDocument;
  /** The same id is one message, however often it is sent. */
  readonly id: string;
}

/** Messages of a store to its customers, which the inbox shows like those of its staff. */
export interface ChatMessages {
  /** Throws `Rejected` when it will never be sent: among others where the store has neither a connected device nor a chat. */
  send(message: ChatMessage): Promise<void>;
}

/** The device that writes, and the team whose chat it is. */
export interface Line {
  readonly instance: string;
  readonly team: string;
}

const TIMEOUT_MS = 5_000;
/** Refusals that no other try can turn: by their status, and on `/v1` by their code, as they come with 200 there. */
const FINAL = [400, 404, 413, 422, 'forbidden', 'forbidden_team', 'chat_not_found', 'user_not_found'] as const;
/** The line is not there any more: another one may be. */
const GONE = ['device_not_found', 'team_not_found'] as const;
const isGone = (failure: unknown): boolean =>
  failure instanceof Rejected && (GONE as readonly (string | undefined)[]).includes(failure.code);
/** The id names a message that was sent, in a chat that is another team's by now. */
const isSent = (failure: unknown): boolean => failure instanceof Rejected && failure.code === 'duplicate';
const refusals = Object.fromEntries([...FINAL, ...GONE, 'duplicate'].map((refused) => [refused, Rejected]));

const chatPeer = (http: HttpClient, tokens: ServiceTokens): Peer =>
  peer('chat-backend', http, {
    timeoutMs: TIMEOUT_MS,
    token: (storeId) => tokens.for('chat-backend', storeId),
    refusals,
    breaker: { perStore: true },
  });

const contentOf = ({ text, document }: ChatMessage): object => {
  if (!document) return { type: 'chat', pesan: text };
  const { filename, mimetype, bytes } = document;
  return { type: 'document', caption: text, filename, file: `data:${mimetype};base64,${bytes.toString('base64')}` };
};

const ANY = { nohp: '-', instance: 'all', team: 'all', limit: '1' };

/** The line of a store to somebody who has not written; undefined: no device is connected. */
export type LineOf = (storeId: string) => Promise<Line | undefined>;
/** Whether a device is logged out: it sends nothing until somebody scans a code. One that reconnects is not. */
export type IsOut = (instance: string) => Promise<boolean>;

/**
 * chat-backend over HTTP, with the service's token for the store. That device writes with which the customer has chatted last, or else a
 * connected one of the store, or else that of its newest chat; a connected one also where the device is logged out, or it or its team is
 * gone. That a message goes out once also where the tries differ in this is chat-backend's: an id that went by another device is a `duplicate`.
 */
export const httpChatMessages = (
  http: HttpClient,
  tokens: ServiceTokens,
  connected: LineOf = async () => undefined,
  isOut: IsOut = async () => false,
): ChatMessages => {
  const chat = chatPeer(http, tokens);
  const ask = <Answer extends object>(storeId: string, address: PeerCall['path'], json: object) =>
    chat.ask<Answer>({ method: 'POST', path: address, storeId, json });
  const newest = async (storeId: string, among: object): Promise<Line | undefined> => {
    const list = await ask<{ data: Line[] }>(storeId, path('/v1/chat_list'), { ...ANY, ...among });
    return list.data[0];
  };
  const sendBy = async ({ instance, team }: Line, message: ChatMessage): Promise<void> => {
    const sent = { nohp: message.phone, instance, team, ...contentOf(message), pesan_id: message.id };
    await ask(message.storeId, path('/v1/send_express'), sent).catch((failure: unknown) => {
      if (!isSent(failure)) throw failure;
    });
  };
  /** By a connected device where the line is gone. */
  const sendByAny = async (line: Line, message: ChatMessage): Promise<void> => {
    try {
      await sendBy(line, message);
    } catch (failure) {
      const other = isGone(failure) ? await connected(message.storeId) : undefined;
      if (!other || (other.instance === line.instance && other.team === line.team)) throw failure;
      await sendBy(other, message);
    }
  };
  return {
    send: async (message) => {
      const { storeId, phone } = message;
      const own = await newest(storeId, { search: phone, searchType: 'nohp' });
      const line =
        own && !(await isOut(own.instance)) ? own : ((await connected(storeId)) ?? own ?? (await newest(storeId, {})));
      if (!line) throw new Rejected('The store has neither a connected device nor a chat to write with');
      await sendByAny(line, message);
    },
  };
};
