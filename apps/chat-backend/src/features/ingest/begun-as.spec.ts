// A chat that began under a hidden id, after its customer's number was learned (ADR 190).
import { uuidv7 } from '@platform/runtime';
import { until, untilWaiting } from '@platform/testing';
import { SERVICE } from '../../chat.fixture';
import { FakeBot } from '../../clients/bot.fake';
import { startLifecycle, type Lifecycle } from '../lifecycle/lifecycle.fixture';

const bot = new FakeBot();
let chat: Lifecycle;
beforeAll(async () => {
  chat = await startLifecycle({ bot });
  await chat.database.query(`UPDATE devices SET bot_agent_id = 'A1' WHERE instance = 'vip'`);
});
afterAll(() => chat.stop());

let people = 0;
const somebody = () => {
  const n = String(++people).padStart(4, '0');
  return { hidden: `7200${n}@lid`, number: `62872000${n}` };
};
type Person = ReturnType<typeof somebody>;

const listed = (body: unknown) => (body as { data: { chat_list: { chatId: string; nohp: string } } }).data.chat_list;
const hides = async ({ hidden }: Person, more: Record<string, string> = {}) => {
  const { chatId, nohp } = listed((await chat.inbound({ number: hidden, ...more })).body);
  return { chatId, nohp, instance: more.instanceID ?? 'dev1', team: '3' };
};
const shows = async ({ hidden, number }: Person, more: Record<string, string> = {}) => {
  const named = { number: `${number}@s.whatsapp.net`, rawMessage: JSON.stringify({ lid: hidden }) };
  return listed((await chat.inbound({ ...named, ...more })).body);
};
const sent = (number: string) =>
  chat.gateway.calls.flatMap((call) => (call.number === number && 'text' in call ? [call.text] : []));

describe('who knows it by the hidden id still', () => {
  it('reads it, answers it and has it read, as a page does that was opened before', async () => {
    const person = somebody();
    const ref = await hides(person);
    const { chatId } = await shows(person);
    expect(chatId).toBe(ref.chatId);
    for (const named of [ref, { ...ref, chatId: undefined }]) {
      const { body } = await chat.as(chat.people.rina, 'chat_inbox', named);
      expect(body).toMatchObject({ result: true, chat_list: { chatId, nohp: person.number, last_seq: 2 } });
    }
    expect((await chat.as(chat.people.rina, 'chat_markread', ref)).body).toMatchObject({ result: true });
    const answer = await chat.as(chat.people.rina, 'send_message', { ...ref, pesan: 'siap kak' });
    expect(answer.body).toMatchObject({ result: true, chat_list: { chatId, nohp: person.number } });
    await until(() => sent(person.number).includes('siap kak'));
  });

  it('is the bot, whose call for people and whose news arrive', async () => {
    const person = somebody();
    const ref = await hides(person);
    await shows(person);
    const asked = await chat.as(chat.people.bot, 'chats/request-escalate', { ...ref, alasan: 'minta orang' });
    expect(asked.body).toMatchObject({ result: true, data: { chatId: ref.chatId, status_escalate: 'requested' } });
    await chat.as(chat.people.bot, 'send_message', { ...ref, pesan: 'sudah dibayar' });
    await until(() => sent(person.number).includes('sudah dibayar'));
  });

  it('opens a ticket about it, which stands under the number and is the same when it is repeated by either, also when the hidden id has moved', async () => {
    const person = somebody();
    const ref = await hides(person);
    await shows(person);
    const token = chat.tokens.tokenFor(SERVICE);
    const id = uuidv7();
    const opens = async (nohp: string, more: object = {}) => {
      const body = { store_id: 'S1', judul: 'Retur', isi: 'Salah ukuran', nohp, ...more };
      return (await chat.call(`/internal/tickets/${id}`, { method: 'PUT', token, body })).body;
    };
    const others = { viewer_id: 'u-x', viewer_teams: '99' };
    expect(await opens(person.hidden, others)).toMatchObject({ result: false, code: 'forbidden' });
    const opened = await opens(person.hidden);
    expect(opened).toMatchObject({ result: true, data: { chatId: ref.chatId, nohp: person.number } });
    expect(await opens(person.hidden)).toEqual(opened);
    expect(await opens(person.number)).toEqual(opened);
    await shows({ ...person, number: somebody().number });
    expect(await opens(person.hidden)).toEqual(opened);
    expect(await opens(somebody().number)).toMatchObject({ result: false, code: 'id_taken' });
  });

  it('opened a ticket by it before, which stands under the number then', async () => {
    const person = somebody();
    await hides(person);
    const token = chat.tokens.tokenFor(SERVICE);
    const ticket = `/internal/tickets/${uuidv7()}`;
    const body = { store_id: 'S1', judul: 'Retur', isi: 'Salah ukuran', nohp: person.hidden };
    const opened = (await chat.call(ticket, { method: 'PUT', token, body })).body;
    expect(opened).toMatchObject({ result: true, data: { nohp: person.hidden } });
    await shows(person);
    const { data } = opened as { data: object };
    for (const nohp of [person.hidden, person.number])
      expect((await chat.call(ticket, { method: 'PUT', token, body: { ...body, nohp } })).body).toEqual({
        ...(opened as object),
        data: { ...data, nohp: person.number },
      });
  });

  it('is the bot with news for that chat, also when its customer writes by another number now', async () => {
    const person = somebody();
    const ref = await hides(person);
    await shows(person);
    await shows({ ...person, number: somebody().number });
    const told = await chat.as(chat.people.bot, 'send_message', { ...ref, pesan: 'sudah dibayar' });
    expect(told.body).toMatchObject({ result: true, chat_list: { chatId: ref.chatId, nohp: person.number } });
    const { body } = await chat.as(chat.people.rina, 'chat_inbox', ref);
    expect(body).toMatchObject({ result: true, chat_list: { chatId: ref.chatId } });
  });

  it('is the gateway with what became of a message that went by it, also when that is another number’s now', async () => {
    const person = somebody();
    const [ref, id] = [await hides(person), `${person.number}-dilihat`];
    await chat.as(chat.people.rina, 'send_message', { ...ref, pesan: 'siap kak', pesan_id: id });
    await until(() => sent(person.hidden).includes('siap kak'));
    await shows(person);
    await shows({ ...person, number: somebody().number });
    await chat.inbound({ number: person.hidden, report: 'true', id, status: 'viewed' });
    const { body } = await chat.as(chat.people.rina, 'chat_inbox', ref);
    const { data } = body as { data: { pesan_id: string; status_ack: string }[] };
    expect(data.find((message) => message.pesan_id === id)).toMatchObject({ status_ack: 'viewed' });
  });

  it.each([
    ['has a chat of its own', (person: Person) => person],
    ['is somebody else’s, as another device was told', ({ number }: Person) => ({ ...somebody(), number })],
  ])('is the gateway with what became of a message that went by it, also when the number %s', async (_, whose) => {
    const person = somebody();
    const [ref, id] = [await hides(person), `${person.number}-dua`];
    const number = `${person.number}@s.whatsapp.net`;
    await chat.inbound({ number });
    await shows(whose(person));
    await chat.as(chat.people.rina, 'send_message', { ...ref, pesan: 'siap kak', pesan_id: id });
    await until(() => sent(person.hidden).includes('siap kak'));
    await chat.inbound({ number, report: 'true', id, status: 'viewed' });
    const { body } = await chat.as(chat.people.rina, 'chat_inbox', ref);
    const { data } = body as { data: { pesan_id: string; status_ack: string }[] };
    expect(data.find((message) => message.pesan_id === id)).toMatchObject({ status_ack: 'viewed' });
  });

  it('finds no chat of a store that does not know the hidden id, and that of the hidden id itself where both have one', async () => {
    const person = somebody();
    await shows(person, { id: `${person.number}-a` });
    await chat.database.query(`DELETE FROM conversation_aliases WHERE alias = $1`, [person.hidden]);
    const ref = await hides(person);
    await shows(person);
    expect(ref.nohp).toBe(person.hidden);
    const { body } = await chat.as(chat.people.rina, 'chat_inbox', { ...ref, chatId: undefined });
    expect(body).toMatchObject({ result: true, chat_list: { chatId: ref.chatId, nohp: person.hidden } });
    const foreign = { ...ref, instance: 'dev2', team: '3', chatId: undefined };
    expect((await chat.as(chat.people.stranger, 'chat_inbox', foreign)).body).toMatchObject({ code: 'chat_not_found' });
  });
});

it('who hides the number by an id as long as Meta makes them is read and answered', async () => {
  const person = { hidden: `ID.ENT.${'a'.repeat(128)}@bsuid`, number: '' };
  const ref = await hides(person);
  const { body } = await chat.as(chat.people.rina, 'chat_inbox', ref);
  expect(body).toMatchObject({ result: true, chat_list: { chatId: ref.chatId, nohp: person.hidden } });
  await chat.as(chat.people.rina, 'send_message', { ...ref, pesan: 'halo juga' });
  await until(() => sent(person.hidden).includes('halo juga'));
});

it('who has no chat on a device is written to by the number that another one knows, and answers in the same chat', async () => {
  const person = somebody();
  await shows(person);
  const named = { nohp: person.hidden, instance: 'vip', team: '3', pesan: 'pesanan dikirim' };
  const { body } = await chat.as(chat.people.rina, 'send_express', named);
  expect(body).toMatchObject({ result: true, chat_list: { nohp: person.number } });
  const { chatId } = (body as { chat_list: { chatId: string } }).chat_list;
  expect(await hides(person, { instanceID: 'vip' })).toMatchObject({ chatId, nohp: person.number });
});

it('what waits for the gateway under the hidden id goes before what is said after the number was learned', async () => {
  const person = somebody();
  const ref = await hides(person);
  const says = (pesan: string) =>
    chat.as(chat.people.rina, 'send_message', { ...ref, pesan, pesan_id: `${person.number}-${pesan}` });
  let release = (): void => undefined;
  chat.gateway.held.set(`${person.number}-satu`, new Promise<void>((resolve) => (release = resolve)));
  await says('satu');
  await says('dua');
  await until(() => sent(person.hidden).includes('satu'));
  await shows(person);
  await says('tiga');
  await says('empat');
  const theirs = () => [...sent(person.hidden), ...sent(person.number)];
  expect(theirs()).toEqual(['satu']);
  release();
  await until(() => theirs().length === 4);
  expect(theirs()).toEqual(['satu', 'dua', 'tiga', 'empat']);
  await until(async () => (await chat.database.query(`SELECT 1 FROM outbox_row WHERE state = 'queued'`)).length === 0);
  await says('lima');
  await until(() => sent(person.number).includes('lima'));
  const lanes = await chat.database.query<{ lane: string }>(
    `SELECT r.lane FROM outbox_row r WHERE r.payload->>'conversationId' = $1 ORDER BY r.id`,
    [ref.chatId.split('.')[1]],
  );
  const [before, now] = [`dev1|${person.hidden}`, `dev1|${person.number}`];
  expect(lanes.map(({ lane }) => lane)).toEqual([before, before, before, before, now]);
});

it.each([
  ['hidden', 'names both'],
  ['number', 'names both'],
  ['number', 'names no other'],
])(
  'its own message that the phone echoes by the %s, and %s, while it is being sent by the other is one row',
  async (echoed, names) => {
    const person = somebody();
    const ref = await hides(person);
    const id = `${person.number}-gema`;
    let release = (): void => undefined;
    chat.gateway.held.set(id, new Promise<void>((resolve) => (release = resolve)));
    const says = () => chat.as(chat.people.rina, 'send_message', { ...ref, pesan: 'gema', pesan_id: id });
    const isSending = () => until(() => chat.gateway.calls.some(({ pesanId }) => pesanId === id));
    if (echoed === 'number') await says().then(isSending);
    await shows(person);
    if (echoed === 'hidden') await says().then(isSending);
    const echo = { id: `WA-${id}`, fromMe: 'true', text: 'gema' };
    const { body } = await chat.inbound({
      ...{ ...echo, number: echoed === 'hidden' ? person.hidden : `${person.number}@s.whatsapp.net` },
      ...(names === 'names both' && { rawMessage: JSON.stringify({ lid: person.hidden }) }),
    });
    expect(body).toMatchObject({ result: false, code: 'chat_busy' });
    release();
  },
);

it('its bot is asked for the number, and told what the chat began as, under which it keeps what it remembers', async () => {
  const person = somebody();
  const asked = (id: string) =>
    until(
      () => bot.questions.find(({ idMessage }) => idMessage === `${person.number}-${id}`),
      (question) => question !== undefined,
    );
  await hides(person, { id: `${person.number}-1`, instanceID: 'vip' });
  expect(await asked('1')).toMatchObject({ idUser: person.hidden });
  await shows(person, { id: `${person.number}-2`, instanceID: 'vip' });
  expect(await asked('2')).toMatchObject({ idUser: person.number, begunAs: person.hidden });
  expect(bot.questions.map(({ begunAs }) => begunAs)).toEqual([undefined, person.hidden]);
});

it('what a device remembers the number of joins the chat of the number also when that begins in the same moment', async () => {
  const [person, other] = [somebody(), somebody()];
  await hides(person);
  await shows(other);
  const rawMessage = JSON.stringify({ lid: person.hidden, lidSince: 1_795_157_100 });
  const [joins] = await chat.database.tx(async (tx) => {
    const begins = `UPDATE conversations SET nohp = $1 WHERE nohp = $2 AND instance = 'dev1'`;
    await tx.query(begins, [person.number, other.number]);
    const call = shows(person, { rawMessage });
    await untilWaiting(tx, call);
    return [call];
  });
  expect(await joins).toMatchObject({ nohp: person.number });
});

it('a STOP by the hidden id holds also when the number is learned in the same moment', async () => {
  const person = somebody();
  await hides(person);
  const [call] = await chat.database.tx(async (tx) => {
    for (const table of ['customers', 'conversations'])
      await tx.query(`UPDATE ${table} SET nohp = $1 WHERE nohp = $2`, [person.number, person.hidden]);
    const call = chat.inbound({ number: person.hidden, text: 'STOP', id: `${person.number}-stop` });
    await untilWaiting(tx, call);
    const link = `INSERT INTO conversation_aliases (store_id, instance, alias, nohp) VALUES ('S1', 'dev1', $1, $2)`;
    await tx.query(link, [person.hidden, person.number]);
    return [call];
  });
  expect(listed((await call)?.body)).toMatchObject({ nohp: person.number, last_seq: 2 });
  const stopped = `SELECT nohp, opt_out FROM customers WHERE nohp = ANY ($1)`;
  expect(await chat.database.query(stopped, [[person.number, person.hidden]])).toEqual([
    { nohp: person.number, opt_out: true },
  ]);
});
