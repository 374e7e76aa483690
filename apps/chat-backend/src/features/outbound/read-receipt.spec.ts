import { Sends } from '@platform/runtime';
import { until } from '@platform/testing';
import { startLifecycle, type Lifecycle, type Ref } from '../lifecycle/lifecycle.fixture';

let chat: Lifecycle;
let sends: Sends;
const start = async (environment: Record<string, string>) => {
  sends = new Sends('released');
  chat = await startLifecycle({ sends, environment });
};
afterEach(() => chat.stop());

const SUCCESS = { result: true, message: 'success mark as read' };
const receiptRows = () =>
  chat.database.query(`SELECT lane, state, payload FROM outbox_row WHERE kind = 'read' ORDER BY id`);
const write = ({ nohp }: Ref, id: string, more: Record<string, string> = {}) =>
  chat.inbound({ number: `${nohp}@s.whatsapp.net`, id, ...more });
const markRead = async (ref: Ref) => (await chat.post('/v1/chat_markread', ref)).body;
const settled = (rows: number) =>
  until(receiptRows, (all) => all.length === rows && all.every(({ state }) => state === 'done'));
/** Ids of a chat's first message, which its fixture wrote, are not ours to choose. */
const readChat = async () => {
  const ref = await chat.newChat();
  await chat.database.query('UPDATE conversations SET read_seq = last_seq, unread_count = 0 WHERE nohp = $1', [
    ref.nohp,
  ]);
  return ref;
};

describe('SEND_READ_RECEIPT', () => {
  it('off tells nobody that a chat was read', async () => {
    await start({});
    const ref = await readChat();
    await write(ref, 'R0');
    expect(await markRead(ref)).toEqual(SUCCESS);
    expect(await receiptRows()).toEqual([]);
  });

  it('on tells WhatsApp once which messages of the customer were read, in a lane of its own', async () => {
    await start({ SEND_READ_RECEIPT: 'on' });
    const ref = await readChat();
    for (const id of ['R1', 'R2']) await write(ref, id);
    await write(ref, 'OWN', { fromMe: 'true' });
    for (let times = 0; times < 2; times++) expect(await markRead(ref)).toEqual(SUCCESS);
    await write(ref, 'R3');
    expect(await markRead(ref)).toEqual(SUCCESS);
    await settled(2);
    const receipt = { instance: 'dev1', number: ref.nohp };
    expect(chat.gateway.receipts).toEqual([
      { ...receipt, ids: ['R1', 'R2'] },
      { ...receipt, ids: ['R3'] },
    ]);
    expect((await receiptRows())[0]).toMatchObject({ lane: `dev1|${ref.nohp}|read` });
  });

  it('names at most 100 messages in one call', async () => {
    await start({ SEND_READ_RECEIPT: 'on' });
    const ref = await readChat();
    for (let n = 0; n < 101; n++) await write(ref, `M${n}`);
    await markRead(ref);
    await settled(2);
    expect(chat.gateway.receipts.map(({ ids }) => [ids[0], ids.length])).toEqual([
      ['M0', 100],
      ['M100', 1],
    ]);
  });

  it('waits while sends are held, and goes out once after the release', async () => {
    await start({ SEND_READ_RECEIPT: 'on' });
    sends.hold();
    const ref = await readChat();
    await write(ref, 'H1');
    expect(await markRead(ref)).toEqual(SUCCESS);
    await chat.post('/v1/send_message', { ...ref, pesan: 'halo' });
    expect([(await receiptRows()).map(({ state }) => state), chat.gateway.receipts]).toEqual([['queued'], []]);
    sends.release();
    await settled(1);
    expect(chat.gateway.receipts).toEqual([{ instance: 'dev1', number: ref.nohp, ids: ['H1'] }]);
  });

  it('that the gateway refuses for good is given up and leaves nothing dead', async () => {
    await start({ SEND_READ_RECEIPT: 'on' });
    chat.gateway.receiptAnswers.push({ status: 501, message: 'engine does not support this' });
    const ref = await readChat();
    await write(ref, 'N1');
    await markRead(ref);
    await settled(1);
    expect(chat.gateway.receipts).toHaveLength(1);
  });

  it('that the gateway does not take holds up no reply of the same device', async () => {
    await start({ SEND_READ_RECEIPT: 'on' });
    // More than one target has lanes, and more failures than its breaker takes
    chat.gateway.receiptAnswers.push(...Array(200).fill({ status: undefined, message: 'no answer' }));
    const refs = [];
    for (let n = 0; n < 20; n++) refs.push(await chat.newChat());
    for (const ref of refs) await markRead(ref);
    await until(() => chat.gateway.receipts.length >= 10);
    await chat.post('/v1/send_message', { ...(refs[0] as Ref), pesan: 'halo' });
    const states = () =>
      chat.database.query(`SELECT state, count(*)::int AS rows FROM outbox_row GROUP BY state ORDER BY 1`);
    expect(await until(states, (rows) => rows.length === 2)).toEqual([
      { state: 'done', rows: 1 },
      { state: 'queued', rows: 20 },
    ]);
    expect(chat.gateway.calls).toHaveLength(1);
    // How often an unreachable target is probed has no say in this
    expect(await chat.database.query(`SELECT target FROM outbox_target`)).toEqual([{ target: 'dev1|read' }]);
  });

  it('that could not be told for as long as a reply is tried is told no more', async () => {
    await start({ SEND_READ_RECEIPT: 'on' });
    chat.gateway.receiptAnswers.push({ status: 503, message: 'busy', retryAfterSeconds: 600 });
    const ref = await readChat();
    await write(ref, 'OLD');
    await markRead(ref);
    const tried = `UPDATE outbox_row SET first_try_at = now() - interval '90 days' WHERE first_try_at IS NOT NULL RETURNING id`;
    await until(async () => (await chat.database.query(tried)).length);
    await chat.database.query(`UPDATE outbox_lane SET next_at = now() WHERE next_at < 'infinity' AND fence IS NULL`);
    await chat.database.query(`UPDATE outbox_target SET held_until = now()`);
    await chat.database.query('SELECT outbox_notify()');
    await settled(1);
    expect(chat.gateway.receipts.map(({ ids }) => ids)).toEqual([['OLD']]);
    expect(await chat.database.query('SELECT outcome FROM outbox_row')).toEqual([{ outcome: 'too late' }]);
  });

  it('is repeated when the gateway is away', async () => {
    await start({ SEND_READ_RECEIPT: 'on' });
    chat.gateway.receiptAnswers.push({ status: 503, message: 'busy', retryAfterSeconds: 0.01 });
    const ref = await readChat();
    await write(ref, 'A1');
    await markRead(ref);
    await settled(1);
    expect(chat.gateway.receipts.map(({ ids }) => ids)).toEqual([['A1'], ['A1']]);
  });
});
