import { until } from '@platform/testing';
import { newApiToken, newMember, newStore, NOW, useCommerce } from '../../../commerce.fixture';
import { OWNER_ID } from '../../../clients/store-auth.fake';

const commerce = useCommerce();

const ask = async (method: string, path: string, token: string, body?: object) => {
  const answer = await commerce.call(method, `/api/team/${path}`, token, body);
  return { status: answer.status, body: answer.body as { data?: { id: string }; code?: string } };
};
const refused = async (asked: Promise<{ status: number; body: { code?: string } }>) => {
  const { status, body } = await asked;
  return [status, body.code];
};
const shop = async () => {
  const storeId = await newStore(commerce);
  const owner = commerce.storeAuth.userToken({ store_id: storeId });
  return { storeId, owner, admin: await newMember(commerce, storeId, 'admin') };
};
const pushed = (storeId: string, userId: string, holds: (told: Record<string, unknown>) => boolean) =>
  until(
    async () => commerce.storeAuth.pushed.get(`${storeId} ${userId}`) as Record<string, unknown> | undefined,
    (told) => told !== undefined && holds(told),
  );
const kasir = (abilities: readonly string[], name = 'Kasir') => ({ name, abilities });

describe('a member', () => {
  it('with another role may do what it says, and store-auth hears what it calls that', async () => {
    const { storeId, owner } = await shop();
    const { userId, token } = await newMember(commerce, storeId, 'cs');
    const role = await ask('POST', 'roles', owner, kasir(['chat.all', 'logs.read']));
    expect((await commerce.call('GET', '/api/logs', token)).status).toBe(403);
    expect(await ask('PUT', userId, owner, { role_id: role.body.data?.id })).toEqual({
      status: 200,
      body: {
        status: 'success',
        message: 'Member updated',
        data: {
          user_id: userId,
          name: null,
          email: null,
          avatar_url: null,
          role: { id: role.body.data?.id, name: 'Kasir' },
          status: 'active',
        },
      },
    });
    expect((await commerce.call('GET', '/api/logs', token)).status).toBe(200);
    await pushed(storeId, userId, (told) => told.role === 'supervisor' && told.status === 'active');
  });

  it('who is disabled is refused with the next request, and store-auth ends the logins', async () => {
    const { storeId, admin } = await shop();
    const { userId, token } = await newMember(commerce, storeId, 'cs');
    expect((await ask('PUT', userId, admin.token, { status: 'disabled' })).status).toBe(200);
    expect((await commerce.call('GET', '/api/store', token)).status).toBe(403);
    await pushed(storeId, userId, (told) => told.status === 'disabled');
    expect((await ask('PUT', userId, admin.token, { status: 'active' })).status).toBe(200);
    expect((await commerce.call('GET', '/api/store', token)).status).toBe(200);
    await pushed(storeId, userId, (told) => told.status === 'active');
  });

  it('keeps the chat teams when the role changes', async () => {
    const { storeId, admin } = await shop();
    const { userId } = await newMember(commerce, storeId, 'cs');
    await commerce.database.query(`UPDATE membership SET chat_team_ids = '{3,4}' WHERE user_id = $1`, [userId]);
    await ask('PUT', userId, admin.token, { role_id: 'warehouse' });
    const told = await pushed(storeId, userId, () => true);
    expect(told).toEqual({ role: 'agent', teams: ['3', '4'], status: 'active', updated_at: expect.any(String) });
  });

  it('who is taken out is gone here and at store-auth', async () => {
    const { storeId, admin } = await shop();
    const { userId, token } = await newMember(commerce, storeId, 'cs');
    expect(await ask('DELETE', userId, admin.token)).toEqual({
      status: 200,
      body: { status: 'success', message: 'Member deleted', data: null },
    });
    expect((await commerce.call('GET', '/api/store', token)).status).toBe(403);
    await pushed(storeId, userId, (told) => told.removed === true);
    expect(await refused(ask('DELETE', userId, admin.token))).toEqual([404, 'not_found']);
  });

  it('who is taken out is gone at store-auth although what they were before was written by a clock that is ahead', async () => {
    const { storeId, owner } = await shop();
    const { userId } = await newMember(commerce, storeId, 'cs');
    commerce.clock.advance(5_000);
    expect((await ask('PUT', userId, owner, { role_id: 'admin' })).status).toBe(200);
    await pushed(storeId, userId, (told) => told.role === 'admin');
    commerce.clock.advance(-4_000);
    expect((await ask('DELETE', userId, owner)).status).toBe(200);
    await pushed(storeId, userId, (told) => told.removed === true);
  });

  it('takes the API tokens along that they made: invited again, they have none of them back', async () => {
    const { storeId, admin } = await shop();
    const { userId } = await newMember(commerce, storeId, 'admin');
    const [theirs, others] = [
      await newApiToken(commerce, storeId, { maker: userId, abilities: ['settings.read'] }),
      await newApiToken(commerce, storeId, { abilities: ['settings.read'] }),
    ];
    const statuses = () =>
      Promise.all([theirs, others].map(async ({ token }) => (await commerce.call('GET', '/api/store', token)).status));
    expect(await statuses()).toEqual([200, 200]);
    await ask('DELETE', userId, admin.token);
    const back = `INSERT INTO membership (store_id, user_id, system_role, created_at, updated_at) VALUES ($1, $2, 'admin', $3, $3)`;
    await commerce.database.query(back, [storeId, userId, NOW]);
    expect(await statuses()).toEqual([401, 200]);
  });

  it('of another store is not found', async () => {
    const [mine, theirs] = [await shop(), await shop()];
    const path = theirs.admin.userId;
    expect(await refused(ask('PUT', path, mine.owner, { status: 'disabled' }))).toEqual([404, 'not_found']);
    expect(await refused(ask('DELETE', path, mine.owner))).toEqual([404, 'not_found']);
  });
});

describe('nobody', () => {
  it('changes or removes the owner, or makes another one', async () => {
    const { storeId, owner, admin } = await shop();
    const { userId } = await newMember(commerce, storeId, 'cs');
    for (const token of [owner, admin.token]) {
      expect(await refused(ask('PUT', OWNER_ID, token, { status: 'disabled' }))).toEqual([409, 'is_owner']);
      expect(await refused(ask('DELETE', OWNER_ID, token))).toEqual([409, 'is_owner']);
      expect(await refused(ask('PUT', userId, token, { role_id: 'owner' }))).toEqual([422, 'validation']);
    }
  });

  it('gives a role that allows more than they may do themselves', async () => {
    const { storeId, owner, admin } = await shop();
    const { userId } = await newMember(commerce, storeId, 'cs');
    expect(await refused(ask('PUT', userId, admin.token, { role_id: 'finance' }))).toEqual([403, 'forbidden']);
    expect(await refused(ask('PUT', admin.userId, admin.token, { role_id: 'finance' }))).toEqual([403, 'forbidden']);
    expect((await ask('PUT', userId, owner, { role_id: 'finance' })).status).toBe(200);
  });

  it('gives a role of another store, or one that does not exist', async () => {
    const [mine, theirs] = [await shop(), await shop()];
    const role = await ask('POST', 'roles', theirs.owner, kasir(['order.read']));
    const { userId } = mine.admin;
    const foreign = { role_id: role.body.data?.id };
    expect(await refused(ask('PUT', userId, mine.owner, foreign))).toEqual([404, 'not_found']);
    for (const role_id of ['nothing', "' OR 1=1"])
      expect(await refused(ask('PUT', userId, mine.owner, { role_id }))).toEqual([422, 'validation']);
    const path = `roles/${role.body.data?.id}`;
    expect(await refused(ask('PUT', path, mine.owner, kasir([])))).toEqual([404, 'not_found']);
    expect(await refused(ask('DELETE', path, mine.owner))).toEqual([404, 'not_found']);
  });
});

/** Who has `team.manage`, and little else, before what they could give themselves through somebody else. */
describe('whoever manages the team and may do less than others', () => {
  const LITTLE = ['team.manage', 'order.read'];
  const GRANT = [403, 'forbidden'];
  const GIVEN = [200, undefined];
  interface Scene {
    readonly disabled: string;
    readonly equal: string;
    readonly working: string;
    readonly greater: string;
    readonly lesser: string;
    readonly invitation: string;
  }
  type Case = readonly [what: string, asked: (scene: Scene) => readonly [string, string, object?], answer: unknown[]];
  const cases: readonly Case[] = [
    ['enables one with a greater role', ({ disabled }) => ['PUT', disabled, { status: 'active' }], GRANT],
    [
      'enables one with a greater role and gives that role again',
      ({ disabled, greater }) => ['PUT', disabled, { status: 'active', role_id: greater }],
      GRANT,
    ],
    [
      'enables one and gives a lesser role with it',
      ({ disabled, lesser }) => ['PUT', disabled, { status: 'active', role_id: lesser }],
      GIVEN,
    ],
    ['enables one with a role like their own', ({ equal }) => ['PUT', equal, { status: 'active' }], GIVEN],
    [
      'gives a greater role to one who stays disabled',
      ({ equal, greater }) => ['PUT', equal, { role_id: greater }],
      GRANT,
    ],
    [
      'says that one with a greater role works, who does',
      ({ working }) => ['PUT', working, { status: 'active' }],
      GIVEN,
    ],
    ['disables one with a greater role', ({ working }) => ['PUT', working, { status: 'disabled' }], GIVEN],
    ['takes a greater role away', ({ working, lesser }) => ['PUT', working, { role_id: lesser }], GIVEN],
    ['removes one with a greater role', ({ working }) => ['DELETE', working], GIVEN],
    [
      'invites to a greater role',
      ({ greater }) => ['POST', 'invite', { email: 'x@y.example', role_id: greater }],
      GRANT,
    ],
    [
      'sends the invitation to a greater role again',
      ({ invitation }) => ['POST', `invitation/${invitation}/resend`],
      GRANT,
    ],
    ['withdraws the invitation to a greater role', ({ invitation }) => ['DELETE', `invitation/${invitation}`], GIVEN],
    ['makes a greater role', () => ['POST', 'roles', kasir(['settings.write'], 'Baru')], GRANT],
    [
      'makes their own role greater',
      ({ lesser }) => ['PUT', `roles/${lesser}`, kasir([...LITTLE, 'logs.read'])],
      GRANT,
    ],
  ];
  it.each(cases)('%s', async (_, asked, answer) => {
    const { storeId, owner } = await shop();
    await commerce.database.query(
      `INSERT INTO plan_use (store_id, metric, used, allowed) VALUES ($1, 'staff', 1, 50)`,
      [storeId],
    );
    const roleOf = async (abilities: readonly string[], name: string) =>
      (await ask('POST', 'roles', owner, kasir(abilities, name))).body.data?.id ?? '';
    const [lesser, greater] = [await roleOf(LITTLE, 'Kecil'), await roleOf([...LITTLE, 'settings.write'], 'Besar')];
    const member = async (role_id: string, status: string) => {
      const made = await newMember(commerce, storeId, 'cs');
      expect((await ask('PUT', made.userId, owner, { role_id, status })).status).toBe(200);
      return made;
    };
    const manager = await member(lesser, 'active');
    const disabled = await member(greater, 'disabled');
    const equal = await member(lesser, 'disabled');
    const working = await member(greater, 'active');
    const invited = await ask('POST', 'invite', owner, { email: 'z@y.example', role_id: greater });
    const scene = {
      ...{ disabled: disabled.userId, equal: equal.userId, working: working.userId, lesser, greater },
      invitation: invited.body.data?.id ?? '',
    };
    const [method, path, body] = asked(scene);
    expect(await refused(ask(method, path, manager.token, body))).toEqual(answer);
  });
});

describe('a role', () => {
  it('of every store cannot be changed or deleted, and its name is taken', async () => {
    const { owner } = await shop();
    expect(await refused(ask('PUT', 'roles/cs', owner, kasir([])))).toEqual([409, 'system_role']);
    expect(await refused(ask('DELETE', 'roles/owner', owner))).toEqual([409, 'system_role']);
    expect(await refused(ask('POST', 'roles', owner, kasir([], 'Admin')))).toEqual([409, 'name_taken']);
  });

  it('has a name of its own in its store, however it is written, and may have the name of one elsewhere', async () => {
    const [mine, theirs] = [await shop(), await shop()];
    expect((await ask('POST', 'roles', mine.owner, kasir([]))).status).toBe(201);
    expect((await ask('POST', 'roles', theirs.owner, kasir([]))).status).toBe(201);
    expect(await refused(ask('POST', 'roles', mine.owner, kasir([], 'KASIR')))).toEqual([409, 'name_taken']);
  });

  it('that somebody has is not deleted, also when both happen at once', async () => {
    for (let round = 0; round < 5; round++) {
      const { owner, admin, storeId } = await shop();
      const { userId } = await newMember(commerce, storeId, 'cs');
      const role = await ask('POST', 'roles', owner, kasir(['order.read']));
      const id = role.body.data?.id ?? '';
      const [given, deleted] = await Promise.all([
        ask('PUT', userId, owner, { role_id: id }),
        ask('DELETE', `roles/${id}`, admin.token),
      ]);
      expect([
        [200, 409],
        [404, 200],
      ]).toContainEqual([given.status, deleted.status]);
    }
  });

  it('is given nothing that its maker lacks, but keeps what others gave it', async () => {
    const { owner, admin } = await shop();
    expect(await refused(ask('POST', 'roles', admin.token, kasir(['wallet.withdraw'])))).toEqual([403, 'forbidden']);
    const role = await ask('POST', 'roles', owner, kasir(['wallet.withdraw']));
    const path = `roles/${role.body.data?.id}`;
    expect((await ask('PUT', path, admin.token, kasir(['wallet.withdraw', 'order.read']))).status).toBe(200);
    expect(await refused(ask('PUT', path, admin.token, kasir(['wallet.withdraw', 'token.write'])))).toEqual([
      403,
      'forbidden',
    ]);
    expect(await refused(ask('POST', 'roles', owner, kasir(['wallet.charge'], 'X')))).toEqual([422, 'validation']);
  });
});

it('of two admins who demote each other at once one stays', async () => {
  for (let round = 0; round < 5; round++) {
    const { storeId, admin } = await shop();
    const other = await newMember(commerce, storeId, 'admin');
    const answers = await Promise.all([
      ask('PUT', other.userId, admin.token, { role_id: 'cs' }),
      ask('PUT', admin.userId, other.token, { role_id: 'cs' }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403]);
  }
});

it('what was done to members and roles is in the log, by whom', async () => {
  const { storeId, admin } = await shop();
  const { userId } = await newMember(commerce, storeId, 'cs');
  await ask('PUT', userId, admin.token, { role_id: 'warehouse' });
  const { body } = await commerce.call('GET', '/api/logs', admin.token);
  expect((body as { data: object[] }).data).toEqual([
    {
      id: expect.any(String),
      at: commerce.clock.now().toISOString(),
      actor: { id: admin.userId, name: admin.userId, kind: 'user' },
      action: 'team.manage',
      subject: { type: 'member', id: userId },
      diff: { role: { from: 'cs', to: 'warehouse' } },
      ip: expect.stringMatching(/127\.0\.0\.1$/),
    },
  ]);
});
