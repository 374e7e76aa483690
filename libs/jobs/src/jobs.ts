import { endingWithDrain, resume, untilNothingLacks, type Logger } from '@platform/runtime';
import type { CronItem, JobHelpers } from 'graphile-worker';
import { graphileLogger } from './graphile.logger';
import { Heartbeat } from './heartbeat';
import { backlogMeasures, countHeld, deadJobs, isOvertaken, measureBacklog, replayJob } from './job.ledger';
import { checkedSchema, openJobQueue } from './job.queue';
import { JobRunner, type RunnerTask } from './job.runner';
import { jobSchema } from './job.schema';
import { Wakeups } from './job.wakeups';
import type { Cron, Jobs, JobsOptions, RunnerOptions, Task, TaskName } from './jobs.types';

const guarded =
  <Payload>(
    task: Task<Payload>,
    { database, schema }: Pick<JobsOptions<unknown>, 'database' | 'schema'>,
    logger: Logger,
  ) =>
  async (payload: unknown, { job, abortSignal }: JobHelpers): Promise<void> => {
    const { id, attempts: attempt, max_attempts: maxAttempts, task_identifier: name } = job;
    const context = { id, attempt, maxAttempts, signal: abortSignal, logger: logger.child({ job: id, task: name }) };
    try {
      await resume(payload, `job-${id}`, async () => task(payload as Payload, context));
    } catch (failure) {
      if (!(await isOvertaken(database, schema, job).catch(() => false))) throw failure;
      context.logger.info('a job that failed was overtaken', { error: (failure as Error).message });
    }
  };

/** Every task belongs to exactly one runner; those that no runner names share the first, which is idle when there are none. */
const runnersOf = <Payloads>({
  tasks,
  runners = [],
  concurrency = 5,
  share,
}: JobsOptions<Payloads>): RunnerOptions<Payloads>[] => {
  const named = runners.flatMap((runner) => runner.tasks);
  const unknown = named.filter((task) => !(task in tasks));
  const twice = named.filter((task, index) => named.indexOf(task) !== index);
  if (unknown.length + twice.length > 0)
    throw new Error(
      `The job runners name tasks that do not exist or that another runner has: ${[...unknown, ...twice].join(', ')}.`,
    );
  const rest = (Object.keys(tasks) as TaskName<Payloads>[]).filter((task) => !named.includes(task));
  return [{ name: 'main', tasks: rest, concurrency, ...(share ? { share } : {}) }, ...runners];
};

const cronItem = (task: string, { pattern, payload, backfillSeconds = 0 }: Cron): CronItem => ({
  task,
  match: pattern,
  payload,
  identifier: `${task} ${pattern}`,
  options: { backfillPeriod: backfillSeconds * 1000, maxAttempts: 10 },
});

const pollSecondsOf = ({ pollSeconds = 1 }: { readonly pollSeconds?: number }): number => pollSeconds;
/** `Wakeups` looks for all runners: each of them does so less often by itself, for a notification that was lost. */
const OWN_LOOKS = 10;

const createRunners = <Payloads>(options: JobsOptions<Payloads>, heartbeat: Heartbeat, logger: Logger): JobRunner[] => {
  const { database, schema, tasks, sends, stopSeconds = 8 } = options;
  const taskOf = (name: TaskName<Payloads>): RunnerTask => {
    const { effect, run, cron = [] } = tasks[name];
    return { name, effect, run: guarded(run, options, logger), cron: cron.map((each) => cronItem(name, each)) };
  };
  return runnersOf(options).map(({ tasks: names, ...runner }) => {
    const setup = {
      ...runner,
      database,
      heartbeat,
      logger,
      graphileLogger: graphileLogger(logger),
      schema,
      tasks: names.map(taskOf),
      sends,
      pollSeconds: pollSecondsOf(options) * OWN_LOOKS,
      stopSeconds,
    };
    return new JobRunner(setup);
  });
};

const outwardOf = <Payloads>(tasks: JobsOptions<Payloads>['tasks']): TaskName<Payloads>[] =>
  (Object.keys(tasks) as TaskName<Payloads>[]).filter((task) => tasks[task].effect === 'outside');

/** The heartbeat ends with them, also when one cannot release its jobs. */
const stopRunners = async (
  runners: readonly JobRunner[],
  { wakeups, heartbeat }: { wakeups: Wakeups; heartbeat: Heartbeat },
): Promise<void> => {
  const ends = [...runners.map((runner) => runner.stop()), wakeups.stop()];
  await Promise.allSettled(ends).then(() => heartbeat.stop());
  await Promise.all(ends);
};

/** Jobs and cron in a schema of their own beside the service's; see `Jobs` for the guarantees. Runs jobs after `start()`. */
export const openJobs = <Payloads>(options: JobsOptions<Payloads>): Jobs<Payloads> => {
  const { database, sends, tasks } = options;
  const schema = checkedSchema(options.schema);
  const name = options.name ?? schema;
  const logger = options.logger.child({ jobs: name });
  const { everySeconds, silentSeconds } = options.heartbeat ?? { everySeconds: 5, silentSeconds: 20 };
  const heartbeat = new Heartbeat({ database, logger, schema, everySeconds, silentSeconds });
  const { migrate, pending, lack } = jobSchema(database, schema, graphileLogger(logger));
  const runners = createRunners(options, heartbeat, logger);
  const wakeups = new Wakeups(database, schema, runners, pollSecondsOf(options));
  let started = false;
  const end = (): Promise<void> | undefined => {
    if (!started) return undefined;
    started = false;
    return stopRunners(runners, { wakeups, heartbeat });
  };

  return {
    ...openJobQueue<Payloads>(schema),
    name: `jobs ${name}`,
    migrate,
    pending,
    start: async (starting) => {
      await untilNothingLacks(lack, starting);
      started = true;
      heartbeat.start();
      for (const each of [wakeups, ...runners]) await each.start();
    },
    ...endingWithDrain(end),
    check: async () => {
      if (!started) throw new Error(`The jobs ${name} are not started.`);
      heartbeat.check();
      for (const runner of runners) runner.check();
    },
    measures: backlogMeasures(database, schema),
    held: async () => (sends.held ? countHeld(database, schema, outwardOf(tasks)) : undefined),
    backlog: () => measureBacklog(database, schema),
    dead: (limit = 100) => deadJobs(database, schema, limit),
    replay: (id) => replayJob(database, schema, id),
  };
};
