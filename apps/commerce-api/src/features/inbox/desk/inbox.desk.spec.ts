import { Conflict } from '@platform/errors';
import type { Caller } from '../../../abilities';
import type { ConversationRef } from '../conversations/public';
import { InboxDesk } from './inbox.desk';

const CHAT = {
  ...{ chatId: 'S.d.1', nohp: '62811', instance: 'd', version: 1, last_seq: 7 },
  ...{ timestamp: 0, waiting_since: null, last_type: null },
};
const database = { prepared: () => Promise.resolve([]), query: () => Promise.resolve([]) } as never;
const caller = { storeId: 'S', actor: 'u' } as Caller;
const deskOn = (asCaller: (_: unknown, call: { readonly json?: unknown }) => Promise<never>): InboxDesk =>
  new InboxDesk({ database, chat: { asCaller, asService: asCaller as never }, chatFiles: undefined });

it.each([
  [50, true],
  [49, false],
])('of a list of %d chats that has no next part it is told whether there may be more: %s', async (length, isFull) => {
  const data = Array.from({ length }, () => CHAT);
  const desk = deskOn(() => Promise.resolve({ data, next_cursor: null } as never));
  expect(await desk.rows(caller, { view: 'all' })).toMatchObject({ next: null, isFull });
});

it('words that mean too many are told so, in a chat and in the list, and what is there is not lost', async () => {
  const asCaller = (_: unknown, { json }: { readonly json?: unknown }): Promise<never> => {
    const { search, keyword } = json as { search?: string; keyword?: string };
    if (search !== undefined || keyword !== undefined)
      return Promise.reject(new Conflict('too many', { code: 'too_broad' }));
    return Promise.resolve({ data: [], chat_list: CHAT } as never);
  };
  const desk = deskOn(asCaller);
  expect(await desk.rows(caller, { view: 'all', q: 'a' })).toEqual({ rows: [], next: null, isBroad: true });
  const found = await desk.find(caller, { chatId: 'S.d.1' } as ConversationRef, 'a');
  expect(found).toMatchObject({ chat: { chatId: 'S.d.1', lastSeq: 7 }, messages: [], isBroad: true });
});
