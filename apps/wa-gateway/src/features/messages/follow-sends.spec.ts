import { untilWaiting } from '@platform/testing';
import { EngineOffline, EngineRefused } from '../../engines/engine.errors';
import type { WaEngine } from '../../engines/engine.types';
import { useGateway, useSocket, until } from '../../gateway.fixture';
import { accepted } from '../../receiver.fixture';
import type { DeviceLine } from '../devices/device-line';
import { MessagesRepository } from './messages.repository';
import { MARK_HANDED_OVER } from './messages.sql';

const BUDI = '628123456789';
let line: DeviceLine;
const heard: unknown[] = [];

const gateway = useGateway({ WEBHOOK_SEND_PENDING: 'false' });
const socket = useSocket(gateway);
beforeAll(async () => {
  const { client, app } = gateway;
  await client.link('dev1');
  await client.data(client.post('/sim/phones', { nohp: BUDI }));
  line = (await app.fleet.here('dev1')) as DeviceLine;
  socket.on('messageFailed', (payload: unknown) => heard.push(payload));
});
beforeEach(() => {
  gateway.receiver.reset();
  heard.length = 0;
});
afterEach(async () => {
  await gateway.client.data(gateway.client.post('/sim/faults', { drop: false, nack463: false }));
  jest.restoreAllMocks();
});

const send = (pesanId: string, text = pesanId): Promise<{ id: string }> =>
  gateway.client.data(gateway.client.send(pesanId, BUDI, text, { instanceID: 'dev1' }));
const stateOf = async (id: string): Promise<unknown> =>
  (await gateway.database.query('SELECT send_state AS state, error_code AS code FROM message WHERE id = $1', [id]))[0];
const reaches = (id: string, state: string) =>
  until(
    () => stateOf(id),
    (row) => (row as { state: string } | undefined)?.state === state,
  );
const aMinuteLater = () => gateway.database.query(`UPDATE message SET sent_at = sent_at - interval '61 seconds'`);
const told = (id: string, last: string) =>
  until(
    () => gateway.receiver.statuses(id),
    (statuses) => statuses.includes(last),
  );
const failureOf = (pesanId: string, code: string) => ({
  status: 'pending',
  rawMessage: JSON.stringify({ pesan_id: pesanId, failed: { code, retryable: false } }),
});
const callbacksOf = (id: string) =>
  gateway.receiver.taken
    .filter(({ fields }) => fields.id === id)
    .map(({ fields: { status, rawMessage } }) => ({ status, rawMessage }));

describe('an unacknowledged send', () => {
  it('goes out once more after a minute with the same id, and is reported as usual', async () => {
    const { client, app } = gateway;
    await client.data(client.post('/sim/faults', { drop: true }));
    const { id } = await send('A-1');
    await reaches(id, 'sent_to_engine');
    await app.fleet.chase(); // too early
    await client.data(client.post('/sim/faults', { drop: false }));
    await aMinuteLater();
    await app.fleet.chase();
    expect(await told(id, 'delivered')).toEqual(['sent', 'delivered']);
    expect(await gateway.database.query('SELECT copies FROM sim_message WHERE id = $1', [id])).toEqual([{ copies: 1 }]);
    expect(await stateOf(id)).toEqual({ state: 'acked', code: null });
  });

  it('fails after the second minute with NO_ACK: one event, one callback', async () => {
    const { client, app, receiver } = gateway;
    await client.data(client.post('/sim/faults', { drop: true }));
    const { id } = await send('A-2');
    await reaches(id, 'sent_to_engine');
    await aMinuteLater();
    await app.fleet.chase();
    await until(
      () =>
        gateway.database.query('SELECT 1 FROM message WHERE id = $1 AND repeats = 1 AND send_state = $2', [
          id,
          'sent_to_engine',
        ]),
      ({ length }) => length === 1,
    );
    await app.fleet.chase();
    expect(await stateOf(id)).toEqual({ state: 'sent_to_engine', code: null });
    await aMinuteLater();
    await app.fleet.chase();
    await app.fleet.chase();
    expect(await stateOf(id)).toEqual({ state: 'failed', code: 'NO_ACK' });
    await told(id, 'pending');
    await until(
      () => heard,
      ({ length }) => length === 1,
    );
    expect(heard).toEqual([
      { instanceID: 'dev1', number: `${BUDI}@s.whatsapp.net`, id, pesan_id: 'A-2', code: 'NO_ACK', retryable: false },
    ]);
    expect(callbacksOf(id)).toEqual([failureOf('A-2', 'NO_ACK')]);
    expect(receiver.taken).toHaveLength(1);
  });

  it('is none when the acknowledgement and the end of the hand-over are written down at the same moment', async () => {
    const { client, app, database } = gateway;
    await client.data(client.post('/sim/faults', { drop: true }));
    const { id } = await send('A-4');
    await reaches(id, 'sent_to_engine');
    await database.query(`UPDATE message SET send_state = 'sending', wa_id = NULL WHERE id = $1`, [id]);
    const acknowledged = await database.tx(async (tx) => {
      await tx.query(MARK_HANDED_OVER, ['dev1', id, id]);
      const written = app
        .sinkOf(line)
        .status({ id, chat: `${BUDI}@s.whatsapp.net`, level: 'sent', at: Date.now() / 1000 });
      await untilWaiting(tx, written);
      return { written };
    });
    await acknowledged.written;
    expect(await stateOf(id)).toEqual({ state: 'acked', code: null });
  });

  it('is left alone while there is no line', async () => {
    const { client, app } = gateway;
    await client.data(client.post('/sim/faults', { drop: true }));
    const { id } = await send('A-3');
    await reaches(id, 'sent_to_engine');
    await aMinuteLater();
    line.outgoing.pause();
    await app.fleet.chase();
    expect(await stateOf(id)).toEqual({ state: 'sent_to_engine', code: null });
    await client.data(client.post('/sim/faults', { drop: false }));
    line.outgoing.resume();
    await app.fleet.chase();
    expect(await told(id, 'delivered')).toEqual(['sent', 'delivered']);
  });
});

describe('an engine that must not repeat a send', () => {
  /** As the cloud: without an idempotency key, so what may have left must not leave again. */
  const unrepeatable = () => jest.replaceProperty(line.engine as { repeatable: boolean }, 'repeatable', false);
  it('sends once what the search for forgotten sends has found just before it left', async () => {
    const { client, database } = gateway;
    unrepeatable();
    await client.data(client.post('/sim/faults', { drop: true }));
    const handedOver = jest.spyOn(line.engine as WaEngine, 'send');
    line.outgoing.pause();
    const { id } = await send('N-0');
    await database.query(`UPDATE message SET created_at = created_at - interval '11 seconds' WHERE id = $1`, [id]);
    const read = MessagesRepository.prototype.forgotten;
    jest.spyOn(MessagesRepository.prototype, 'forgotten').mockImplementation(async function (
      this: MessagesRepository,
      instanceId,
    ) {
      const found = await read.call(this, instanceId);
      line.outgoing.resume();
      await reaches(id, 'sent_to_engine');
      await until(
        () => line.outgoing.size,
        (size) => size === 0,
      );
      return found;
    });
    await line.pickUpForgotten();
    await until(
      () => line.outgoing.size,
      (size) => size === 0,
    );
    expect(handedOver).toHaveBeenCalledTimes(1);
    await database.query('DELETE FROM message WHERE id = $1', [id]);
  });

  it('sends what was offline when it could not even be put back', async () => {
    unrepeatable();
    const offline = jest.spyOn(line.engine as WaEngine, 'send').mockRejectedValueOnce(new EngineOffline('no line'));
    jest.spyOn(MessagesRepository.prototype, 'markQueued').mockRejectedValueOnce(new Error('the database is away'));
    const { id } = await send('N-00');
    await until(
      () => offline.mock.calls.length,
      (calls) => calls === 1,
    );
    await reaches(id, 'sending');
    line.outgoing.resume();
    await reaches(id, 'acked');
    expect(offline).toHaveBeenCalledTimes(2);
  });

  const failing = (failure: Error) => jest.spyOn(line.engine as WaEngine, 'send').mockRejectedValue(failure);

  it('waits a minute for a sign of an uncertain send, then fails it, and never resends it', async () => {
    unrepeatable();
    const tries = failing(new Error('connection reset'));
    const { id } = await send('C-1');
    await reaches(id, 'sending');
    await gateway.app.fleet.chase();
    await aMinuteLater();
    await gateway.app.fleet.chase();
    expect(await stateOf(id)).toEqual({ state: 'failed', code: 'NO_ACK' });
    await told(id, 'pending');
    expect([callbacksOf(id), tries.mock.calls.length]).toEqual([[failureOf('C-1', 'NO_ACK')], 1]);
  });

  it('resends what certainly did not leave', async () => {
    unrepeatable();
    const tries = failing(new EngineOffline('no line'));
    const { id } = await send('C-2');
    await until(
      () => tries.mock.calls.length,
      (calls) => calls === 1,
    );
    await reaches(id, 'queued');
    tries.mockRestore();
    line.outgoing.resume();
    expect(await told(id, 'delivered')).toEqual(['sent', 'delivered']);
  });

  it('takes up after a start what was never tried, and nothing else; another engine takes up all of it', async () => {
    const { database } = gateway;
    for (const [n, state] of ['queued', 'sending', 'sent_to_engine', 'acked', 'failed'].entries())
      await database.query(
        `INSERT INTO message (instance_id, chat, from_me, id, direction, type, payload, send_state, at, created_at)
         VALUES ('dev1', $1, true, $2, 'out', 'chat', '{}', $2, now(), now() - interval '1 day')`,
        [`62812000000${n}@s.whatsapp.net`, state],
      );
    const pushed: string[] = [];
    jest.spyOn(line.outgoing, 'push').mockImplementation(({ id }) => void pushed.push(id));
    await line.recover();
    expect(pushed.splice(0)).toEqual(['queued', 'sending', 'sent_to_engine']);
    unrepeatable();
    await line.recover();
    expect(pushed).toEqual(['queued']);
    await database.query(`DELETE FROM message WHERE id IN ('queued', 'sending', 'sent_to_engine', 'acked', 'failed')`);
  });
});

describe('a process that dies again and again', () => {
  it('repeats a send once: the next start leaves it to its minute, and then it has failed', async () => {
    const { database, app } = gateway;
    await database.query(
      `INSERT INTO message (instance_id, chat, from_me, id, direction, type, payload, send_state, sent_at, repeats, at)
       VALUES ('dev1', $1, true, 'again', 'out', 'chat', '{}', 'sending', now(), 1, now())`,
      [`${BUDI}@s.whatsapp.net`],
    );
    const push = jest.spyOn(line.outgoing, 'push');
    await line.recover();
    expect(push).not.toHaveBeenCalled();
    await aMinuteLater();
    await app.fleet.chase();
    expect(await stateOf('again')).toEqual({ state: 'failed', code: 'NO_ACK' });
  });
});

describe('the failure of an accepted send', () => {
  it('by WhatsApp, error 463, is told once and once only, also where pending is not told', async () => {
    const { client } = gateway;
    await client.data(client.post('/sim/faults', { nack463: true }));
    const { id } = await send('F-463');
    await told(id, 'pending');
    await until(
      () => heard,
      ({ length }) => length === 1,
    );
    expect([callbacksOf(id), await stateOf(id)]).toEqual([
      [failureOf('F-463', 'WA_463')],
      { state: 'failed', code: 'WA_463' },
    ]);
    await line.chase(0);
    expect(heard).toHaveLength(1);
  });

  it('by an engine that refuses it has the reason of the engine', async () => {
    jest.spyOn(line.engine as WaEngine, 'send').mockRejectedValue(new EngineRefused('UPLOAD', 'no upload'));
    const { id } = await send('F-UP');
    await told(id, 'pending');
    await until(
      () => heard,
      ({ length }) => length === 1,
    );
    expect(callbacksOf(id)).toEqual([failureOf('F-UP', 'UPLOAD')]);
  });

  it('by a logout is reported once for every waiting send', async () => {
    const { client, receiver } = gateway;
    receiver.answer = () => accepted;
    line.outgoing.pause();
    const ids = await Promise.all([0, 1, 2].map(async (n) => (await send(`L-${n}`)).id));
    await client.data(client.get('/api/logout?instanceID=dev1'));
    for (const [n, id] of ids.entries()) {
      await told(id, 'pending');
      expect(callbacksOf(id)).toEqual([failureOf(`L-${n}`, 'LOGGED_OUT')]);
      expect(await stateOf(id)).toEqual({ state: 'failed', code: 'LOGGED_OUT' });
    }
    await until(
      () => heard,
      ({ length }) => length === 3,
    );
    await client.data(client.get('/api/logout?instanceID=dev1'));
    expect(receiver.taken).toHaveLength(3);
  });

  it('by a logout during which it was accepted, or whose process was killed, is reported soon and waits for no other account', async () => {
    const { app, database, receiver } = gateway;
    receiver.answer = () => accepted;
    await database.query(
      `INSERT INTO message (instance_id, chat, id, from_me, direction, type, pesan_id, role, payload, send_state, body_hash, at, created_at)
       SELECT instance_id, chat, 'LATE', from_me, direction, type, 'L-late', role, payload, 'queued', body_hash, at, now() - interval '11 seconds'
       FROM message WHERE pesan_id = 'L-0'`,
    );
    await app.fleet.pickUpForgotten();
    expect(await stateOf('LATE')).toEqual({ state: 'failed', code: 'LOGGED_OUT' });
    await until(() => callbacksOf('LATE').length > 0);
    expect(callbacksOf('LATE')).toEqual([failureOf('L-late', 'LOGGED_OUT')]);
  });
});
