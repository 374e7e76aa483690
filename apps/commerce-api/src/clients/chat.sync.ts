import type { ServiceTokens } from '@platform/auth';
import { Rejected } from '@platform/errors';
import { path, peer, type HttpClient } from '@platform/http';

/** Kinds of rows that chat-backend keeps copies of (its `sync.dto.ts`). */
export type SyncKind =
  | 'stores'
  | 'users'
  | 'teams'
  | 'team_members'
  | 'devices'
  | 'templates'
  | 'customers'
  | 'orders'
  | 'handle_gudang'
  | 'rules'
  | 'welcomes';

/** A row in chat-backend's names; absent members are emptied there. */
export interface PushedRow {
  readonly store_id: string;
  /** Epoch milliseconds: what is not above the last that chat-backend saw of the row is passed over. */
  readonly updated_at: number;
  readonly deleted?: boolean;
  readonly [member: string]: unknown;
}

export type SyncRows = Partial<Readonly<Record<SyncKind, readonly PushedRow[]>>>;

/** What this service tells chat-backend of the rows that it owns. Repeats and reordering change nothing there. */
export interface ChatSyncClient {
  /** Rows of one store, at most 500 a kind. Resolves to how many were news; throws `Rejected` when a row will never be taken. */
  push(rows: SyncRows): Promise<{ applied: number; skipped: number }>;
}

const TIMEOUT_MS = 5_000;
/** Refusals that no other try can turn. */
const FINAL = [400, 413, 422];

export const isRefused = (failure: unknown): boolean => failure instanceof Rejected;

/** chat-backend over HTTP: `POST /internal/sync` with a service token of no store, as the rows name theirs. */
export const httpChatSyncClient = (http: HttpClient, tokens: ServiceTokens): ChatSyncClient => {
  const chat = peer('chat-backend', http, {
    timeoutMs: TIMEOUT_MS,
    token: () => tokens.for('chat-backend'),
    refusals: Object.fromEntries(FINAL.map((status) => [status, Rejected])),
    breaker: { perStore: true },
  });
  return {
    push: async (json) => {
      const storeId = Object.values(json).flat()[0]?.store_id;
      const call = { method: 'POST', path: path('/internal/sync'), json, ...(storeId && { storeId }) } as const;
      const { data } = await chat.ask<{ data: { applied: number; skipped: number } }>(call);
      return data;
    },
  };
};
