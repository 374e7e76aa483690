import { startLifecycle, type Lifecycle } from './lifecycle.fixture';
import { transition, type Action, type Actor, type ChatRow } from './transition';

/** Ingest and sends are single statements (design 3.2, 3.3); this holds them to the same table as everything else. */
let chat: Lifecycle;
beforeAll(async () => {
  chat = await startLifecycle();
});
afterAll(() => chat.stop());

const statuses = ['open', 'handle', 'pending', 'finish'] as const;
const states = statuses.flatMap((status) =>
  (status === 'open' ? [null] : [null, 'u-rina', 'u-siti']).map((assignee) => ({ status, assignee })),
);
const rina: Actor = { type: 'user', userId: 'u-rina', supervises: false, teams: ['3'] };
const unnamed = (type: Actor['type']): Actor => ({ type, userId: null, supervises: true, teams: undefined });

type Does = (ref: object & { nohp: string }) => Promise<unknown>;
const sends =
  (path: string, who: () => string, more: object = {}): Does =>
  (ref) =>
    chat.as(who(), path, { ...ref, pesan: 'halo', ...more });
const nobody = () => '';
const forRina = { user_id: 'u-rina' };
const send: Action = { kind: 'send' };
const doers: [string, Action, Actor, Does][] = [
  ['an agent sends', send, rina, sends('send_message', () => chat.people.rina)],
  ['the bot sends', send, unnamed('bot'), sends('send_message', () => chat.people.bot)],
  ['crm sends', send, { ...unnamed('crm'), userId: 'u-rina' }, sends('send_message_crm', nobody, forRina)],
  ['admin sends', send, unnamed('admin'), sends('send_message_admin', nobody)],
  [
    'admin sends for an agent',
    send,
    { ...unnamed('admin'), userId: 'u-rina' },
    sends('send_message_admin', nobody, forRina),
  ],
  [
    'the customer writes',
    { kind: 'inbound' },
    unnamed('customer'),
    ({ nohp }) => chat.inbound({ number: `${nohp}@s.whatsapp.net` }),
  ],
];

describe.each(doers)('%s', (_, action, actor, act) => {
  it.each(states.map((state) => [`${state.status} ${state.assignee ?? 'unassigned'}`, state] as const))(
    'a chat that is %s goes where the table says',
    async (__, { status, assignee }) => {
      const until = status === 'pending' ? '2030-01-01 00:00:00+00' : null;
      const ref = await chat.newChat({ status, assignee_id: assignee, pending_until: until });
      const seen: ChatRow = {
        status,
        assignee,
        team: '3',
        gudang: null,
        pendingUntil: until,
        escalate: '',
        ...{ escalation: null, isHelped: false },
      };
      const decision = transition(seen, action, actor);
      const expected = typeof decision === 'string' ? { next: seen, newEpisode: false, events: [] } : decision;
      await act(ref);
      const row = await chat.row(ref);
      expect({
        status: statuses[row.status as number],
        assignee: row.assignee_id,
        pending: row.pending_until !== null,
        episode: row.episode,
        events: await chat.events(ref),
      }).toEqual({
        status: expected.next.status,
        assignee: expected.next.assignee,
        pending: expected.next.pendingUntil !== null,
        episode: expected.newEpisode ? 2 : 1,
        events: expected.events.map(({ event }) => event),
      });
    },
  );
});
