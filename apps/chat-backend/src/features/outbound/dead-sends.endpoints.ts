import type { Endpoint } from '@platform/http';
import { Int, List, Nested, Text } from '@platform/validation';
import { endpoint } from '../../endpoint';
import { refusals, requireStore } from '../tenancy/public';
import { replayExamples } from './dead-sends.examples';
import type { DeadSendsRepository } from './dead-sends.repository';

const ROW_ID = { pattern: /^\d{1,18}$/, mismatch: { tag: 'numeric', text: 'must be a valid numeric value' } };
const DEFAULT_LIMIT = 50;

class DeadQuery {
  @Text({ max: 36, example: 'S1' }) store_id!: string;
  @Text({ ...ROW_ID, optional: true, description: 'next_cursor of the page before' }) cursor?: string;
  @Int({ optional: true, min: 1, max: 200, description: '50 unless given' }) limit?: number;
}
class DeadRecord {
  @Text() id!: string;
  @Text() chatId!: string;
  @Text() pesan_id!: string;
  @Text() nohp!: string;
  @Text() instance!: string;
  @Int() attempts!: number;
  @Text({ nullable: true }) reason!: string | null;
  @Int({ description: 'epoch seconds' }) created_at!: number;
  @Int({ nullable: true, description: 'epoch seconds' }) dead_at!: number | null;
}
class DeadReply {
  @Text() message!: string;
  @List(() => DeadRecord) data!: DeadRecord[];
  @Text({ nullable: true }) next_cursor!: string | null;
}
class ReplayRequest {
  @Text({ max: 36, example: 'S1' }) store_id!: string;
  @Text({ ...ROW_ID, example: '17' }) id!: string;
}
class ReplayData {
  @Text({ description: 'the row has a new id: it is the last of its chat now' }) id!: string;
}
class ReplayReply {
  @Text() message!: string;
  @Nested(() => ReplayData) data!: ReplayData;
}

const internal = { guard: 'service', internal: true, tag: 'internal' } as const;

/** Sends that the gateway refused for good, and their replay (design 2.9). */
export const deadSendEndpoints = (dead: DeadSendsRepository): Endpoint[] => [
  endpoint({
    ...internal,
    get: '/internal/outbox/dead',
    summary: 'Sends that the gateway will not take, newest first',
    query: DeadQuery,
    reply: DeadReply,
    refuses: [refusals.forbidden],
    handle: async ({ caller, query: { store_id: store, cursor, limit = DEFAULT_LIMIT } }) => {
      const data = await dead.list(requireStore(caller, store, refusals.forbidden), cursor, limit);
      return { message: 'success', data, next_cursor: data.length < limit ? null : (data.at(-1)?.id ?? null) };
    },
  }),
  endpoint({
    ...internal,
    post: '/internal/outbox/replay',
    summary: 'Sends a dead one again, as the last of its chat',
    body: ReplayRequest,
    reply: ReplayReply,
    refuses: [refusals.forbidden, refusals.messageNotFound],
    examples: replayExamples,
    handle: async ({ caller, body }) => {
      const id = await dead.replay(requireStore(caller, body.store_id, refusals.forbidden), body.id);
      if (id === undefined) throw refusals.messageNotFound();
      return { message: 'success replay', data: { id } };
    },
  }),
];
