// What browsers are told, read by a push service that decrypts it.
import { hostileTexts, until, useRunning } from '@platform/testing';
import { startPushSandbox, type PushSandbox } from '@platform/testing/push';
import { deadlocksOf, startCommerce, type Commerce } from '../../../commerce.fixture';
import { startSecondProcess } from '../../../second-process.fixture';
import { noticeOf, tell } from '../notifications.fixture';
import { allPushed, browsersOf, newsOf, pushSettingsFor, pushShop } from './push.fixture';

const startSandbox = async () => {
  const started = await startPushSandbox({ port: 0 });
  return Object.assign(started, { stop: () => started.close() });
};
const sandbox: PushSandbox = useRunning(startSandbox);
const hanging: PushSandbox = useRunning(startSandbox);
let settings: Readonly<Record<string, string>>;
const commerce: Commerce = useRunning(() => {
  const hosts = [sandbox, hanging].map(({ url }) => new URL(url).host).join(',');
  settings = { ...pushSettingsFor(sandbox), PUSH_ALLOW_HOSTS: hosts };
  return startCommerce(settings);
});
const shop = (at = sandbox) => pushShop({ commerce, sandbox: at });
beforeEach(() => sandbox.fault('none'));

describe('a message of a customer', () => {
  it('is told by its title and what leads to the chat, without its text until its member wants that', async () => {
    const { storeId, member, give, tellChat } = await shop();
    const rina = await member();
    expect(await tellChat([rina.userId])).toBe(1);
    await until(() => newsOf(sandbox, rina.browser).length === 1);
    const [news] = newsOf(sandbox, rina.browser);
    const id = Buffer.from(JSON.stringify(['dev1', '6281230001111', '3', `${storeId}.c1`])).toString('base64url');
    expect(news).toEqual({
      ...{ title: 'Budi', body: 'Pesan baru menunggu balasan', url: `/chats/${id}` },
      tag: expect.stringMatching(/^[\w-]{32}$/) as string,
    });
    expect(sandbox.messages.find(({ browser }) => browser === rina.browser.id)).toMatchObject({
      ...{ topic: news?.tag, urgency: 'high', ttl: 43_200, subject: 'mailto:push@toko.example' },
    });
    await give(rina.token, { push_content: true });
    // By whoever hides the number
    await tellChat([rina.userId], { id: 'told:message:M2', nohp: `ID.ENT.${'1'.repeat(128)}@bsuid` });
    await until(() => newsOf(sandbox, rina.browser).length === 2);
    expect(newsOf(sandbox, rina.browser)[1]?.body).toBe('Ada ukuran 42?');
  });

  it.each([
    ['assigned', 'Chat ini diserahkan kepada Anda'],
    ['moved', 'Chat ini dipindahkan ke tim Anda'],
    ['help', 'Rekan meminta bantuan Anda di chat ini'],
  ])('says so when something is done with a chat: %s', async (about, said) => {
    const { member, give, tellChat } = await shop();
    const rina = await member();
    for (const shows of [false, true]) {
      await give(rina.token, { push_content: shows });
      await tellChat([rina.userId], { id: `told:${about}:${String(shows)}`, about });
      await allPushed(commerce);
    }
    expect(newsOf(sandbox, rina.browser).map(({ body }) => body)).toEqual([said, `${said}: Ada ukuran 42?`]);
  });

  it('is told of help that is asked of its member or their team with the chat of another team, and of nothing else of that', async () => {
    const { member, tellChat } = await shop();
    const rina = await member();
    const asked = [{ about: 'help' }, { about: 'help', asked: '3' }, { about: 'help', asked: '8' }, { about: 'moved' }];
    for (const [n, more] of asked.entries()) {
      await tellChat([rina.userId], { ...more, id: `told:${n}`, team: '8' });
      await allPushed(commerce);
    }
    expect(newsOf(sandbox, rina.browser)).toHaveLength(2);
  });

  it('is told once however often chat-backend tells it, and fifty of one chat are one on the screen', async () => {
    const { member, tellChat } = await shop();
    const rina = await member();
    const told = await Promise.all(Array.from({ length: 5 }, () => tellChat([rina.userId])));
    expect(told.toSorted()).toEqual([0, 0, 0, 0, 1]);
    await allPushed(commerce);
    expect(newsOf(sandbox, rina.browser)).toHaveLength(1);
    for (let n = 0; n < 50; n += 1) await tellChat([rina.userId], { id: `told:message:N${n}` });
    await allPushed(commerce);
    expect(sandbox.shown(rina.browser.id)).toHaveLength(1);
    expect(new Set(newsOf(sandbox, rina.browser).map(({ tag }) => tag)).size).toBe(1);
  });

  it('is told beside others of the same chats, in whatever order they come, and nobody waits in a circle', async () => {
    const { storeId, member, tellChats } = await shop();
    const team = [await member(), await member()].map(({ userId }) => userId);
    const before = await deadlocksOf(commerce);
    const chats = Array.from({ length: 8 }, (_, n) => `${storeId}.c${n}`);
    // Sorted by their ids they stand in the order that is given here
    const told = (batch: string, inOrder: readonly string[], users: readonly string[]) =>
      users
        .flatMap((user) => inOrder.map((chatId) => ({ chatId, users: [user] })))
        .map((one, n) => ({ ...one, id: `told:message:${batch}.${String(n).padStart(2, '0')}` }));
    for (let round = 0; round < 3; round += 1) {
      const there = tellChats(told(`there${round}`, chats, team));
      const back = tellChats(told(`back${round}`, chats.toReversed(), team.toReversed()));
      expect(await Promise.all([there, back])).toEqual([16, 16]);
    }
    expect((await deadlocksOf(commerce)) - before).toBe(0);
    await allPushed(commerce);
  });

  it('is told to nobody who was not named, does not see the team, may answer nobody, or wants no push', async () => {
    const { member, owner, give, tellChat, storeId } = await shop();
    const [named, other, elsewhere] = [await member(), await member(), await member('cs', ['4'])];
    const [packer, quiet] = [await member('warehouse'), await member()];
    await commerce.database.query(
      `INSERT INTO chat_team (store_id, id, name, kind, private, distribution, created_at, updated_at)
       VALUES ($1, '3', 'CS', 'cs', true, 'manual', now(), now())`,
      [storeId],
    );
    expect((await give(quiet.token, { 'chat.message': { push: false } })).status).toBe(200);
    await tellChat([named, elsewhere, packer, quiet, owner].map(({ userId }) => userId));
    await allPushed(commerce);
    const heard = [named, other, elsewhere, packer, quiet].map(({ browser }) => newsOf(sandbox, browser).length);
    expect(heard).toEqual([1, 0, 0, 0, 0]);
  });

  it.each([
    ['has lost the team', `UPDATE membership SET chat_team_ids = '{}' WHERE user_id = $1`],
    ['was disabled', `UPDATE membership SET status = 'disabled' WHERE user_id = $1`],
    ['was removed', 'DELETE FROM membership WHERE user_id = $1'],
    ['has another role', `UPDATE membership SET system_role = 'warehouse' WHERE user_id = $1`],
  ])('is told to nobody who %s between the message and the push', async (_, change) => {
    const { member, tellChat } = await shop();
    const rina = await member();
    sandbox.fault('error', rina.browser.id);
    await tellChat([rina.userId]);
    await until(async () => (await commerce.database.query(TRIED, [1])).length > 0);
    await commerce.database.query(change, [rina.userId]);
    sandbox.fault('none', rina.browser.id);
    await allPushed(commerce);
    expect(newsOf(sandbox, rina.browser)).toEqual([]);
  });

  it('is told to nobody who sits before the browser of whom it was for', async () => {
    const { member, subscribe, tellChat } = await shop();
    const [rina, siti] = [await member(), await member()];
    sandbox.fault('error', rina.browser.id);
    await tellChat([rina.userId], { about: 'assigned' });
    await until(async () => (await commerce.database.query(TRIED, [1])).length > 0);
    expect((await subscribe(siti.token, rina.browser)).status).toBe(200);
    sandbox.fault('none', rina.browser.id);
    await allPushed(commerce);
    expect(newsOf(sandbox, rina.browser)).toEqual([]);
    await tellChat([siti.userId], { id: 'told:message:own' });
    await until(() => newsOf(sandbox, rina.browser).length === 1);
  });
  const TRIED = `SELECT 1 FROM commerce_api_jobs._private_jobs j JOIN commerce_api_jobs._private_tasks t ON t.id = j.task_id
    WHERE t.identifier = 'push.send' AND j.attempts >= $1 AND j.locked_at IS NULL`;

  it('whatever stands in its name or text is one push of at most 3,000 bytes', async () => {
    const { member, give, tellChat } = await shop();
    const rina = await member();
    await give(rina.token, { push_content: true });
    const texts = [...Object.values(hostileTexts), (most: number) => '\u0001"\\😀'.repeat(most / 5)];
    for (const [n, hostile] of texts.entries()) {
      const before = newsOf(sandbox, rina.browser).length;
      const told = {
        id: `told:message:H${n}`,
        title: [...hostile(400)].slice(0, 200).join(''),
        text: hostile(1_000).slice(0, 990),
      };
      await tellChat([rina.userId], told);
      await until(() => newsOf(sandbox, rina.browser).length === before + 1);
    }
    const sizes = sandbox.messages.map(({ text }) => Buffer.byteLength(text));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(3_000);
    const last = newsOf(sandbox, rina.browser).map(({ title, body = '' }) => title + body);
    for (const text of last) expect(text).not.toMatch(/\p{Surrogate}|\p{Cc}|[\u202e\u200f\u061c]/u);
  });
});

describe('a push service', () => {
  it('that says the browser is gone is asked no more', async () => {
    const { storeId, member, tellChat } = await shop();
    const [rina, siti] = [await member(), await member()];
    sandbox.fault('gone', rina.browser.id);
    await tellChat([rina.userId, siti.userId]);
    await allPushed(commerce);
    expect(await browsersOf(commerce, storeId)).toHaveLength(1);
    expect(newsOf(sandbox, siti.browser)).toHaveLength(1);
  });

  it('that is busy or broken is asked again, later, and has the message once', async () => {
    const { member, tellChat } = await shop();
    const rina = await member();
    for (const mode of ['busy', 'error'] as const) {
      sandbox.fault(mode, rina.browser.id);
      await tellChat([rina.userId], { id: `told:message:${mode}` });
      await until(async () => (await waitingOf(commerce)).some(({ attempts }) => attempts > 0));
      sandbox.fault('none', rina.browser.id);
      commerce.clock.advance(2_000);
      await allPushed(commerce);
    }
    expect(newsOf(sandbox, rina.browser)).toHaveLength(2);
  });

  it('that never gets better is given up, without a dead job', async () => {
    const { storeId, member, tellChat } = await shop();
    const rina = await member();
    sandbox.fault('error', rina.browser.id);
    await tellChat([rina.userId]);
    await allPushed(commerce);
    expect([await waitingOf(commerce), await browsersOf(commerce, storeId)]).toEqual([[], [expect.any(String)]]);
    expect(commerce.lines.some((line) => line.includes('a browser could not be told'))).toBe(true);
  });

  it('that redirects is not followed', async () => {
    const { member, tellChat } = await shop();
    const rina = await member();
    sandbox.fault('redirect', rina.browser.id);
    await tellChat([rina.userId]);
    await allPushed(commerce);
    expect(newsOf(sandbox, rina.browser)).toEqual([]);
  });

  it('that hangs for the browsers of one store holds no other store up', async () => {
    const [slow, quick] = [await shop(), await shop()];
    const hanging = [await slow.member(), await slow.member(), await slow.member(), await slow.member()];
    for (const { browser } of hanging) sandbox.fault('hang', browser.id);
    await slow.tellChat(hanging.map(({ userId }) => userId));
    await until(() => hanging.some(({ browser }) => newsOf(sandbox, browser).length > 0));
    const rina = await quick.member();
    await quick.tellChat([rina.userId]);
    await until(() => newsOf(sandbox, rina.browser).length === 1);
    // Two at a time, whose seconds are not over
    expect(hanging.filter(({ browser }) => newsOf(sandbox, browser).length > 0)).toHaveLength(2);
    sandbox.fault('none');
    for (const { browser } of hanging) sandbox.fault('none', browser.id);
    await allPushed(commerce);
  });
});

it('a push service that hangs for more stores than there are places keeps no other store waiting, once it is known', async () => {
  hanging.fault('hang');
  const [quiet, ...stores] = await Promise.all([shop(), ...Array.from({ length: 8 }, () => shop(hanging))]);
  const rina = await quiet.member();
  const members: Awaited<ReturnType<typeof quiet.member>>[] = [];
  for (const one of stores) members.push(await one.member());
  const tellThem = (id: string) =>
    Promise.all(stores.map(({ tellChat }, n) => tellChat([members[n]?.userId ?? ''], { id })));
  await tellThem('told:message:1');
  await until(async () => (await waitingOf(commerce)).filter(({ attempts }) => attempts > 0).length === stores.length);
  const before = hanging.messages.length;
  await tellThem('told:message:2');
  await quiet.tellChat([rina.userId]);
  await until(() => newsOf(sandbox, rina.browser).length === 1);
  expect(hanging.messages.length - before).toBeLessThan(3);
  hanging.fault('none');
  await allPushed(commerce);
});

const waitingOf = ({ database }: Commerce) =>
  database.query<{ attempts: number }>(
    `SELECT j.attempts FROM commerce_api_jobs._private_jobs j JOIN commerce_api_jobs._private_tasks t ON t.id = j.task_id
     WHERE t.identifier = 'push.send'`,
  );

it('news of the shop are pushed to whoever wants them, and lead to their page', async () => {
  const { storeId, owner, subscribe, give } = await shop();
  const browser = sandbox.browser();
  await subscribe(owner.token, browser, { 'withdrawal.paid': { push: true }, push_content: true });
  await tell(commerce, noticeOf(storeId, 'w1'));
  await tell(commerce, noticeOf(storeId, 'w1'));
  await until(() => newsOf(sandbox, browser).length > 0);
  await allPushed(commerce);
  expect(newsOf(sandbox, browser)).toEqual([
    {
      ...{ title: 'Penarikan dibayar', body: 'Penarikan Rp 5.000 sudah dibayarkan', url: '/wallet' },
      tag: expect.any(String) as string,
    },
  ]);
  await give(owner.token, { 'withdrawal.paid': { push: false } });
  await tell(commerce, noticeOf(storeId, 'w2'));
  await allPushed(commerce);
  expect(newsOf(sandbox, browser)).toHaveLength(1);
});

it('a process that is killed between a push and its note leaves one on the screen, which the next process sends', async () => {
  const held = await startCommerce({ ...settings, SENDS: 'held' }, new Date().toISOString());
  try {
    const { member, tellChat } = await pushShop({ commerce: held, sandbox });
    const rina = await member();
    sandbox.fault('hang', rina.browser.id);
    const first = await startSecondProcess(held, settings);
    await tellChat([rina.userId]);
    await until(() => newsOf(sandbox, rina.browser).length === 1);
    await first.stop('SIGKILL');
    sandbox.fault('none', rina.browser.id);
    // It is known to be dead at once
    await held.database.query('UPDATE commerce_api_jobs._private_jobs SET locked_at = NULL, locked_by = NULL');
    const second = await startSecondProcess(held, settings);
    await allPushed(held).finally(() => second.stop());
    expect([newsOf(sandbox, rina.browser).length, sandbox.shown(rina.browser.id).length]).toEqual([2, 1]);
  } finally {
    await held.stop();
  }
});

it('neither log holds an address, a key or a text', () => {
  const { messages } = sandbox;
  const logged = commerce.lines.join('\n');
  expect(messages.length).toBeGreaterThan(10);
  for (const secret of [sandbox.url, 'Ada ukuran 42?', settings.VAPID_PRIVATE_KEY ?? '-'])
    expect(logged).not.toContain(secret);
});
