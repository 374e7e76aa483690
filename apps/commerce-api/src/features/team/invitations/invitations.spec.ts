import { uuidv7 } from '@platform/runtime';
import { expectNoSeqScan, explain, until } from '@platform/testing';
import { OWNER_ID } from '../../../clients/store-auth.fake';
import { newMember, newStore, useCommerce } from '../../../commerce.fixture';
import { MEMBERS_LIST } from '../members/members.service';
import { INVITATIONS_LIST } from './invitations.service';

const PASSWORD = 'a good passphrase';
const commerce = useCommerce();

interface Body {
  readonly data: { id: string; members: object[]; invitations: object[] };
  readonly code?: string;
}
const ask = async (method: string, path: string, token?: string, body?: object) => {
  const answer = await commerce.call(method, `/api/team${path}`, token, body);
  return { status: answer.status, body: answer.body as Body };
};
const shop = async () => {
  const storeId = await newStore(commerce);
  return { storeId, owner: commerce.storeAuth.userToken({ store_id: storeId }) };
};
const newEmail = () => `${uuidv7()}@toko-nusa.example`;
const view = (email: string) => ({
  ...{ id: expect.any(String) as string, email, role: { id: 'cs', name: 'cs' }, status: 'invited' },
  expires_at: new Date(commerce.clock.now().getTime() + 7 * 86_400_000).toISOString(),
});
const invite = (owner: string, email: string, more: object = {}) =>
  ask('POST', '/invite', owner, { email, role_id: 'cs', ...more });
const linkTo = async (email: string, mails = 1): Promise<string> => {
  const sent = () => commerce.mails.filter(({ to }) => to === email);
  await until(async () => sent().length >= mails);
  return /\/invitation\/(\S+)/.exec(sent()[mails - 1]?.text ?? '')?.[1] ?? '';
};
const accept = (token: string, more: object = { name: 'Budi' }) =>
  ask('POST', '/invitation/accept', undefined, { token, password: PASSWORD, ...more });
const TEAM = `INSERT INTO chat_team (store_id, id, name, kind, private, distribution, created_at, updated_at)
  VALUES ($1, '3', 'CS', 'cs', false, 'manual', $2, $2)`;
const invited = async (more: object = {}) => {
  const { storeId, owner } = await shop();
  await commerce.database.query(TEAM, [storeId, commerce.clock.now()]);
  const email = newEmail();
  const { body } = await invite(owner, email, more);
  return { storeId, owner, email, id: body.data.id, link: await linkTo(email) };
};
const member = (storeId: string, email: string) =>
  commerce.database.query(
    `SELECT m.user_id, m.system_role, m.chat_team_ids, m.status FROM membership m JOIN person p USING (user_id)
     WHERE m.store_id = $1 AND p.email = $2`,
    [storeId, email],
  );
const used = async (storeId: string) =>
  (await commerce.database.query(`SELECT used FROM plan_use WHERE store_id = $1 AND metric = 'staff'`, [storeId]))[0];
const granted = { access_token: 'the-access-token', token_type: 'Bearer', expires_in: 3600 };
const expired = {
  status: 410,
  body: { status: 'error', message: 'The link has expired or was withdrawn', code: 'expired' },
};
const overThePlan = {
  status: 402,
  body: { status: 'error', message: 'The plan allows 3 (staff)', code: 'plan_limit', metric: 'staff', limit: 3 },
};

it('an invitation is as good as who sent it last: one who was disabled or demoted lets nobody in, until another sends it', async () => {
  const { storeId, owner } = await shop();
  const admin = await newMember(commerce, storeId, 'admin');
  const email = newEmail();
  const { body } = await invite(admin.token, email, { role_id: 'admin' });
  const link = await linkTo(email);
  const becomes = (change: string) =>
    commerce.database.query(`UPDATE membership SET ${change} WHERE store_id = $1 AND user_id = $2`, [
      ...[storeId, admin.userId],
    ]);
  await becomes(`status = 'disabled'`);
  expect(await accept(link)).toEqual(expired);
  await becomes(`status = 'active', system_role = 'cs'`);
  expect(await accept(link)).toEqual(expired);
  expect(await member(storeId, email)).toEqual([]);
  commerce.clock.advance(61_000);
  expect((await ask('POST', `/invitation/${body.data.id}/resend`, owner)).status).toBe(200);
  expect(await accept(await linkTo(email, 2))).toEqual({ status: 200, body: granted });
  commerce.clock.advance(-61_000);
});

describe('an invitation', () => {
  it('is listed beside the members, and lets a new user in once, under the role it names', async () => {
    const { storeId, owner, email, id, link } = await invited({ chat_team_ids: ['3'] });
    const team = (await ask('GET', '', owner)).body.data;
    expect(team).toEqual({
      members: [
        {
          ...{ user_id: OWNER_ID, name: 'Sari', email: 'owner@toko-nusa.example', avatar_url: null },
          ...{ role: { id: 'owner', name: 'owner' }, status: 'active' },
        },
      ],
      invitations: [{ ...view(email), id }],
    });
    expect(await accept(link, {})).toMatchObject({
      status: 422,
      body: { errors: { name: ['name is a required field'] } },
    });
    expect(await accept(link)).toEqual({ status: 200, body: granted });
    expect(await member(storeId, email)).toEqual([
      { user_id: id, system_role: 'cs', chat_team_ids: ['3'], status: 'active' },
    ]);
    expect(commerce.storeAuth.users.get(email)).toMatchObject({ nama: 'Budi', unverified: false });
    expect(commerce.storeAuth.pushed.get(`${storeId} ${id}`)).toMatchObject({ role: 'agent', teams: ['3'] });
    expect(await accept(link)).toEqual(expired);
    expect((await ask('GET', '', owner)).body.data.invitations).toEqual([]);
  });

  it('lets an existing user in with their password, whose stores stay theirs', async () => {
    const { storeId, email, link } = await invited();
    commerce.storeAuth.users.set(email, { password: PASSWORD });
    expect(await accept(link, { password: 'another passphrase' })).toMatchObject({
      status: 422,
      body: { errors: { password: ['password is wrong'] } },
    });
    expect(await member(storeId, email)).toEqual([]);
    expect(await accept(link, {})).toEqual({ status: 200, body: granted });
    expect(await member(storeId, email)).toHaveLength(1);
  });

  it('asks a user with a second factor for the code before it gives a token', async () => {
    const { link, email } = await invited();
    commerce.storeAuth.users.set(email, { password: PASSWORD, secondFactor: true });
    expect(await accept(link, {})).toEqual({
      status: 200,
      body: { two_factor: true, challenge: email, expires_in: 300 },
    });
  });

  it('goes on where a request ended that had made the user and no member', async () => {
    const { storeId, email, id, link } = await invited();
    commerce.storeAuth.users.set(email, { password: PASSWORD, id, stores: [], unverified: true });
    expect(await accept(link)).toEqual({ status: 200, body: granted });
    expect(await member(storeId, email)).toHaveLength(1);
  });

  it('accepted twice at once makes one user and one member', async () => {
    for (let round = 0; round < 3; round++) {
      const { storeId, email, link } = await invited();
      const answers = await Promise.all([accept(link), accept(link)]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 410]);
      expect(await member(storeId, email)).toHaveLength(1);
      expect(await used(storeId)).toEqual({ used: 2 });
    }
  });

  it('withdrawn while it is accepted ends as one of the two', async () => {
    for (let round = 0; round < 3; round++) {
      const { storeId, owner, email, id, link } = await invited();
      const [accepted, withdrawn] = await Promise.all([accept(link), ask('DELETE', `/invitation/${id}`, owner)]);
      const members = await member(storeId, email);
      expect([
        [200, 404, 1],
        [410, 200, 0],
      ]).toContainEqual([accepted.status, withdrawn.status, members.length]);
      expect(await used(storeId)).toEqual({ used: 1 + members.length });
    }
  });

  it('sent again voids the first link, at most once a minute', async () => {
    const { owner, email, id, link } = await invited();
    await until(async () => {
      const rows = await commerce.database.query('SELECT 1 FROM invitation WHERE id = $1 AND sent_at IS NOT NULL', [
        id,
      ]);
      return rows.length > 0;
    });
    commerce.clock.advance(61_000);
    expect(await ask('POST', `/invitation/${id}/resend`, owner)).toEqual({
      status: 200,
      body: { status: 'success', message: 'Invitation updated', data: { ...view(email), id } },
    });
    const next = await linkTo(email, 2);
    expect(await accept(link)).toEqual(expired);
    expect((await accept(next)).status).toBe(200);
  });

  it('that is withdrawn or seven days old opens nothing, and neither does a text that is no link', async () => {
    const [withdrawn, old] = [await invited(), await invited()];
    expect(await ask('DELETE', `/invitation/${withdrawn.id}`, withdrawn.owner)).toEqual({
      status: 200,
      body: { status: 'success', message: 'Invitation deleted', data: null },
    });
    await commerce.database.query('UPDATE invitation SET expires_at = $2 WHERE id = $1', [
      old.id,
      commerce.clock.now(),
    ]);
    const [first = '', second = ''] = old.link.split('.');
    for (const link of [withdrawn.link, old.link, `${first}.${second}.${'a'.repeat(43)}`, 'nonsense', "' OR 1=1"])
      expect(await accept(link)).toEqual(expired);
    expect(commerce.storeAuth.users.has(withdrawn.email)).toBe(false);
  });

  it('of another store is not found', async () => {
    const [mine, theirs] = [await shop(), await invited()];
    const missing = { status: 404, body: { status: 'error', message: 'Invitation not found', code: 'not_found' } };
    expect(await ask('DELETE', `/invitation/${theirs.id}`, mine.owner)).toEqual(missing);
    expect(await ask('POST', `/invitation/${theirs.id}/resend`, mine.owner)).toEqual(missing);
    expect((await ask('GET', '', mine.owner)).body.data.invitations).toEqual([]);
    expect((await accept(theirs.link)).status).toBe(200);
  });

  it('is refused for who works here, who is invited, and a role beyond that of the one who invites', async () => {
    const { storeId, owner, email } = await invited();
    const admin = await newMember(commerce, storeId, 'admin');
    expect(await invite(owner, email.toUpperCase())).toMatchObject({ status: 409, body: { code: 'already_invited' } });
    expect(await invite(owner, 'owner@toko-nusa.example')).toMatchObject({
      status: 409,
      body: { code: 'already_member' },
    });
    expect((await invite(admin.token, newEmail(), { role_id: 'finance' })).status).toBe(403);
    expect((await invite(owner, newEmail(), { role_id: 'owner' })).status).toBe(422);
  });

  it('into a suspended store is not accepted', async () => {
    const { storeId, link, email } = await invited();
    await commerce.database.query(`UPDATE store SET status = 'suspended' WHERE store_id = $1`, [storeId]);
    expect(await accept(link)).toMatchObject({ status: 403, body: { code: 'store_suspended' } });
    expect(await member(storeId, email)).toEqual([]);
  });
});

describe('the staff of a plan', () => {
  it('is not exceeded by 20 invitations at once, and one that is withdrawn makes room', async () => {
    const { storeId, owner } = await shop();
    const answers = await Promise.all(Array.from({ length: 20 }, () => invite(owner, newEmail())));
    const made = answers.filter(({ status }) => status === 201);
    expect(made).toHaveLength(2);
    expect(answers.filter(({ status }) => status !== 201)).toEqual(Array.from({ length: 18 }, () => overThePlan));
    expect(await used(storeId)).toEqual({ used: 3 });
    await ask('DELETE', `/invitation/${made[0]?.body.data.id}`, owner);
    expect((await invite(owner, newEmail())).status).toBe(201);
    expect(await invite(owner, newEmail())).toEqual(overThePlan);
  });

  it('has room again when a member is taken out, and more with another plan', async () => {
    const { storeId, owner } = await shop();
    const { userId } = await newMember(commerce, storeId, 'cs');
    await newMember(commerce, storeId, 'cs');
    expect(await invite(owner, newEmail())).toEqual(overThePlan);
    await ask('DELETE', `/${userId}`, owner);
    expect((await invite(owner, newEmail())).status).toBe(201);
    await commerce.database.query('UPDATE plan_use SET allowed = 4 WHERE store_id = $1', [storeId]);
    expect((await invite(owner, newEmail())).status).toBe(201);
    expect((await invite(owner, newEmail())).status).toBe(402);
  });
});

it('the link of an invitation is in its message and nowhere else', async () => {
  const { link } = await invited();
  await accept(link);
  const kept = JSON.stringify([
    await commerce.database.query('SELECT * FROM invitation'),
    await commerce.database.query('SELECT * FROM audit_log'),
    await commerce.database.query('SELECT * FROM commerce_api_jobs._private_jobs'),
  ]);
  const secret = link.split('.')[2] ?? '';
  expect(secret).toHaveLength(43);
  expect([kept.includes(secret), commerce.lines.join('\n').includes(secret)]).toEqual([false, false]);
});

it.each([
  ['members', MEMBERS_LIST],
  ['invitations', INVITATIONS_LIST],
])('the list of %s is read by index', async (_, text) => {
  expectNoSeqScan(await explain(commerce.database, text, ['S1']));
});
