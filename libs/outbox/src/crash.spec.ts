import { join } from 'node:path';
import type { SendsState } from '@platform/runtime';
import {
  jsonOf,
  startHttpServer,
  startScript,
  truncateAll,
  until,
  useOpened,
  type RunningScript,
} from '@platform/testing';
import type { Outbox } from './outbox.types';
import { NOTE, outboxOf, Receiver, row, send, useOutboxDatabase } from './outbox.fixture';

const LANES = 20;
const ROWS = 150;
const PROCESSES = 4;
const KILLS = 8;

interface Arrival {
  eventId: string;
  lane: string;
  kind: string;
  payload: number;
}

const ended = useOpened();
const database = useOutboxDatabase();

afterEach(() => truncateAll(database));

const startChild = (receiver: string, sends: SendsState = 'released'): RunningScript => {
  const env = { ...database.settings, RECEIVER_URL: receiver, SENDS: sends };
  return ended(startScript(join(__dirname, 'dispatch.child.ts'), env));
};
const kill = (child: RunningScript): Promise<void> => child.stop();

/** Accepts everything, sometimes after a failure, and records the order of acceptance. */
const startReceiver = async (arrivals: Arrival[]): Promise<string> => {
  let requests = 0;
  const server = await startHttpServer(async (request, response) => {
    const arrival = (await jsonOf(request)) as Arrival;
    if (++requests % 97 === 0) return void response.writeHead(500).end();
    arrivals.push(arrival);
    response.end();
  });
  return `${ended(server).url}/`;
};

/** The events of a lane in the order of their first acceptance, and those that arrived again after a newer one. */
const judge = (arrivals: Arrival[], lane: string) => {
  const first: number[] = [];
  const overtaken: number[] = [];
  for (const { payload } of arrivals.filter((arrival) => arrival.lane === lane)) {
    if (payload !== first.at(-1) && first.includes(payload)) overtaken.push(payload);
    if (!first.includes(payload)) first.push(payload);
  }
  return { first, overtaken };
};

it('an outbox loses nothing and keeps the order of every lane while processes are killed with kill -9', async () => {
  const arrivals: Arrival[] = [];
  const url = await startReceiver(arrivals);
  const outbox = outboxOf(database, new Receiver());
  const running = Array.from({ length: PROCESSES }, () => startChild(url));
  await until(
    () =>
      database.query(
        `SELECT 1 FROM pg_stat_activity WHERE query LIKE '%outbox_claim%' AND datname = current_database()`,
      ),
    (seen) => seen.length > 0,
  );

  const writing = (async () => {
    for (let n = 0; n < ROWS; n++)
      await send(
        database,
        outbox,
        ...Array.from({ length: LANES }, (_, lane) => row(`lane ${lane}`, n, { target: 'crm' })),
      );
  })();
  for (let killed = 0; killed < KILLS; killed++) {
    const due = arrivals.length + (LANES * ROWS) / (2 * KILLS);
    await until(
      () => arrivals.length,
      (count) => count >= Math.min(due, LANES * ROWS - 1),
    );
    const victim = running.shift();
    if (victim) await kill(victim);
    running.push(startChild(url));
  }
  await writing;
  await until(
    () => outbox.backlog(),
    ({ queued }) => queued === 0,
  );
  await Promise.all(running.map(kill));

  const expected = { first: [...Array(ROWS).keys()], overtaken: [] };
  for (let lane = 0; lane < LANES; lane++) expect(judge(arrivals, `lane ${lane}`)).toEqual(expected);
  const events = new Set(arrivals.map(({ eventId }) => eventId));
  expect(events.size).toBe(LANES * ROWS);
  expect(await outbox.backlog()).toEqual({ queued: 0, oldestSeconds: 0, dead: 0 });
});

it('held outward rows are untouched while their processes are killed with kill -9, and sent in order after the release', async () => {
  const arrivals: Arrival[] = [];
  const url = await startReceiver(arrivals);
  const outbox = outboxOf(database, new Receiver());
  const lanes = [...Array(10).keys()];
  const notes = () => arrivals.filter(({ kind }) => kind === 'note').length;
  let running = [startChild(url, 'held'), startChild(url, 'held')];
  for (let round = 0; round < 4; round++) {
    const target = { target: 'crm' };
    for (const lane of lanes) {
      const messages = Array.from({ length: 5 }, (_, n) => row(`lane ${lane}`, round * 5 + n, target));
      await send(database, outbox, ...messages, row(`note ${lane}`, round, { ...target, kind: NOTE }));
    }
    await until(notes, (count) => count > round * lanes.length);
    const victim = running.shift();
    if (victim) await kill(victim);
    running.push(startChild(url, 'held'));
  }
  await until(notes, (count) => count >= 4 * lanes.length);
  await Promise.all(running.map(kill));
  const outward = `SELECT state, attempts, first_try_at, last_error FROM outbox_row WHERE kind = 'message'`;
  const untouched = { state: 'queued', attempts: 0, first_try_at: null, last_error: null };
  expect(await database.query(outward)).toEqual(Array(200).fill(untouched));

  arrivals.length = 0;
  running = [startChild(url), startChild(url)];
  await until(
    () => outbox.backlog(),
    ({ queued }) => queued === 0,
  );
  await Promise.all(running.map(kill));
  const inOrder = { first: [...Array(20).keys()], overtaken: [] };
  for (const lane of lanes) expect(judge(arrivals, `lane ${lane}`)).toEqual(inOrder);
  // A process that a slow machine keeps from renewing its lease is taken for dead: what it had sent is sent again, under its id
  const messages = arrivals.filter(({ kind }) => kind === 'message');
  expect(new Set(messages.map(({ eventId }) => eventId)).size).toBe(200);
});

it('a row that is committed while its lane empties is sent, with only notifications to wake the lane', async () => {
  const receivers = [new Receiver(), new Receiver()];
  const [first, second] = receivers.map((receiver) => outboxOf(database, receiver, { lanes: 4 })) as [Outbox, Outbox];
  await first.start?.();
  await second.start?.();
  // One row at a time, so that the lanes keep running empty while the next row is being written.
  const write = async (lane: string): Promise<void> => {
    for (let n = 0; n < 100; n++) await send(database, first, row(lane, n));
  };
  await Promise.all(['x', 'x', 'y', 'y', 'z', 'z'].map(write));
  await until(
    () => first.backlog(),
    ({ queued }) => queued === 0,
  );
  await first.stop?.();
  await second.stop?.();
  expect(receivers.flatMap(({ accepted }) => accepted)).toHaveLength(600);
});
