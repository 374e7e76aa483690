import { sidHashOf } from '@platform/auth';
import { writeAudit } from '@platform/data';
import { explain, expectNoSeqScan } from '@platform/testing';
import { newMember, newStore, useCommerce } from '../../../commerce.fixture';
import { logListing } from './logs.service';

const commerce = useCommerce();

const wrote = (tenantId: string, id: string, at: string, action = 'settings.write') =>
  writeAudit(
    commerce.database,
    { tenantId, actor: { id: 'u1', name: 'Sari', kind: 'user' }, at: new Date(at), ip: '203.0.113.7' },
    { action, subject: { type: 'setting', id }, diff: { name: { from: 'a', to: 'b' } } },
  );
const entry = (id: string, at: string, action = 'settings.write') => ({
  id: expect.any(String),
  at,
  actor: { id: 'u1', name: 'Sari', kind: 'user' },
  action,
  subject: { type: 'setting', id },
  diff: { name: { from: 'a', to: 'b' } },
  ip: '203.0.113.7',
});
const [FIRST, SECOND, THIRD] = [
  '2026-03-01T01:00:00.000Z',
  '2026-03-01T02:00:00.000Z',
  '2026-03-01T03:00:00.000Z',
] as const;

const read = async (token: string, query = '') => {
  const { status, body } = await commerce.call('GET', `/api/logs${query}`, token);
  return { status, ...(body as { data: object[]; meta: { next_cursor: string | null } }) };
};

it("shows what was done in one's own store, the newest first, in pages that neither repeat nor leave out", async () => {
  const [mine, theirs] = [await newStore(commerce), await newStore(commerce)];
  const { token } = await newMember(commerce, mine, 'admin');
  await wrote(mine, 'one', FIRST);
  await wrote(mine, 'two', SECOND, 'team.manage');
  await wrote(theirs, 'other', SECOND);
  await wrote(mine, 'three', THIRD);
  const page = await read(token, '?limit=2');
  expect(page.data).toEqual([entry('three', THIRD), entry('two', SECOND, 'team.manage')]);
  const rest = await read(token, `?limit=2&cursor=${encodeURIComponent(page.meta.next_cursor ?? '')}`);
  expect([rest.data, rest.meta]).toEqual([[entry('one', FIRST)], { next_cursor: null }]);
  expect((await read(token, '?action=team.manage')).data).toEqual([entry('two', SECOND, 'team.manage')]);
  expect((await read(token, `?from=${SECOND}&to=${THIRD}`)).data).toEqual([entry('two', SECOND, 'team.manage')]);
  expect((await read(token, '?subject_type=order')).data).toEqual([]);
});

it("refuses a cursor of another store's log", async () => {
  const [mine, theirs] = [await newStore(commerce), await newStore(commerce)];
  await wrote(theirs, 'one', FIRST);
  await wrote(theirs, 'two', SECOND);
  const { meta } = await read(commerce.storeAuth.userToken({ store_id: theirs }), '?limit=1');
  const cursor = encodeURIComponent(meta.next_cursor ?? '');
  const stolen = await read(commerce.storeAuth.userToken({ store_id: mine }), `?cursor=${cursor}`);
  expect(stolen).toMatchObject({
    code: 'validation',
    errors: { cursor: ['cursor must be one that this list returned'] },
  });
});

it.each([{}, { actor_id: 'u1' }])('a page of the log with %j is read by an index', async (query) => {
  for (const { text, values } of Object.values(logListing.statements('S1', query)))
    expectNoSeqScan(await explain(commerce.database, text, values));
});

it('shows me my own logins, and which of them asks', async () => {
  const { token } = await newMember(commerce, await newStore(commerce), 'admin');
  const asking = commerce.storeAuth.userToken({ sid: 'mine' });
  const login = (sid: string) => ({
    at: FIRST,
    type: 'login',
    ip: '203.0.113.7',
    user_agent: 'a browser',
    sid_hash: sidHashOf(sid),
  });
  commerce.storeAuth.history.push(login('mine'), login('other'));
  await commerce.seed();
  const shown = { at: FIRST, ip: '203.0.113.7', agent: 'a browser', result: 'login' };
  const { status, body } = await commerce.call('GET', '/api/logs/login', asking);
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      status: 'success',
      message: 'OK',
      data: [
        { ...shown, session_current: true },
        { ...shown, session_current: false },
      ],
      meta: { next_cursor: null },
    },
  });
  expect((await commerce.call('GET', '/api/logs/login', token)).status).toBe(200);
});
