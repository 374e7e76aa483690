import { microBatch, type Database } from '@platform/data';
import { endingWithDrain, systemClock, uuidv7, type Logger } from '@platform/runtime';
import { SAFE_PART } from './call-limit';
import { Dispatcher, mostFlights } from './dispatcher';
import { Gate } from './gate';
import { LaneStore, type Ending } from './lane.store';
import type { Deliver, Outbox, OutboxOptions } from './outbox.types';
import {
  armLanes,
  backlogMeasures,
  countKeptBack,
  deadRows,
  measureBacklog,
  measureBacklogs,
  replayRow,
  replayRows,
  tidyLanes,
  tidyRows,
} from './row.ledger';
import { enqueueRows, unblockRow } from './row.writer';

const TIDY_SECONDS = 60;
/** How often all lanes are checked. */
const IDLE_LANES_SECONDS = 3_600;
const DEAD_RETENTION_SECONDS = 30 * 86_400;

const createDispatcher = <Payload>(options: OutboxOptions<Payload>, logger: Logger, gate: Gate): Dispatcher => {
  const {
    database,
    deliver,
    name,
    clock = systemClock,
    lanes = 32,
    share = Math.ceil(lanes / 2),
    leaseSeconds = 30,
    callSeconds = leaseSeconds * SAFE_PART,
    giveUpSeconds = 86_400,
  } = options;
  const breaker = options.breaker ?? { failures: 10, probeSeconds: 5 };
  const store = new LaneStore({ holder: `${name} ${uuidv7()}`, leaseSeconds, breaker });
  const endings = microBatch({
    writers: 2,
    maxBatch: lanes,
    maxQueue: mostFlights({ lanes }),
    write: (rows: readonly Ending[]) => store.finishAll(database, rows),
  });
  const arm = () => armLanes(database, gate.open);
  const row = { deliver: deliver as Deliver, gate, arm, leaseSeconds, callSeconds, giveUpSeconds };
  return new Dispatcher({ database, store, endings, clock, logger, ...row }, { lanes, share });
};

const listenForRows = async (database: Database, wake: () => void): Promise<() => Promise<void>> => {
  const [{ schema }] = (await database.query('SELECT current_schema() AS schema')) as [{ schema: string }];
  return database.listen(`outbox_${schema}`, wake);
};

interface Running {
  dispatcher: Dispatcher;
  end(): Promise<void>;
}

/** Repeats the work until the returned function ends it; a failure is logged, and the next turn comes as usual. */
const every = (seconds: number, work: () => Promise<void>, logger: Logger): (() => void) => {
  const timer = setInterval(
    () => void work().catch((error: Error) => logger.warn('outbox could not tidy up', { error: error.message })),
    seconds * 1000,
  );
  return () => clearInterval(timer);
};

interface Tidying {
  rows(): Promise<void>;
  lanes(): Promise<void>;
}

const run = async <Payload>(
  options: OutboxOptions<Payload>,
  { logger, gate, tidying }: { logger: Logger; gate: Gate; tidying: Tidying },
): Promise<Running> => {
  const { database, sends, sweepSeconds = 1, stopSeconds = 5 } = options;
  const dispatcher = createDispatcher(options, logger, gate);
  const wake = () => dispatcher.wake();
  // Wakes what was held back, here or by an earlier process; the next tidying finds what this missed
  const arm = () =>
    armLanes(database, gate.open)
      .catch((error: Error) => logger.warn('outbox could not wake its lanes', { error: error.message }))
      .then(wake);
  const unlisten = await listenForRows(database, wake);
  const sweep = setInterval(wake, sweepSeconds * 1000);
  const untidy = [
    every(TIDY_SECONDS, () => tidying.rows(), logger),
    every(IDLE_LANES_SECONDS, () => tidying.lanes(), logger),
  ];
  let arming = arm();
  const unwatch = sends.watch(() => void (arming = arm()));
  const end = async () => {
    unwatch();
    clearInterval(sweep);
    for (const end of untidy) end();
    await Promise.all([arming, dispatcher.stop(stopSeconds), unlisten()]);
  };
  return { dispatcher, end };
};

/** The outbox of the service's schema, which must contain `outboxMigration`; see `Outbox` for the guarantees. Sends after `start()`. */
export const openOutbox = <Payload = unknown>(options: OutboxOptions<Payload>): Outbox => {
  const { database, name, retentionSeconds = 86_400, deadRetentionSeconds = DEAD_RETENTION_SECONDS } = options;
  const logger = options.logger.child({ outbox: name });
  const gate = new Gate(options.kinds, options.sends);
  const tidying: Tidying = {
    rows: () => tidyRows(database, { done: retentionSeconds, dead: deadRetentionSeconds }, gate.open),
    lanes: () => tidyLanes(database, retentionSeconds),
  };
  let running: Running | undefined;
  const end = (): Promise<void> | undefined => {
    const ending = running?.end();
    running = undefined;
    return ending;
  };
  return {
    name: `outbox ${name}`,
    start: async () => {
      running = await run(options, { logger, gate, tidying });
    },
    ...endingWithDrain(end),
    check: async () => {
      if (!running) throw new Error(`The outbox ${name} is not started.`);
      running.dispatcher.check();
    },
    measures: backlogMeasures(database),
    held: async () => (gate.open ? countKeptBack(database, gate.open) : undefined),
    enqueue: enqueueRows,
    unblock: unblockRow,
    dead: (page) => deadRows(database, page),
    replay: (id) => replayRow(database, id),
    replayAll: (of) => replayRows(database, of),
    hold: async (target, seconds) => void (await database.query('SELECT outbox_hold($1, $2)', [target, seconds])),
    release: async (target) => void (await database.query('SELECT outbox_release($1)', [target])),
    backlog: () => measureBacklog(database),
    backlogs: (lanePrefixes) => measureBacklogs(database, lanePrefixes),
    tidy: () => tidying.rows().then(() => tidying.lanes()),
  };
};
