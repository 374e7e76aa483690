import { createHmac } from 'node:crypto';
import { hostileTexts, textsIn, withText, type TextPath } from '@platform/testing';
import { until } from '../../gateway.fixture';
import { cloudAccount, CUSTOMER, useCloudGateway } from './cloud.fixture';
import { cloudMessages, cloudStatus, cloudWebhook } from './cloud.hostile.fixture';

const { gateway, sandbox } = useCloudGateway({ WEBHOOK_SEND_REACTIONS: 'true' });

/** Posted and signed as Meta does it; the answer's status. */
const posted = async (webhook: unknown): Promise<number> => {
  const body = JSON.stringify(webhook);
  const signature = `sha256=${createHmac('sha256', cloudAccount.app_secret).update(body).digest('hex')}`;
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature };
  return (await gateway.client.get('/webhook/cloud', { method: 'POST', headers, body })).status;
};

const MESSAGE = ['entry', 0, 'changes', 0, 'value', 'messages', 0] as const;
/** For another number, or no message at all. */
const NOT_OURS: readonly string[] = ['metadata.phone_number_id', 'changes.0.field'];
/** Nobody has a file under it: its chat waits for it, a minute at most. */
const FILE = /\.(image|video|audio|document|sticker)\.id$/;
const WAITING = '628120000077';
/** Takes a reaction back, which is told to nobody. */
const NOTHING = 'U+0000 alone in entry.0.changes.0.value.messages.0.reaction.emoji';
const isOurs = (where: string): boolean => !NOT_OURS.some((end) => where.endsWith(end)) && where !== NOTHING;

/** Of one kind everything that Meta posts, of the others what is their own. */
const textsOf = (name: string, message: object): TextPath[] =>
  name === 'text'
    ? textsIn(cloudWebhook(name, message, ''))
    : textsIn(message).map((at): TextPath => [...MESSAGE, ...at]);

const textMessage = (id: string, from = CUSTOMER) =>
  withText(cloudWebhook('text', { text: { body: 'berikutnya' } }, id), [...MESSAGE, 'from'], from);

/** Told to the receiver; how often matters not: Meta repeats itself. */
const isTold = (id: string): boolean => gateway.receiver.messages().some(({ fields }) => fields.id === id);
const told = (): number =>
  new Set(gateway.receiver.messages().flatMap(({ fields }) => (fields.number?.startsWith(WAITING) ? [] : [fields.id])))
    .size;

const types = Object.keys(cloudMessages(''));

describe.each(types)('a message of the kind “%s” of the Cloud API', (name) => {
  it('arrives with a hostile text at any place, and so does what comes after it', async () => {
    gateway.receiver.reset();
    const message = cloudMessages(sandbox.wa.store.keep(Buffer.from('%PDF-1.7'), 'application/pdf').id)[name] as object;
    const refused: unknown[] = [];
    const expected = new Map<string, string>();
    const ask = async (where: string, webhook: unknown): Promise<void> => {
      const status = await posted(webhook);
      if (status !== 200) refused.push([where, status]);
    };
    let n = 0;
    for (const [named, hostile] of Object.entries(hostileTexts))
      for (const at of textsOf(name, message)) {
        const [id, where] = [`wamid.${name}.${n++}`, at.join('.')];
        // Every message has an id of its own
        const text = where.endsWith('messages.0.id') ? `${id}${hostile(Infinity)}` : hostile(Infinity);
        const from = FILE.test(where) ? WAITING : CUSTOMER;
        const whole = withText(cloudWebhook(name, message, id), [...MESSAGE, 'from'], from);
        await ask(`${named} in ${where}`, withText(whole, at, text));
        if (isOurs(`${named} in ${where}`) && from !== WAITING) expected.set(`${named} in ${where}`, id);
        if (where.endsWith('messages.0.from')) await ask(`after ${named}`, textMessage(`after ${id}`, text));
        if (where.endsWith('messages.0.from')) expected.set(`after ${named}`, `after ${id}`);
      }
    await ask('clean', textMessage(`wamid.${name}.next`));
    expect(refused).toEqual([]);
    await until(() => isTold(`wamid.${name}.next`), Boolean);
    await until(told, (count) => count === expected.size + 1).catch(() => undefined);
    const renamed = [...expected].filter(([where]) => !where.endsWith('messages.0.id'));
    expect(renamed.filter(([, id]) => !isTold(id))).toEqual([]);
    expect(told()).toBe(expected.size + 1);
  });
});

it('a status with a hostile text at any place keeps back no status that comes after it', async () => {
  const { client, receiver } = gateway;
  const { id: ours } = await client.data<{ id: string }>(client.send('P-1', CUSTOMER, 'halo'));
  const [sent] = await until(
    () => sandbox.wa.store.sent.filter(({ opaque }) => opaque === ours),
    ({ length }) => length === 1,
  );
  await until(() => receiver.statuses(ours).includes('sent'));
  const known = { id: sent?.id ?? '', ours };
  const refused: unknown[] = [];
  const statuses = [cloudStatus('delivered', known), cloudStatus('failed', { id: 'wamid.NONE', ours: 'nobody' })];
  const places = statuses.flatMap((status) => textsIn(status).map((at) => [status, at] as const));
  for (const [named, hostile] of Object.entries(hostileTexts))
    for (const [status, at] of places) {
      const answer = await posted(withText(status, at, hostile(Infinity)));
      if (answer !== 200) refused.push([named, at.join('.'), answer]);
    }
  expect(refused).toEqual([]);
  expect(await posted(cloudStatus('read', known))).toBe(200);
  await until(
    () => receiver.statuses(ours),
    (statuses) => statuses.at(-1) === 'viewed',
  );
  expect(receiver.statuses(ours)).toEqual(['pending', 'sent', 'delivered', 'viewed']);
});
