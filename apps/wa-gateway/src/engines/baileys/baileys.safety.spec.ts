/** @jest-environment ../../tools/jest/native-import.environment.cjs */
import { until, useRunning } from '@platform/testing';
import { noFaults } from '@platform/testing/whatsapp';
import { storeIn, useEngine } from './engine.fixture';

const SHOP = '628110000001';
const BUDI = '628123456789';
const BUDI_JID = `${BUDI}@s.whatsapp.net`;

const { database, sandbox, sink, engine, reopen } = useEngine({ shop: SHOP });
const budi = useRunning(() => sandbox.phone(BUDI, { name: 'Budi' }));
sink.store = storeIn(database);
afterEach(() => {
  sandbox.faults(noFaults, SHOP);
  sink.store = storeIn(database);
});

const arrived = (id: string) => sink.messages.filter((message) => message.id === id);
const heard = (id: string) => until(() => arrived(id).length, Boolean);
const answersTo = (id: string) =>
  ['receipt', 'ack'].flatMap((tag) => sandbox.heard(SHOP, tag)).filter((node) => node.attrs.id === id);
/** What waited at WhatsApp is taken before or after the line shows as online (`inactive`): a receipt both times. */
const verdictOf = ({ type = 'arrived', error }: Readonly<Record<string, string | undefined>>) =>
  error ?? (type === 'inactive' ? 'arrived' : type);
const connected = () =>
  until(
    () => sink.last(),
    (state) => state === 'connected',
  );

it('WhatsApp hears that a message arrived only after it is stored', async () => {
  let release = (): void => undefined;
  const storing = new Promise<void>((entered) => {
    sink.store = () => {
      entered();
      return new Promise((resolve) => (release = resolve));
    };
  });
  const { id } = await budi.sendText(SHOP, 'simpan dulu');
  await storing;
  expect(answersTo(id)).toEqual([]);
  expect(sandbox.state().held).toContainEqual({ number: SHOP, id });
  release();
  await until(() => answersTo(id).length, Boolean);
  expect(answersTo(id)).toMatchObject([{ tag: 'receipt', attrs: { to: `${BUDI}:1@s.whatsapp.net` } }]);
});

it('while the store is away nothing leaves, the line closes, and afterwards every message arrives once', async () => {
  let isAway = true;
  const store = storeIn(database);
  sink.store = (message) => (isAway ? Promise.reject(new Error('the store is away')) : store(message));
  const refs = [await budi.sendText(SHOP, 'satu'), await budi.sendText(SHOP, 'dua'), await budi.sendText(SHOP, 'tiga')];
  const before = sink.states.length;
  await until(() => sink.states.slice(before).filter(({ state }) => state === 'reconnecting').length, Boolean);
  await until(() => sink.states.slice(before).filter(({ state }) => state === 'connected').length, Boolean);
  for (const { id } of refs) expect(answersTo(id)).toEqual([]);
  isAway = false;
  for (const { id } of refs) await heard(id);
  await until(
    () => sandbox.state().held.length,
    (held) => held === 0,
  );
  expect(refs.map(({ id }) => arrived(id).length)).toEqual([1, 1, 1]);
  expect(sink.messages.slice(-3).map(({ text }) => text)).toEqual(['satu', 'dua', 'tiga']);
  expect(sink.messages.filter(({ raw }) => 'stub' in raw)).toEqual([]);
  expect(refs.map(({ id }) => answersTo(id).map(({ tag, attrs }) => [tag, verdictOf(attrs)]))).toEqual(
    refs.map(() => [['receipt', 'arrived']]),
  );
});

it('what customers wrote while the gateway was away arrives in order, once', async () => {
  await connected();
  await engine.stop();
  const refs = [];
  for (let n = 0; n < 50; n++) refs.push(await budi.sendText(SHOP, `tertahan ${n}`));
  reopen();
  sink.store = storeIn(database);
  await engine.start(sink);
  await until(
    () => sink.messages.length,
    (count) => count >= 50,
  );
  await until(
    () => sandbox.state().held.length,
    (held) => held === 0,
  );
  expect(sink.messages.map(({ text }) => text)).toEqual(Array.from({ length: 50 }, (_, n) => `tertahan ${n}`));
});

it('a message whose receipt got lost is confirmed when it comes again, and not told again', async () => {
  sandbox.faults({ dup: true }, SHOP);
  const again = await budi.sendText(SHOP, 'dua kali');
  await until(
    () => answersTo(again.id).filter(({ tag }) => tag === 'receipt').length,
    (receipts) => receipts === 2,
  );
  expect(arrived(again.id)).toHaveLength(1);
  expect(answersTo(again.id).map(({ tag, attrs }) => [tag, attrs.error])).toEqual([
    ['receipt', undefined],
    ['receipt', undefined],
  ]);
});

it('a message that could not be read is held, and the second try is delivered once', async () => {
  sandbox.faults({ garble: 1 }, SHOP);
  const { id } = await budi.sendText(SHOP, 'rusak sekali');
  await heard(id);
  expect(arrived(id)).toMatchObject([{ id, text: 'rusak sekali', kind: 'chat' }]);
  await budi.sendText(SHOP, 'berikutnya');
  await until(() => sink.messages.filter(({ text }) => text === 'berikutnya').length, Boolean);
  expect(sink.messages.filter(({ raw }) => 'stub' in raw)).toEqual([]);
});

it('one that never becomes readable is told as empty, under an id of its own', async () => {
  sandbox.faults({ garble: 100 }, SHOP);
  const { id } = await budi.sendText(SHOP, 'rusak selamanya');
  const stub = await until(
    () => sink.messages.find((message) => message.id === `${id}.stub`),
    (message) => message !== undefined,
  );
  expect(stub).toMatchObject({
    ...{ id: `${id}.stub`, chat: BUDI_JID, fromMe: false, kind: 'chat', text: '' },
    raw: { key: { remoteJid: BUDI_JID, fromMe: false, id }, stub: expect.any(String) },
  });
  expect(arrived(id)).toEqual([]);
});

it.each([
  ['view_once', 'receipt'],
  ['view_once_unavailable_fanout', 'ack'],
])('what may be viewed once (%s) never comes here, and is told at once, as empty', async (type, confirmed) => {
  const id = `ONCE-${type}`;
  sandbox.send(SHOP, {
    tag: 'message',
    attrs: { id, from: BUDI_JID, type: 'media', t: '1795180000', notify: 'Budi' },
    content: [{ tag: 'unavailable', attrs: { type } }],
  });
  await until(() => sandbox.heard(SHOP, confirmed).filter(({ attrs }) => attrs.id === id).length, Boolean);
  await heard(`${id}.stub`);
  expect(sink.messages.filter((message) => message.id.startsWith(id))).toEqual([
    {
      ...{ id: `${id}.stub`, chat: BUDI_JID, fromMe: false, name: 'Budi', at: 1795180000, kind: 'chat', text: '' },
      raw: { key: { remoteJid: BUDI_JID, fromMe: false, id }, pushName: 'Budi', stub: 'view_once' },
    },
  ]);
});

it('a message without encryption arrives too, and one from a channel or a story does not', async () => {
  for (const from of ['status@broadcast', '120363000000000001@newsletter'])
    sandbox.inject({ to: SHOP, from, message: { conversation: 'cerita' }, id: `S-${from}` });
  sandbox.inject({ to: SHOP, from: BUDI, name: 'Budi', id: 'PLAIN-1', message: { conversation: 'polos' } });
  await heard('PLAIN-1');
  expect(arrived('PLAIN-1')).toMatchObject([{ chat: BUDI_JID, text: 'polos', kind: 'chat' }]);
  expect(sink.messages.filter(({ text }) => text === 'cerita')).toEqual([]);
});

it('what comes in while the gateway still takes what waited for it does not overtake it', async () => {
  await connected();
  await engine.stop();
  const texts = Array.from({ length: 60 }, (_, n) => `urut ${n}`);
  for (const text of texts.slice(0, 30)) await budi.sendText(SHOP, text);
  reopen();
  const store = storeIn(database);
  let isWriting = false;
  sink.store = async (message) => {
    isWriting = true;
    await store(message);
  };
  await engine.start(sink);
  await until(() => isWriting, Boolean);
  for (const text of texts.slice(30)) await budi.sendText(SHOP, text);
  const heardTexts = () => sink.messages.flatMap(({ text = '' }) => (text.startsWith('urut') ? [text] : []));
  await until(heardTexts, ({ length }) => length >= 60);
  expect(heardTexts()).toEqual(texts);
});
