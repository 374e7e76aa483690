// Chat teams in a browser without script: who sits where, and whose numbers are theirs.
import { useRunning } from '@platform/testing';
import { startCommerce } from '../../../commerce.fixture';
import { signedIn } from '../../../web/browser.fixture';

const commerce = useRunning(startCommerce);
const PATH = '/chat-teams';

const begun = async () => {
  const shop = await signedIn(commerce);
  const { browser, storeId } = shop;
  const rina = await signedIn(commerce, 'cs', storeId);
  const act = async (fields: Record<string, string>) => {
    await browser.get(PATH);
    return browser.post(PATH, fields);
  };
  const create = (name: string) => act({ action: 'create', name, kind: 'cs', distribution: 'manual', private: 'true' });
  const teams = () =>
    commerce.database.query<{ id: string; name: string; private: boolean }>(
      'SELECT id, name, private FROM chat_team WHERE store_id = $1 ORDER BY name',
      [storeId],
    );
  const seats = async () => {
    const find = 'SELECT chat_team_ids AS teams FROM membership WHERE store_id = $1 AND user_id = $2';
    return (await commerce.database.query<{ teams: string[] }>(find, [storeId, rina.userId]))[0]?.teams;
  };
  return { ...shop, rina, act, create, teams, seats };
};

it('a team is made once, given members, and emptied when nobody is ticked', async () => {
  const { browser, rina, act, create, teams, seats } = await begun();
  expect((await create('<b>CS</b>')).location).toBe(PATH);
  const [team] = await teams();
  const id = team?.id ?? '';
  expect((await browser.get(PATH)).text).not.toContain('<b>CS</b>');
  await act({ action: `seats.${id}`, user_ids: rina.userId });
  expect(await seats()).toEqual([id]);
  expect((await browser.get(PATH)).text).toMatch(new RegExp(`value="${rina.userId}" checked`));
  await act({ action: `seats.${id}` });
  expect(await seats()).toEqual([]);
});

it('a member who is disabled keeps their seat, and is marked as who answers no chat', async () => {
  const { browser, storeId, rina, act, create, teams, seats } = await begun();
  await create('CS');
  const [{ id = '' } = {}] = await teams();
  await act({ action: `seats.${id}`, user_ids: rina.userId });
  expect((await browser.get(PATH)).text).not.toContain('(nonaktif)');
  const disable = `UPDATE membership SET status = 'disabled' WHERE store_id = $1 AND user_id = $2`;
  await commerce.database.query(disable, [storeId, rina.userId]);
  const { text } = await browser.get(PATH);
  expect(text.match(/ \(nonaktif\)/g)).toHaveLength(2);
  expect(text).toMatch(new RegExp(`value="${rina.userId}" checked`));
  expect(await seats()).toEqual([id]);
});

it('a team is changed unless somebody else did so meanwhile, and deleted', async () => {
  const { browser, act, create, teams } = await begun();
  await create('CS');
  const [{ id = '' } = {}] = await teams();
  const { text } = await browser.get(PATH);
  const seen = new RegExp(`value="${id}"/><input type="hidden" name="seen" value="([^"]+)"`).exec(text)?.[1] ?? '';
  const save = (name: string) =>
    browser.send(PATH, {
      ...{ ...browser.hidden('/logout'), action: `save.${id}`, id, seen, name, kind: 'cs' },
      distribution: 'round_robin',
    });
  expect((await save('Layanan')).location).toBe(PATH);
  expect(await teams()).toEqual([{ id, name: 'Layanan', private: false }]);
  await browser.get(PATH);
  const stale = await save('Lain');
  expect([stale.status, stale.text.includes('value="Lain"'), stale.text.includes('Sekarang: Layanan')]).toEqual([
    ...[409, true, true],
  ]);
  await act({ action: `remove.${id}` });
  expect(await teams()).toEqual([]);
});

it('members and numbers that somebody else has just given a team are not taken from it by a tab that does not show them', async () => {
  const { browser, storeId, rina, create, teams, seats } = await begun();
  await create('CS');
  const [{ id = '' } = {}] = await teams();
  const { text } = await browser.get(PATH);
  const seen =
    new RegExp(`name="action" value="seats.${id}"/>.*?name="seen" value="([^"]+)"`, 's').exec(text)?.[1] ?? '';
  const save = (more: Record<string, string>) =>
    browser.send(PATH, { ...browser.hidden('/logout'), action: `seats.${id}`, id, seen, ...more });
  expect((await save({ user_ids: rina.userId })).location).toBe(PATH);
  await browser.get(PATH);
  const stale = await save({});
  expect([stale.status, stale.text.includes('Sekarang: '), await seats()]).toEqual([409, true, [id]]);
  const device = `INSERT INTO device (store_id, id, instance_id, name, chat_team_id, created_at, updated_at)
    VALUES ($1, gen_random_uuid(), gen_random_uuid()::text, 'WA <b>Satu', $2, now(), now())`;
  await browser.get(PATH);
  await commerce.database.query(device, [storeId, id]);
  const numbered = await browser.post(PATH, { action: `seats.${id}`, user_ids: rina.userId });
  expect([numbered.status, numbered.text.includes('Sekarang: WA &lt;b>Satu')]).toEqual([409, true]);
  expect((await browser.post(PATH, { action: `seats.${id}` })).location).toBe(PATH);
  expect(await seats()).toEqual([]);
});

it('a team of another shop and a member who works elsewhere are not to be had', async () => {
  const [mine, theirs] = [await begun(), await begun()];
  await theirs.create('Milik mereka');
  const [{ id = '' } = {}] = await theirs.teams();
  await mine.browser.get(PATH);
  const hidden = mine.browser.hidden('/logout');
  const removed = await mine.browser.send(PATH, { ...hidden, action: 'remove', id });
  await mine.create('CS');
  const [own] = await mine.teams();
  const seated = await mine.act({ action: `seats.${own?.id}`, user_ids: theirs.rina.userId });
  expect([removed.status, seated.status, (await theirs.teams()).length]).toEqual([404, 422, 1]);
});

it('the last team that serves customers is kept in a shop with numbers, which the page says in words', async () => {
  const { browser, storeId, act, create, teams } = await begun();
  await create('CS');
  const [{ id = '' } = {}] = await teams();
  const device = `INSERT INTO device (store_id, id, instance_id, name, created_at, updated_at)
    VALUES ($1, gen_random_uuid(), gen_random_uuid()::text, 'WA', now(), now())`;
  await commerce.database.query(device, [storeId]);
  const { status, text } = await act({ action: `remove.${id}` });
  expect([status, text.includes('Ini tim terakhir yang melayani pelanggan.')]).toEqual([409, true]);
  expect((await browser.get(PATH)).text).toContain('value="CS"');
});

it('a team has working hours by the day, is told where one is wrong, and works always when all are emptied', async () => {
  const { browser, storeId, act, create, teams } = await begun();
  await create('CS');
  const [{ id = '' } = {}] = await teams();
  const days = (open: string, close: string) => ({
    ...{ action: `save.${id}`, name: 'CS', kind: 'cs', distribution: 'round_robin' },
    ...{ 'hours[0][day]': '1', 'hours[0][open]': '', 'hours[0][close]': '' },
    ...{ 'hours[1][day]': '2', 'hours[1][open]': open, 'hours[1][close]': close },
  });
  const hours = async () => {
    const find = 'SELECT hours FROM chat_team WHERE store_id = $1 AND id = $2';
    return (await commerce.database.query<{ hours: unknown }>(find, [storeId, id]))[0]?.hours;
  };
  expect((await act(days('08:30', '17:00'))).location).toBe(PATH);
  expect(await hours()).toEqual([{ day: 2, open: '08:30', close: '17:00' }]);
  expect((await browser.get(PATH)).text).toMatch(/<input[^>]*name="hours\[1\]\[open\]"[^>]*value="08:30"/);
  const wrong = await act(days('08:30', '25:00'));
  expect(wrong.status).toBe(422);
  expect(wrong.text).toMatch(/<input[^>]*name="hours\[1\]\[close\]"[^>]*aria-invalid="true"[^>]*value="25:00"/);
  expect((await act(days('', ''))).location).toBe(PATH);
  expect(await hours()).toBeNull();
});

it('hours that were typed stay those of their days when somebody else has given a day another opening meanwhile', async () => {
  const { browser, storeId, create, teams } = await begun();
  await create('CS');
  const [{ id = '' } = {}] = await teams();
  const set = (hours: object[] | null) =>
    commerce.database.query('UPDATE chat_team SET hours = $3 WHERE store_id = $1 AND id = $2', [
      ...[storeId, id, JSON.stringify(hours)],
    ]);
  const typed = (days: readonly number[]) =>
    Object.fromEntries(
      days.flatMap((day, at) => [
        [`hours[${at}][day]`, `${day}`],
        [`hours[${at}][open]`, `0${day}:10`],
        [`hours[${at}][close]`, `1${day}:20`],
      ]),
    );
  const shown = (text: string) =>
    [...text.matchAll(/name="hours\[(\d+)\]\[day\]" value="(\d)"/g)].map(([, at, day]) => {
      const input = new RegExp(`<input[^>]*name="hours\\[${at}\\]\\[open\\]"[^>]*value="([^"]*)"`);
      return `${day} ${input.exec(text)?.[1]}`;
    });
  const save = (days: readonly number[]) =>
    browser.post(PATH, {
      ...{ action: `save.${id}`, name: 'CS', kind: 'cs', distribution: 'manual', private: 'true', ...typed(days) },
    });
  const week = [1, 2, 3, 4, 5, 6, 0];
  const [early, late] = [
    { day: 1, open: '06:00', close: '07:00' },
    { day: 1, open: '20:00', close: '21:00' },
  ];
  await browser.get(PATH);
  await set([early, late]);
  const more = await save(week);
  expect([more.status, shown(more.text)]).toEqual([409, [...week.map((day) => `${day} 0${day}:10`), '1 20:00']]);
  await browser.get(PATH);
  await set([late]);
  const twice = [1, ...week];
  const less = await save(twice);
  expect([less.status, shown(less.text)]).toEqual([409, twice.map((day) => `${day} 0${day}:10`)]);
});
