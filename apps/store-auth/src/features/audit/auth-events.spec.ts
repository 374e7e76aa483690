import { expectNoSeqScan, explain } from '@platform/testing';
import { decodeJwt } from 'jose';
import { sidHashOf } from '@platform/auth';
import { bearer, brief, OWNER, useApp } from '../../app.fixture';
import { auditPage, ENTRY_BEFORE, firstIdOf } from './audit.repository';

const { app, database } = useApp();
let headers: Record<string, string>;

beforeAll(async () => {
  headers = bearer(await app.serviceToken('commerce-api'));
});

const history = async (query: string) => brief(await app.get(`/internal/auth-events?${query}`, headers));
const pageIn = ({ body }: { body: unknown }) =>
  (body as { data: { items: { type: string }[]; next_cursor: string | null } }).data;

describe('the login history', () => {
  it('lists logins, failures and logouts, newest first, without secrets', async () => {
    const { token } = await app.login();
    await app.post('/api/login', { email: OWNER.email, password: 'wrong' });
    await app.post('/api/logout', {}, bearer(token));
    const entry = (type: string, sid_hash: string | null) => ({
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
      user_id: OWNER.user_id,
      type,
      ip: '127.0.0.1',
      user_agent: 'node',
      sid_hash,
    });
    const sid = sidHashOf(String(decodeJwt(token).sid));
    const page = (items: object[]) => ({
      status: 200,
      body: { status: 'success', message: 'riwayat', data: { items, next_cursor: null } },
    });
    expect(await history(`user_id=${OWNER.user_id}`)).toEqual(
      page([entry('logout', sid), entry('login_failed', null), entry('login', sid)]),
    );
    expect(await history('store_id=S1')).toEqual(page([entry('logout', sid), entry('login', sid)]));
  });

  it('comes in pages of 100, each event once', async () => {
    for (let n = 0; n < 101; n++) await app.parts.audit.record(app.parts.database, { type: 'login', storeId: 'MANY' });
    const first = pageIn(await history('store_id=MANY'));
    const second = pageIn(await history(`store_id=MANY&cursor=${first.next_cursor}`));
    expect([first.items.length, second.items.length, second.next_cursor]).toEqual([100, 1, null]);
  });

  it('is listed by store or by user', async () => {
    expect(await history('cursor=1')).toMatchObject({
      status: 422,
      body: {
        errors: [
          { field: 'store_id', tag: 'required_without' },
          { field: 'cursor', tag: 'uuid' },
        ],
      },
    });
  });

  it('is read by an index', async () => {
    expectNoSeqScan(await explain(database, auditPage('store_id'), ['S1', null]));
    expectNoSeqScan(await explain(database, auditPage('user_id'), [OWNER.user_id, OWNER.user_id]));
    const now = new Date();
    expectNoSeqScan(await explain(database, ENTRY_BEFORE, [OWNER.user_id, firstIdOf(now), now, 119, 'login']));
  });
});
