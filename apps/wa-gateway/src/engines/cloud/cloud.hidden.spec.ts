import { until } from '../../gateway.fixture';
import { quiet, useCloudGateway } from './cloud.fixture';

const HIDDEN = 'ID.13491208655302741918';
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

it('who hides the number is told by the business-scoped id, and answered by it', async () => {
  sandbox.wa.customerSends({ user_id: HIDDEN, text: 'halo, saya tanpa nomor' });
  const chat = await chatOf('halo, saya tanpa nomor');
  expect(chat).toBe(`${HIDDEN}@bsuid`);

  const sent = await gateway.client.data<{ id: string; number: string }>(
    gateway.client.send('P-hidden', chat ?? '', 'halo juga'),
  );
  expect(sent.number).toBe(chat);
  await until(
    () => gateway.receiver.statuses(sent.id),
    (statuses) => statuses.includes('delivered'),
  );
  expect(sandbox.wa.store.sent.map(({ to, content }) => [to, content])).toEqual([[HIDDEN, { body: 'halo juga' }]]);
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

it('who comes to hide a number that is known stays in the same chat', async () => {
  const [from, user_id] = ['628120000077', 'ID.777'];
  sandbox.wa.customerSends({ from, user_id, text: 'dengan nomor' });
  expect(await chatOf('dengan nomor')).toBe(`${from}@s.whatsapp.net`);

  sandbox.wa.customerSends({ user_id, text: 'sekarang tanpa' });
  expect(await chatOf('sekarang tanpa')).toBe(`${from}@s.whatsapp.net`);
});
