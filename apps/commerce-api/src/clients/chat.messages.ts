import type { ServiceTokens } from '@platform/auth';
import { Rejected } from '@platform/errors';
import { path, peer, type HttpClient, type PeerCall } from '@platform/http';

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
  /** Throws `Rejected` when it will never be sent: among others where the store has not chatted with anybody yet, so that no device is known. */
  send(message: ChatMessage): Promise<void>;
}

interface Line {
  readonly instance: string;
  readonly team: string;
}

const TIMEOUT_MS = 5_000;
/** Refusals that no other try can turn. */
const FINAL = [400, 404, 413, 422];
const contentOf = ({ text, document }: ChatMessage): object => {
  if (!document) return { type: 'chat', pesan: text };
  const { filename, mimetype, bytes } = document;
  return { type: 'document', caption: text, filename, file: `data:${mimetype};base64,${bytes.toString('base64')}` };
};

const ANY = { nohp: '-', instance: 'all', team: 'all', limit: '1' };

/**
 * chat-backend over HTTP, with the service's token for the store. Which device writes is what that customer has chatted with last, or else
 * the store: this service keeps no devices of its own yet.
 */
export const httpChatMessages = (http: HttpClient, tokens: ServiceTokens): ChatMessages => {
  const chat = peer('chat-backend', http, {
    timeoutMs: TIMEOUT_MS,
    token: (storeId) => tokens.for('chat-backend', storeId),
    refusals: Object.fromEntries(FINAL.map((status) => [status, Rejected])),
  });
  const ask = <Answer extends object>(storeId: string, address: PeerCall['path'], json: object) =>
    chat.ask<Answer>({ method: 'POST', path: address, storeId, json });
  const newest = async (storeId: string, among: object): Promise<Line | undefined> => {
    const list = await ask<{ data: Line[] }>(storeId, path('/v1/chat_list'), { ...ANY, ...among });
    return list.data[0];
  };
  return {
    send: async (message) => {
      const { storeId, phone, id } = message;
      const line = (await newest(storeId, { search: phone, searchType: 'nohp' })) ?? (await newest(storeId, {}));
      if (!line) throw new Rejected('The store has no chat, so no device is known to write with');
      const { instance, team } = line;
      const sent = { nohp: phone, instance, team, ...contentOf(message), pesan_id: id };
      await ask(storeId, path('/v1/send_express'), sent);
    },
  };
};
