// Who works in the shop, in a browser: members, invitations and roles.
import { until } from '@platform/testing';
import { useCommerce } from '../../../commerce.fixture';
import { signedIn } from '../../../web/browser.fixture';

const commerce = useCommerce();
const shop = async () => {
  const owner = await signedIn(commerce);
  const { browser: _browser, ...cs } = await signedIn(commerce, 'cs', owner.storeId);
  return { ...owner, cs };
};
const roleOf = async (storeId: string, userId: string) =>
  (
    await commerce.database.query<{ system_role: string; status: string }>(
      'SELECT system_role, status FROM membership WHERE store_id = $1 AND user_id = $2',
      [storeId, userId],
    )
  )[0];

describe('an invitation', () => {
  it('is sent once however often its form is, is named when it is there already, and withdrawn', async () => {
    const { browser, storeId } = await shop();
    await browser.get('/team');
    const email = `budi-${storeId}@toko-nusa.example`;
    const fields = { action: 'invite', email, role_id: 'warehouse' };
    const [one, other] = await Promise.all([browser.post('/team', fields), browser.post('/team', fields)]);
    expect([one.status, other.status].filter((status) => status !== 303 && status !== 409)).toEqual([]);
    const { text } = await browser.get('/team');
    expect(text.split(email)).toHaveLength(text.includes(`dikirim ke ${email}`) ? 3 : 2);
    await until(async () => commerce.mails.find(({ to }) => to === email));
    const again = await browser.post('/team', fields);
    expect([again.status, again.text.includes('sudah diundang')]).toEqual([409, true]);
    expect(again.text).toContain(`value="${email}"`);
    const id = /name="action" value="withdraw\.([^"]+)"/.exec(again.text)?.[1] ?? '';
    expect((await browser.post('/team', { action: `withdraw.${id}`, id })).status).toBe(303);
    expect((await browser.get('/team')).text).toContain('Tidak ada undangan yang menunggu.');
  });
});

describe('whoever is invited', () => {
  const team = 'team-of-customers';
  const invited = async (role_id: string, chat_team_ids?: string) => {
    const { browser, storeId } = await shop();
    await commerce.database.query(
      `INSERT INTO chat_team (store_id, id, name, kind, private, distribution, created_at, updated_at)
       VALUES ($1, $2, 'CS', 'cs', true, 'manual', now(), now())`,
      [storeId, team],
    );
    const { text } = await browser.get('/team');
    const email = `seat-${storeId}@toko-nusa.example`;
    const { status } = await browser.post('/team', {
      ...{ action: 'invite', email, role_id },
      ...(chat_team_ids && { chat_team_ids }),
    });
    const [row] = await commerce.database.query<{ teams: string[] }>(
      'SELECT chat_team_ids AS teams FROM invitation WHERE store_id = $1',
      [storeId],
    );
    return { text, status, teams: row?.teams };
  };

  it('is offered the team that serves customers, and gets its chats', async () => {
    const { text, status, teams } = await invited('cs', team);
    expect(text).toMatch(new RegExp(`<input[^>]*name="chat_team_ids"[^>]*value="${team}"[^>]*checked`));
    expect([status, teams]).toEqual([303, [team]]);
  });

  it('to work where nobody answers customers gets no chats, whatever was ticked', async () => {
    expect(await invited('finance', team)).toMatchObject({ status: 303, teams: [] });
  });
});

it('who answers customers and is in no chat team is named as one to whom no chat comes', async () => {
  const { browser, storeId, cs } = await shop();
  expect((await browser.get('/team')).text).toContain('Belum masuk tim chat, jadi tidak ada chat untuk');
  await commerce.database.query(`UPDATE membership SET chat_team_ids = '{3}' WHERE store_id = $1 AND user_id = $2`, [
    ...[storeId, cs.userId],
  ]);
  expect((await browser.get('/team')).text).not.toContain('Belum masuk tim chat');
});

it('who has sent sixty invitations in an hour sends no more, and still disables and removes members', async () => {
  const { browser, storeId, cs } = await shop();
  await browser.get('/team');
  const statuses = new Set<number>();
  for (let n = 0; n < 60; n++) statuses.add((await browser.post('/team', { action: 'invite', email: '' })).status);
  const over = await browser.post('/team', { action: 'invite', email: 'budi@toko-nusa.example', role_id: 'cs' });
  expect([[...statuses], over.status]).toEqual([[422], 429]);
  await browser.get(`/team?id=${cs.userId}`);
  const disabled = { action: 'save', id: cs.userId, role_id: 'cs', status: 'disabled' };
  expect((await browser.post('/team', disabled)).status).toBe(303);
  await browser.get('/team');
  expect((await browser.post('/team', { action: 'remove', id: cs.userId })).status).toBe(303);
  expect(await roleOf(storeId, cs.userId)).toBeUndefined();
});

describe('a member', () => {
  it('gets another role, is disabled, and taken out; the owner is not', async () => {
    const { browser, storeId, userId, cs } = await shop();
    await browser.get(`/team?id=${cs.userId}`);
    const save = { action: 'save', id: cs.userId, role_id: 'finance', status: 'disabled' };
    expect((await browser.post('/team', save)).location).toBe('/team');
    expect(await roleOf(storeId, cs.userId)).toEqual({ system_role: 'finance', status: 'disabled' });
    await browser.get('/team');
    expect((await browser.get(`/team?id=${userId}`)).status).toBe(404);
    await browser.get(`/team?id=${cs.userId}`);
    const owner = await browser.post('/team', { ...save, id: userId });
    expect([owner.status, owner.text.includes('Pemilik toko tidak bisa diubah.')]).toEqual([409, true]);
    expect((await browser.post('/team', { action: 'remove', id: cs.userId })).status).toBe(303);
    expect(await roleOf(storeId, cs.userId)).toBeUndefined();
  });

  it('of another store is nobody', async () => {
    const { cs } = await shop();
    const other = await shop();
    expect((await other.browser.get(`/team?id=${cs.userId}`)).status).toBe(404);
    await other.browser.get('/team');
    const { status } = await other.browser.send('/team', {
      ...{ ...other.browser.hidden('/team'), action: 'remove', id: cs.userId },
    });
    expect(status).toBe(404);
    expect(await roleOf(cs.storeId, cs.userId)).toMatchObject({ status: 'active' });
  });

  it('who is admin gives no role that allows more than they may', async () => {
    const { storeId, cs } = await shop();
    const { browser } = await signedIn(commerce, 'admin', storeId);
    const { text } = await browser.get(`/team?id=${cs.userId}`);
    expect([text.includes('value="warehouse"'), text.includes('value="finance"')]).toEqual([true, false]);
    const tried = await browser.post('/team', { action: 'save', id: cs.userId, role_id: 'finance', status: 'active' });
    expect(tried.status).toBe(403);
    expect(await roleOf(storeId, cs.userId)).toMatchObject({ system_role: 'cs' });
  });
});

describe('an open form', () => {
  const seenIn = (text: string): string => /name="seen" value="([^"]+)"/.exec(text)?.[1] ?? '';

  it('of an admin takes away what they could not give: somebody in finance is disabled', async () => {
    const { storeId } = await shop();
    const finance = await signedIn(commerce, 'finance', storeId);
    const { browser } = await signedIn(commerce, 'admin', storeId);
    await browser.get(`/team?id=${finance.userId}`);
    const fields = { action: 'save', id: finance.userId, role_id: 'finance' };
    expect((await browser.post('/team', { ...fields, status: 'disabled' })).status).toBe(303);
    expect(await roleOf(storeId, finance.userId)).toMatchObject({ system_role: 'finance', status: 'disabled' });
    await browser.get(`/team?id=${finance.userId}`);
    expect((await browser.post('/team', { ...fields, status: 'active' })).status).toBe(403);
  });

  it('lets in nobody who was disabled meanwhile, and gives back no ability that a role has lost', async () => {
    const { storeId, browser, cs } = await shop();
    const stale = await browser.get(`/team?id=${cs.userId}`);
    const saved = { action: 'save', id: cs.userId };
    await browser.post('/team', { ...saved, role_id: 'cs', status: 'disabled' });
    await browser.get(`/team?id=${cs.userId}`);
    const late = {
      ...browser.hidden('/team'),
      ...saved,
      seen: seenIn(stale.text),
      role_id: 'warehouse',
      status: 'active',
    };
    expect((await browser.post('/team', late)).status).toBe(409);
    expect(await roleOf(storeId, cs.userId)).toMatchObject({ system_role: 'cs', status: 'disabled' });
    await browser.get('/roles');
    await browser.post('/roles', { action: 'create', name: 'Kasir', abilities: 'order.refund' });
    const id = /\/roles\?id=([^"]+)">Kasir/.exec((await browser.get('/roles')).text)?.[1] ?? '';
    const open = await browser.get(`/roles?id=${id}`);
    await browser.post('/roles', { action: 'save', id, name: 'Kasir' });
    await browser.get(`/roles?id=${id}`);
    const again = { action: 'save', id, name: 'Kasir toko', abilities: 'order.refund', seen: seenIn(open.text) };
    expect((await browser.post('/roles', again)).status).toBe(409);
  });
});

describe('a role', () => {
  it('is made of boxes, changed, and deleted while nobody has it', async () => {
    const { browser, cs } = await shop();
    await browser.get('/roles');
    const fields = { action: 'create', name: 'Kasir <b>', abilities: 'order.read' };
    expect((await browser.post('/roles', fields)).status).toBe(303);
    const { text } = await browser.get('/roles');
    const id = /\/roles\?id=([^"]+)">Kasir &lt;b>/.exec(text)?.[1] ?? '';
    await browser.get('/roles');
    const taken = await browser.post('/roles', fields);
    expect([taken.status, taken.text.includes('Nama peran ini sudah dipakai.')]).toEqual([409, true]);
    expect(taken.text).toMatch(/value="order\.read" checked/);
    await browser.get(`/roles?id=${id}`);
    expect((await browser.post('/roles', { action: 'save', id, name: 'Kasir' })).status).toBe(303);
    await browser.get(`/team?id=${cs.userId}`);
    await browser.post('/team', { action: 'save', id: cs.userId, role_id: id, status: 'active' });
    await browser.get(`/roles?id=${id}`);
    const used = await browser.post('/roles', { action: 'remove', id });
    expect([used.status, used.text.includes('masih dipakai')]).toEqual([409, true]);
    expect(used.text).toContain('<h2>Kasir</h2>');
  });

  it('is one of a hundred at most, of many at once', async () => {
    const { browser, storeId } = await shop();
    const rows = `INSERT INTO role (store_id, id, name, abilities, created_at, updated_at)
      SELECT $1, gen_random_uuid(), 'R' || n, '{}', now(), now() FROM generate_series(1, 97) n`;
    await commerce.database.query(rows, [storeId]);
    await browser.get('/roles');
    const { _csrf = '' } = browser.hidden('/roles');
    const made = await Promise.all(
      [1, 2, 3, 4, 5].map((n) => browser.send('/roles', { _csrf, action: 'create', name: `Kasir ${n}` })),
    );
    expect(made.map(({ status }) => status).sort()).toEqual([303, 303, 303, 409, 409]);
    expect(made.find(({ status }) => status === 409)?.text).toContain('Toko sudah punya 100 peran sendiri.');
  });

  it('of every shop is shown, and cannot be changed', async () => {
    const { browser } = await shop();
    const { text } = await browser.get('/roles?id=warehouse');
    expect([text.includes('Mengatur gudang'), text.includes('value="save"')]).toEqual([true, false]);
    expect((await browser.get('/roles?id=nobody')).status).toBe(404);
  });
});
