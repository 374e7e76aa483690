import { microBatch, type Database } from '@platform/data';
import { systemClock, uuidv7, type Logger } from '@platform/runtime';
import { Dispatcher } from './dispatcher';
import { LaneStore, type Ending } from './lane.store';
import type { Deliver, Outbox, OutboxOptions } from './outbox.types';
import { deadRows, measureBacklog, replayRow, replayRows, tidyRows } from './row.ledger';
import { enqueueRows, unblockRow } from './row.writer';

const TIDY_SECONDS = 60;

const createDispatcher = <Payload>(options: OutboxOptions<Payload>, logger: Logger): Dispatcher => {
  const {
    database,
    deliver,
    name,
    clock = systemClock,
    lanes = 32,
    leaseSeconds = 30,
    giveUpSeconds = 86_400,
  } = options;
  const breaker = options.breaker ?? { failures: 10, probeSeconds: 5 };
  const store = new LaneStore({ holder: `${name} ${uuidv7()}`, leaseSeconds, breaker });
  const endings = microBatch({
    writers: 2,
    maxBatch: lanes,
    maxQueue: lanes,
    write: (rows: readonly Ending[]) => store.finishAll(database, rows),
  });
  return new Dispatcher(
    { database, store, endings, deliver: deliver as Deliver, clock, logger, leaseSeconds, giveUpSeconds },
    lanes,
  );
};

const listenForRows = async (database: Database, wake: () => void): Promise<() => Promise<void>> => {
  const [row] = await database.query<{ schema: string }>('SELECT current_schema() AS schema');
  return database.listen(`outbox_${row?.schema}`, wake);
};

interface Running {
  dispatcher: Dispatcher;
  end(): Promise<void>;
}

const run = async <Payload>(
  options: OutboxOptions<Payload>,
  logger: Logger,
  tidy: () => Promise<void>,
): Promise<Running> => {
  const { database, sweepSeconds = 1, stopSeconds = 5 } = options;
  const dispatcher = createDispatcher(options, logger);
  const wake = () => dispatcher.wake();
  const unlisten = await listenForRows(database, wake);
  const sweep = setInterval(wake, sweepSeconds * 1000);
  const tidying = setInterval(
    () => void tidy().catch((error: Error) => logger.warn('outbox could not tidy up', { error: error.message })),
    TIDY_SECONDS * 1000,
  );
  wake();
  const end = async () => {
    clearInterval(sweep);
    clearInterval(tidying);
    await Promise.all([dispatcher.stop(stopSeconds), unlisten()]);
  };
  return { dispatcher, end };
};

/** The outbox of the service's schema, which must contain `outboxMigration`; see `Outbox` for the guarantees. Sends after `start()`. */
export const openOutbox = <Payload = unknown>(options: OutboxOptions<Payload>): Outbox => {
  const { database, name, retentionSeconds = 86_400 } = options;
  const logger = options.logger.child({ outbox: name });
  const tidy = () => tidyRows(database, retentionSeconds);
  let running: Running | undefined;
  return {
    name: `outbox ${name}`,
    start: async () => {
      running = await run(options, logger, tidy);
    },
    stop: async () => {
      const ending = running;
      running = undefined;
      await ending?.end();
    },
    check: async () => {
      if (!running) throw new Error(`The outbox ${name} is not started.`);
      running.dispatcher.check();
    },
    enqueue: enqueueRows,
    unblock: unblockRow,
    dead: (page) => deadRows(database, page),
    replay: (id) => replayRow(database, id),
    replayAll: (of) => replayRows(database, of),
    hold: async (target, seconds) => void (await database.query('SELECT outbox_hold($1, $2)', [target, seconds])),
    release: async (target) => void (await database.query('SELECT outbox_release($1)', [target])),
    backlog: (of) => measureBacklog(database, of?.lanePrefix),
    tidy,
  };
};
