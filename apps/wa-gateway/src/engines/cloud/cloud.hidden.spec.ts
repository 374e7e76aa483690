import { until } from '../../gateway.fixture';
import { accepted } from '../../receiver.fixture';
import { quiet, useCloudGateway } from './cloud.fixture';

const { gateway, sandbox } = useCloudGateway();
afterEach(async () => {
  await quiet(sandbox);
  gateway.receiver.reset();
});

/** The chat by which the receiver is told of these words. */
const chatOf = (text: string) =>
  until(
    () => gateway.receiver.taken.find(({ fields }) => fields.text === text)?.fields.number,
    (number) => number !== undefined,
  );

it.each([
  ['as they are today', 'ID.13491208655302741918'],
  ['as long as Meta makes them', `ID.ENT.${'7'.repeat(128)}`],
])('who hides the number is told by the business-scoped id, and answered by it, %s', async (text, hidden) => {
  sandbox.wa.customerSends({ user_id: hidden, text });
  const chat = await chatOf(text);
  expect(chat).toBe(`${hidden}@bsuid`);

  const sent = await gateway.client.data<{ id: string; number: string }>(
    gateway.client.send(`P-${text}`, chat ?? '', 'halo juga'),
  );
  expect(sent.number).toBe(chat);
  await until(
    () => gateway.receiver.statuses(sent.id),
    (statuses) => statuses.includes('delivered'),
  );
  const reached = sandbox.wa.store.sent.filter(({ to }) => to === hidden);
  expect(reached.map(({ content }) => content)).toEqual([{ body: 'halo juga' }]);
});

it('who hides the number sees that the message was read, and that somebody writes', async () => {
  const { client } = gateway;
  const id = sandbox.wa.customerSends({ user_id: 'ID.776', text: 'sudah dibaca?' });
  const number = await chatOf('sudah dibaca?');
  expect(await client.data(client.post('/api/mark-read', { number, ids: [id] }))).toEqual({ number, count: 1 });
  expect(await client.data(client.post('/api/typing', { number, on: true }))).toEqual({ number, on: true });
  expect(sandbox.wa.store.readByBusiness.filter((read) => read.id === id)).toEqual([
    { id, typing: false },
    { id, typing: true },
  ]);
});

it('who shows the number later is told by it, and by the id that hid it, so that the receiver knows the two as one', async () => {
  const [from, user_id] = ['628120000078', 'ID.778'];
  sandbox.wa.customerSends({ user_id, text: 'masih tanpa nomor' });
  expect(await chatOf('masih tanpa nomor')).toBe(`${user_id}@bsuid`);

  sandbox.wa.customerSends({ from, user_id, text: 'ini nomor saya' });
  expect(await chatOf('ini nomor saya')).toBe(`${from}@s.whatsapp.net`);
  const { rawMessage } = gateway.receiver.taken.find(({ fields }) => fields.text === 'ini nomor saya')?.fields ?? {};
  expect(JSON.parse(rawMessage ?? '{}')).toMatchObject({ lid: `${user_id}@bsuid` });
});

it('what was said before the number was known, and still waits for the receiver, is told before what is said after', async () => {
  const [from, user_id] = ['628120000079', 'ID.779'];
  const { receiver } = gateway;
  const texts = () => receiver.messages().map(({ fields }) => fields.text);
  let isAway = true;
  receiver.answer = ({ fields }) => (isAway && fields.text === 'satu' ? { status: 503 } : accepted);
  for (const text of ['satu', 'dua']) sandbox.wa.customerSends({ user_id, text });
  await until(() => receiver.calls.some(({ fields }) => fields.text === 'satu'));
  await quiet(sandbox);
  sandbox.wa.customerSends({ from, user_id, text: 'tiga' });
  await quiet(sandbox);
  const lanes = async () =>
    (
      await gateway.database.query<{ lane: string }>(`SELECT lane FROM outbox_row WHERE state = 'queued' ORDER BY id`)
    ).map(({ lane }) => lane);
  expect(await lanes()).toEqual(Array(3).fill(`toko-1|${user_id}@bsuid|m`));
  isAway = false;
  await until(() => texts().length === 3);
  expect(texts()).toEqual(['satu', 'dua', 'tiga']);
  sandbox.wa.customerSends({ from, user_id, text: 'empat' });
  expect(await chatOf('empat')).toBe(`${from}@s.whatsapp.net`);
});

it('who comes to hide a number that is known stays in the same chat', async () => {
  const [from, user_id] = ['628120000077', 'ID.777'];
  sandbox.wa.customerSends({ from, user_id, text: 'dengan nomor' });
  expect(await chatOf('dengan nomor')).toBe(`${from}@s.whatsapp.net`);

  sandbox.wa.customerSends({ user_id, text: 'sekarang tanpa' });
  expect(await chatOf('sekarang tanpa')).toBe(`${from}@s.whatsapp.net`);
  const { rawMessage } = gateway.receiver.taken.find(({ fields }) => fields.text === 'sekarang tanpa')?.fields ?? {};
  expect(JSON.parse(rawMessage ?? '{}')).toMatchObject({ lidSince: expect.any(Number) as number });
});
