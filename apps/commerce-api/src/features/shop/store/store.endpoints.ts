import { dataOf, Reply, type Endpoint } from '@platform/http';
import { endpoint as ofService, ofSlug } from '../../../endpoint';
import { refusals } from '../../../refusals';
import { NewStoreBody, PublicStore, StoreStatusChange, StoreChange, StoreView } from './store.dto';
import * as examples from './store.examples';
import type { StoreService } from './store.service';

const endpoint = ofService.withDefaults({ tag: 'Settings and reports', unknownKeys: 'refuse' });
const BOT_ENGINE = 'svc:bot-engine';
const RATE = { requests: 60, perSeconds: 60, by: 'address' } as const;
const CACHED = { headers: { 'Cache-Control': 'public, max-age=30' } };

export const storeEndpoints = (store: StoreService): Endpoint[] => [
  endpoint({
    get: '/api/store',
    summary: 'The store',
    guard: 'member',
    reply: dataOf(StoreView),
    refuses: [refusals.unknownStore],
    examples: examples.store,
    handle: ({ caller }) =>
      caller.actor === BOT_ENGINE ? store.showToBot(caller.storeId) : store.show(caller.storeId),
  }),
  endpoint({
    post: '/api/store',
    summary: 'Open another store',
    description: 'It belongs to the person who asks, and takes a place of the plan of the store that they are in.',
    guard: 'settings.write',
    status: 201,
    idempotency: 'optional',
    body: NewStoreBody,
    reply: dataOf(StoreView, 'Store created'),
    refuses: [refusals.unknownStore, refusals.tokenNotAllowed, refusals.planLimit],
    examples: examples.newStore,
    handle: (input) => input.once((tx) => store.open(tx, input.caller, input.body)),
  }),
  endpoint({
    put: '/api/store',
    summary: 'Change name, description, phone, address, hours',
    guard: 'settings.write',
    body: StoreChange,
    reply: dataOf(StoreView, 'Store updated'),
    refuses: [refusals.unknownStore],
    examples: examples.storeChange,
    handle: ({ caller, body }) => store.change(caller, body),
  }),
  endpoint({
    put: '/api/store/status',
    summary: 'Open or close the shop for customers',
    guard: 'settings.write',
    body: StoreStatusChange,
    reply: dataOf(StoreView, 'Store updated'),
    refuses: [refusals.unknownStore],
    examples: examples.statusChange,
    handle: ({ caller, body }) => store.setStatus(caller, body),
  }),
  endpoint({
    get: '/api/store/public/{slug}',
    summary: 'The shop as everybody sees it',
    guard: 'none',
    rate: RATE,
    tenantOf: ({ params }) => ofSlug(params.slug),
    reply: dataOf(PublicStore),
    refuses: ['notFound'],
    examples: examples.publicStore,
    handle: async ({ params }) => new Reply(await store.publicProfile(params.slug), CACHED),
  }),
];
