import type { ServiceTokens } from '@platform/auth';
import { Failure, NotFound } from '@platform/errors';
import { path, type HttpClient } from '@platform/http';
import { face, type FaceCall } from './face';

/** A campaign as chat-backend answers it (its design 2.9), with what it keeps for us in `meta`. */
export interface Campaign<Meta> {
  readonly broadcastId: string;
  readonly nama: string;
  readonly instance: string;
  readonly status: string;
  readonly total: number;
  readonly valid: number;
  readonly duplikat: number;
  readonly tidak_valid: number;
  readonly opt_out: number;
  readonly terkirim: number;
  readonly delivered: number;
  readonly viewed: number;
  readonly gagal: number;
  readonly meta: Meta | null;
}

/** What it says, by which device and how fast. */
export interface CampaignContent<Meta> {
  readonly instance: string;
  readonly team: string;
  readonly nama: string;
  readonly pesan?: string;
  readonly template_id?: string;
  readonly type?: string;
  readonly url?: string;
  readonly filename?: string;
  readonly limit_per_minute: number;
  readonly jam_tenang?: { readonly from: string; readonly to: string };
  readonly meta: Meta;
  /** Who makes it, and is told of its end. */
  readonly user_id?: string | undefined;
}

/** Of a save. */
export interface CampaignCondition<Meta> {
  /** Another that has its id is answered as it is. */
  readonly if_absent?: true;
  /** Throws `version_conflict` for one that is not as it was read. */
  readonly if_same?: Pick<Campaign<Meta>, 'nama' | 'status' | 'meta'>;
  /** Its recipients go, and it is a draft until they are put in anew. */
  readonly refill?: boolean;
}

export interface CampaignRecipient {
  readonly nohp: string;
  readonly nama?: string;
  readonly params: Readonly<Record<string, string | number>>;
}

export interface ListedRecipient {
  readonly nohp: string;
  readonly nama: string | null;
  readonly status: string;
  readonly error: string | null;
}

export interface Feed<Row> {
  readonly data: readonly Row[];
  readonly next_cursor: string | null;
}

export type CampaignStep =
  | { readonly aksi: 'pause' | 'resume' | 'cancel' }
  | { readonly aksi: 'start'; readonly filling: string }
  /** At a moment; `jadwal` is it as `YYYY-MM-DD HH:MM` on the clocks of the store. `meta` is put into what is kept. */
  | {
      readonly aksi: 'schedule';
      readonly filling: string;
      readonly at: string;
      readonly jadwal: string;
      readonly meta: object;
    };

interface Listing {
  readonly status?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

/** Campaigns of one store, under UUIDs of ours. Repeating any call of this is harmless; failures are as a face answers them. */
export interface ChatBroadcasts<Meta> {
  save(
    storeId: string,
    id: string,
    content: CampaignContent<Meta>,
    condition: CampaignCondition<Meta>,
  ): Promise<Campaign<Meta>>;
  get(storeId: string, id: string): Promise<Campaign<Meta>>;
  list(storeId: string, query: Listing): Promise<Feed<Campaign<Meta>>>;
  remove(storeId: string, id: string): Promise<void>;
  /** Makes it a draft of nobody, which this filling alone fills and starts. */
  fill(storeId: string, id: string, filling: string): Promise<Campaign<Meta>>;
  add(storeId: string, id: string, filling: string, recipients: readonly CampaignRecipient[]): Promise<void>;
  act(storeId: string, id: string, step: CampaignStep): Promise<Campaign<Meta>>;
  recipients(storeId: string, id: string, query: Listing): Promise<Feed<ListedRecipient>>;
}

/** Ten thousand rows are written. */
const PAGE_TIMEOUT_MS = 20_000;
const NAMES = {
  ...{ nama: 'name', pesan: 'message.text', template_id: 'message.template_id', url: 'message.media_id' },
  ...{ limit_per_minute: 'rate_per_minute', jam_tenang: 'quiet_hours', jadwal: 'at' },
};

/** Again without its maker, where chat-backend has yet to be told of them. */
const orOfNobody =
  <T>(again: () => Promise<T>) =>
  (failure: unknown): Promise<T> => {
    const code = failure instanceof NotFound && failure.cause instanceof Failure ? failure.cause.code : undefined;
    if (code !== 'user_not_found') throw failure;
    return again();
  };

/** chat-backend over HTTP, with the service's token for the store. */
export const httpChatBroadcasts = <Meta>(
  http: HttpClient | undefined,
  tokens: ServiceTokens,
  timeoutMs: number,
): ChatBroadcasts<Meta> => {
  const token = (storeId?: string): Promise<string> => tokens.for('chat-backend', storeId);
  const chat = face('chat-backend', http, { thing: 'Broadcast', timeoutMs, token });
  const ask = <Answer extends object>(storeId: string, call: FaceCall<Answer>): Promise<Answer> =>
    chat.ask<Answer>({ ...call, storeId, names: NAMES });
  const one = (id: string) => path('/internal/broadcasts/{id}', { id });
  const people = (id: string) => path('/internal/broadcasts/{id}/recipients', { id });
  type Answered = { readonly data: Campaign<Meta> };
  return {
    save: async (storeId, id, content, condition) => {
      const json = { ...content, ...condition, store_id: storeId };
      const put = (body: object) => ask<Answered>(storeId, { method: 'PUT', path: one(id), json: body });
      return (await put(json).catch(orOfNobody(() => put({ ...json, user_id: undefined })))).data;
    },
    get: async (storeId, id) => (await ask<Answered>(storeId, { path: one(id), query: { store_id: storeId } })).data,
    list: (storeId, query) =>
      ask(storeId, { path: path('/internal/broadcasts'), query: { ...query, store_id: storeId } }),
    remove: async (storeId, id) =>
      void (await ask(storeId, { method: 'DELETE', path: one(id), query: { store_id: storeId } })),
    fill: async (storeId, id, filling) => {
      const json = { store_id: storeId, filling };
      const call = { method: 'PUT', path: people(id), json, timeoutMs: PAGE_TIMEOUT_MS } as const;
      return (await ask<Answered>(storeId, call)).data;
    },
    add: async (storeId, id, filling, penerima) => {
      const json = { store_id: storeId, filling, penerima };
      await ask(storeId, { method: 'POST', path: people(id), json, timeoutMs: PAGE_TIMEOUT_MS });
    },
    act: async (storeId, id, step) => {
      const json = { ...step, store_id: storeId };
      const address = path('/internal/broadcasts/{id}/action', { id });
      return (await ask<Answered>(storeId, { method: 'POST', path: address, json })).data;
    },
    recipients: (storeId, id, query) => ask(storeId, { path: people(id), query: { ...query, store_id: storeId } }),
  };
};
