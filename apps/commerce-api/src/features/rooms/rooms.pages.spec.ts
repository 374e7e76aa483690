// The rooms of the staff in browsers without script: who is in one reads and writes there, and an open page is told.
import { until, useRunning } from '@platform/testing';
import { startCommerce } from '../../commerce.fixture';
import { signedIn } from '../../web/browser.fixture';
import { openEvents } from '../../web/live/live.fixture';

const commerce = useRunning(startCommerce);
const PATH = '/team-chat';

const begun = async () => {
  const sari = await signedIn(commerce);
  const [rina, budi] = [
    await signedIn(commerce, 'cs', sari.storeId),
    await signedIn(commerce, 'warehouse', sari.storeId),
  ];
  const open = async (name = 'Gudang') => {
    await sari.browser.get(PATH);
    const fields = { action: 'open', name, user_ids: rina.userId };
    return String((await sari.browser.post(PATH, fields)).location);
  };
  const say = async ({ browser }: typeof sari, at: string, text: string) => {
    await browser.get(at);
    return browser.post(PATH, { action: 'say', text });
  };
  const said = () =>
    commerce.database.query<{ text: string }>('SELECT text FROM staff_message WHERE store_id = $1 ORDER BY id', [
      sari.storeId,
    ]);
  return { sari, rina, budi, open, say, said };
};

it('a room is for those who were chosen: they read and write there once, and nobody else does', async () => {
  const { sari, rina, budi, open, say, said } = await begun();
  const at = await open();
  expect((await say(sari, at, '<b>Stok</b> opname')).location).toBe(at);
  const { text } = await rina.browser.get(PATH);
  expect([text.includes('&lt;b>Stok'), text.includes('<b>Stok')]).toEqual([true, false]);
  const fields = { ...rina.browser.hidden(PATH), action: 'say', text: 'Siap' };
  const answers = [await rina.browser.send(PATH, fields), await rina.browser.send(PATH, fields)];
  expect([answers.map(({ location }) => location), (await said()).map((message) => message.text)]).toEqual([
    [at, at],
    ['<b>Stok</b> opname', 'Siap'],
  ]);
  expect((await budi.browser.get(at)).status).toBe(404);
  const list = await budi.browser.get(PATH);
  expect(list.text).toContain('Belum ada ruang');
  const room = at.split('=')[1] ?? '';
  const { status } = await budi.browser.send(PATH, {
    ...budi.browser.hidden('/logout'),
    action: 'say',
    room,
    text: 'x',
  });
  expect([status, (await said()).length]).toEqual([404, 2]);
});

it('the open page is told what is said, and what is wrong comes back with its room', async () => {
  const { sari, rina, open, say } = await begun();
  const at = await open();
  const events = await openEvents(commerce.url, at, rina.browser.cookies());
  await say(sari, at, 'Ada paket');
  await until(() => events.html().includes('Ada paket'));
  await events.close();
  const { status, text } = await say(sari, at, ' ');
  expect([status, text.includes('Pesan untuk tim harus diisi.'), text.includes('Ada paket')]).toEqual([
    422,
    true,
    true,
  ]);
  const forged = { ...sari.browser.hidden(PATH), action: 'say', text: '' };
  for (const room of ['abc', '\u0000'])
    expect((await sari.browser.send(PATH, { ...forged, room })).text).toContain('Pesan untuk tim harus diisi.');
  await sari.browser.get(PATH);
  const nobody = await sari.browser.post(PATH, { action: 'open', name: 'Kosong' });
  expect([nobody.status, nobody.text.includes('value="Kosong"')]).toEqual([422, true]);
});

it('a room with more than a page of messages is read back to its beginning', async () => {
  const { sari, open } = await begun();
  const at = await open();
  await commerce.database.query(
    `INSERT INTO staff_message (store_id, id, room_id, user_id, text, created_at)
     SELECT $1, gen_random_uuid(), $2, $3, 'pesan ' || n, now() - n * interval '1 minute' FROM generate_series(1, 60) n`,
    [sari.storeId, at.split('=')[1], sari.userId],
  );
  const newest = await sari.browser.get(at);
  const older = /href="([^"]*cursor=[^"]*)"/.exec(newest.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const { text } = await sari.browser.get(older);
  expect([newest.text.includes('>pesan 60<'), text.includes('pesan 60'), text.includes('data-follow')]).toEqual([
    ...[false, true, false],
  ]);
});
