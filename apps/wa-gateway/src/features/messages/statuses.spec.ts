import type { StatusChange } from '../../engines/engine.types';
import { useGateway, useSocket, timePasses, until, type Gateway } from '../../gateway.fixture';
import type { DeviceSink } from '../devices/device.sink';
import type { DeviceLine } from '../devices/device-line';
import type { GatewayEvents } from '../realtime/public';

const GROUP = '120363000000000001@g.us';
const BUDI = '628123456789@s.whatsapp.net';
const AT = 1_795_180_000;
let sink: DeviceSink;
let heard: [string, GatewayEvents['messageStatus' | 'messageFailed']][];

const lineOf = async ({ app }: Gateway, instanceId: string): Promise<DeviceLine> => {
  const line = await app.fleet.here(instanceId);
  if (!line) throw new Error(`${instanceId} is not at work`);
  return line;
};

const gateway = useGateway();
const socket = useSocket(gateway);
beforeAll(async () => {
  const { client, app } = gateway;
  await client.link('dev1');
  sink = app.sinkOf(await lineOf(gateway, 'dev1'));
  for (const name of ['messageStatus', 'messageFailed'] as const)
    socket.on(name, (payload: GatewayEvents[typeof name]) => heard.push([name, payload]));
});

const status = (id: string, level: StatusChange['level'], more: Partial<StatusChange> = {}) =>
  sink.status({ id, chat: BUDI, level, at: AT, ...more });
/** Typed on the phone that the device belongs to. */
const typed = (id: string, chat = BUDI) =>
  sink.message({ id, chat, fromMe: true, at: AT, kind: 'chat', text: id, raw: {} });
const told = (id: string, count: number) =>
  until(
    () => gateway.receiver.statuses(id),
    ({ length }) => length === count,
  );
/** Waits until no callback is queued. */
const settled = () =>
  until(
    () => gateway.database.query(`SELECT 1 FROM outbox_row WHERE state = 'queued'`),
    ({ length }) => length === 0,
  );
beforeEach(async () => {
  await settled();
  gateway.receiver.reset();
  heard = [];
});
const levelsHeard = (id: string) =>
  heard.filter(([, payload]) => payload.id === id).map(([, payload]) => ('status' in payload ? payload.status : ''));

describe('statuses of messages', () => {
  it('rise and never fall: levels may be skipped, repeated and late', async () => {
    await typed('S-1');
    for (const level of ['sent', 'sent', 'viewed', 'delivered', 'pending', 'viewed', 'played', 'sent'] as const)
      await status('S-1', level);
    expect(await told('S-1', 3)).toEqual(['sent', 'viewed', 'played']);
    await settled();
    expect(gateway.receiver.statuses('S-1')).toEqual(['sent', 'viewed', 'played']);
    expect(levelsHeard('S-1')).toEqual(['sent', 'viewed', 'played']);
  });

  it('that come before their message wait for it, and are told with it', async () => {
    await status('S-2', 'sent');
    await status('S-2', 'viewed');
    await settled();
    expect([gateway.receiver.calls, levelsHeard('S-2')]).toEqual([[], []]);
    await typed('S-2');
    expect(await told('S-2', 1)).toEqual(['viewed']);
    await until(
      () => levelsHeard('S-2'),
      ({ length }) => length === 1,
    );
    await status('S-2', 'delivered');
    await status('S-2', 'played');
    expect(await told('S-2', 2)).toEqual(['viewed', 'played']);
    expect(gateway.receiver.taken.at(-1)?.parts).toEqual([
      ['instanceID', 'dev1'],
      ['result', 'true'],
      ['report', 'true'],
      ['number', BUDI],
      ['id', 'S-2'],
      ['timestamp', String(AT)],
      ['status', 'played'],
    ]);
  });

  it('that come together with their message are never lost, whichever is first', async () => {
    const ids = Array.from({ length: 40 }, (_, n) => `S-R${n}`);
    await Promise.all(ids.flatMap((id) => [status(id, 'delivered'), typed(id)]));
    for (const id of ids) expect(await told(id, 1)).toEqual(['delivered']);
  });

  it('of unknown messages are told to nobody', async () => {
    await status('nobody', 'viewed');
    await settled();
    expect([gateway.receiver.calls, heard]).toEqual([[], []]);
  });
});

describe('receipts of a group', () => {
  it('are told when the first person reaches a level; sockets hear of every person', async () => {
    await typed('G-1', GROUP);
    const from = (person: string, level: StatusChange['level']) =>
      status('G-1', level, { chat: GROUP, participant: `62812000000${person}@s.whatsapp.net` });
    await status('G-1', 'sent', { chat: GROUP });
    const receipts = [
      ['1', 'delivered'],
      ['2', 'delivered'],
      ['2', 'viewed'],
      ['3', 'delivered'],
      ['1', 'viewed'],
      ['3', 'played'],
      ['1', 'played'],
    ] as const;
    for (const [person, level] of receipts) await from(person, level);
    expect(await told('G-1', 4)).toEqual(['sent', 'delivered', 'viewed', 'played']);
    await until(
      () => heard.length,
      (count) => count === 8,
    );
    expect(
      heard.map(([, payload]) =>
        'participant' in payload ? [payload.participant?.slice(11, 12), payload.status] : [],
      ),
    ).toEqual([[], ...receipts]);
    await settled();
    expect(gateway.receiver.statuses('G-1')).toHaveLength(4);
  });

  it('that come at the same moment are still told in rising order', async () => {
    const levels = ['delivered', 'viewed', 'played'] as const;
    const ids = Array.from({ length: 20 }, (_, n) => `G-R${n}`);
    for (const id of ids) await typed(id, GROUP);
    await Promise.all(
      ids.flatMap((id) =>
        levels.map((level, person) => status(id, level, { chat: GROUP, participant: `62812${person}@s.whatsapp.net` })),
      ),
    );
    await settled();
    for (const id of ids) {
      const seen = gateway.receiver.statuses(id).map((each) => levels.indexOf(each as 'viewed'));
      expect([...seen].sort()).toEqual(seen);
      expect(seen.at(-1)).toBe(2);
    }
  });
});

describe('a status lane that backs off after a failure', () => {
  /** Until time passes: or it would be tried again amid what comes, where that comes slowly. */
  const REST = `UPDATE outbox_lane SET next_at = now() + interval '1 hour'
    WHERE next_at > now() AND next_at < 'infinity' AND fence IS NULL RETURNING lane`;

  it('gives way to a higher level of the same message, and only of the same', async () => {
    const { receiver, database } = gateway;
    for (const id of ['B-0', 'B-1', 'B-2']) await typed(id);
    await settled();
    receiver.answer = () => ({ status: 500 });
    await status('B-0', 'sent');
    await until(() => receiver.calls.some(({ fields }) => fields.report === 'true'), Boolean);
    await until(
      () => database.query(REST),
      ({ length }) => length > 0,
    );
    for (const level of ['sent', 'delivered', 'viewed'] as const) await status('B-1', level);
    await status('B-2', 'sent');
    receiver.reset();
    await timePasses(database);
    await settled();
    expect(receiver.taken.map(({ fields }) => `${fields.id} ${fields.status}`)).toEqual([
      'B-0 sent',
      'B-1 viewed',
      'B-2 sent',
    ]);
  });
});
