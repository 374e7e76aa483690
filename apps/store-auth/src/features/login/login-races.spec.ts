import { sidHashOf } from '@platform/auth';
import type { Sql } from '@platform/data';
import { until, lockWaiters } from '@platform/testing';
import { decodeJwt } from 'jose';
import { OWNER, PASSWORD, useTwoApps, type Answer } from '../../app.fixture';

const RACES = 200;
const LANES = 8;
const MOMENTS = 50;
const NEXT_PASSWORD = 'the next good password';
const { app, database, other, headers } = useTwoApps();

beforeEach(async () => {
  await database.query(`DELETE FROM memberships WHERE user_id::text LIKE '%-0000000f____'`);
  await database.query(`DELETE FROM users WHERE id::text LIKE '%-0000000f____'`);
  await database.query(
    `WITH racers AS (
       INSERT INTO users (id, email, nama, password_hash, email_verified_at)
       SELECT ('0190b5a0-0000-7000-8000-0000000f' || lpad(n::text, 4, '0'))::uuid, 'racer' || n || '@toko-nusa.example', 'R', $1, now()
       FROM generate_series(0, $2 - 1) n RETURNING id)
     INSERT INTO memberships (store_id, user_id, role) SELECT 'S1', id, 'admin' FROM racers`,
    [await app.parts.passwords.hash(PASSWORD), RACES],
  );
});

const idOf = (racer: number) => `0190b5a0-0000-7000-8000-0000000f${String(racer).padStart(4, '0')}`;
const login = (racer: number) =>
  app.post('/api/login', { email: `racer${racer}@toko-nusa.example`, password: PASSWORD });
const tokenOf = ({ status, body }: Answer): string[] =>
  status === 200 ? [(body as { data: { token: string } }).data.token] : [];

const reset = async (racer: number) => {
  const issued = await other.post(
    '/internal/verification-codes',
    { user_id: idOf(racer), purpose: 'reset_password' },
    headers,
  );
  const { code_id, code } = (issued.body as { data: { code_id: string; code: string } }).data;
  const body = { code_id, code, purpose: 'reset_password', password: NEXT_PASSWORD };
  return other.post('/internal/verification-codes/consume', body, headers);
};
const changePassword = (racer: number) =>
  other.put(
    `/internal/users/${idOf(racer)}/password`,
    { password: NEXT_PASSWORD, current_password: PASSWORD },
    headers,
  );
const disable = (racer: number) => other.put(`/internal/users/${idOf(racer)}`, { status: 'disabled' }, headers);
const place = (racer: number, change: object) =>
  other.put(
    `/internal/memberships/S1/${idOf(racer)}`,
    { role: 'admin', teams: [], status: 'active', updated_at: new Date(Date.now() + 60_000).toISOString(), ...change },
    headers,
  );
const demote = (racer: number) => place(racer, { role: 'agent' });
const suspendThere = (racer: number) => place(racer, { status: 'disabled' });
const remove = (racer: number) =>
  other.delete(
    `/internal/memberships/S1/${idOf(racer)}`,
    { updated_at: new Date(Date.now() + 60_000).toISOString() },
    headers,
  );

/** Tokens with outdated rights: their login is not revoked, and their role differs from the stored one. */
const survivors = async (tokens: readonly string[]): Promise<string[]> => {
  const rows = await database.query<{ sid_hash: string; role: string }>(
    `SELECT s.sid_hash, m.role FROM auth_sessions s
       JOIN users u ON u.id = s.user_id JOIN memberships m ON m.user_id = s.user_id AND m.store_id = s.store_id
     WHERE s.revoked_at IS NULL`,
  );
  const now = new Map(rows.map(({ sid_hash, role }) => [sid_hash, role]));
  return tokens.filter((token) => {
    const { sid, role } = decodeJwt(token);
    const stored = now.get(sidHashOf(String(sid)));
    return stored !== undefined && (role !== 'agent' || stored !== 'agent');
  });
};

const gate = () => {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  let reach!: () => void;
  const reached = new Promise<void>((resolve) => (reach = resolve));
  return { open, opened, reach, reached };
};

/** A login whose password was right a moment ago; it waits for the call that lets it go on. */
const checkedLogin = async () => {
  const { open, opened, reach, reached } = gate();
  const matches = app.parts.passwords.matches.bind(app.parts.passwords);
  const held = jest.spyOn(app.parts.passwords, 'matches').mockImplementationOnce(async (stored, password) => {
    const answer = await matches(stored, password);
    reach();
    await opened;
    return answer;
  });
  const answering = login(0).finally(() => held.mockRestore());
  await reached;
  return () => {
    open();
    return answering;
  };
};

const CHANGES = [
  ['reset', reset],
  ['changed password', changePassword],
  ['disabling', disable],
  ['demotion', demote],
  ['disabled membership', suspendThere],
  ['removal', remove],
] as const;

describe('a login in progress', () => {
  it.each(CHANGES.filter(([name]) => name !== 'demotion'))(
    'whose password was right before the %s is refused after it, and leaves no login',
    async (_, change) => {
      const goOn = await checkedLogin();
      expect((await change(0)).status).toBe(200);
      const { status, body } = await goOn();
      expect({ status, body }).toEqual({
        status: 401,
        body: { status: 'error', message: 'email atau password salah' },
      });
      expect(await database.query('SELECT * FROM auth_sessions WHERE revoked_at IS NULL')).toEqual([]);
    },
  );

  it('gets the new role when a demotion comes in between', async () => {
    const goOn = await checkedLogin();
    await demote(0);
    const [token = ''] = tokenOf(await goOn());
    expect(decodeJwt(token)).toMatchObject({ role: 'agent' });
  });

  it.each(CHANGES)('that is stored during the %s does not survive it', async (_, change) => {
    const { open, opened, reach, reached } = gate();
    const insert = app.parts.sessions.insert.bind(app.parts.sessions);
    let storing: Sql = database;
    const held = jest.spyOn(app.parts.sessions, 'insert').mockImplementationOnce(async (tx, session) => {
      storing = tx;
      reach();
      await opened;
      return insert(tx, session);
    });
    const answering = login(0);
    await reached;
    let changed = false;
    const changing = change(0).finally(() => (changed = true));
    await until(async () => changed || (await lockWaiters(storing)) > 0);
    open();
    const [answer, { status }] = await Promise.all([answering, changing]);
    held.mockRestore();
    expect(status).toBe(200);
    expect(await survivors(tokenOf(answer))).toEqual([]);
  });
});

it.each([
  ['reset', reset],
  ['disabling', disable],
  ['demotion', demote],
  ['removal', remove],
] as const)(`no login survives the %s in any of ${RACES} races`, async (_, change) => {
  const tokens: string[] = [];
  // Each race begins at a different moment of the first login
  const race = async (racer: number) => {
    const logins = [login(racer)];
    for (let turn = 0; turn < racer % MOMENTS; turn++) await new Promise(setImmediate);
    const changing = change(racer);
    logins.push(login(racer));
    for (const answer of await Promise.all(logins)) tokens.push(...tokenOf(answer));
    expect((await changing).status).toBe(200);
  };
  const lane = async (first: number) => {
    for (let racer = first; racer < RACES; racer += LANES) await race(racer);
  };
  await Promise.all(Array.from({ length: LANES }, (__, first) => lane(first)));
  expect(tokens.length).toBeGreaterThan(0);
  expect({ survivors: (await survivors(tokens)).length }).toEqual({ survivors: 0 });
});

it('a revocation leaves the logins of other users alone', async () => {
  await reset(0);
  expect((await app.post('/api/login', { email: OWNER.email, password: PASSWORD })).status).toBe(200);
});
