import { isAstray, type Sql } from '@platform/data';
import { systemClock, type Clock, type Logger } from '@platform/runtime';

/** The work of every minute. */
export interface MinuteTask {
  run(): Promise<void>;
}

/** One after the other; a failing one holds up no other, and is reported at the end. */
export const minuteTasks = (tasks: readonly MinuteTask[], logger: Logger): MinuteTask => ({
  run: async () => {
    const failures: unknown[] = [];
    for (const task of tasks) await task.run().catch((cause: unknown) => failures.push(cause));
    for (const cause of failures) logger.error('a timer failed', { cause });
    if (failures.length > 0) throw new Error(`${failures.length} of ${tasks.length} timers failed`);
  },
});

/** For what ends chats or deletes: it does nothing by a clock that is wrong, because neither is taken back. */
export const timely = (
  sql: Sql,
  { logger, clock = systemClock }: { readonly logger: Logger; readonly clock?: Clock },
  task: MinuteTask,
): MinuteTask => ({
  run: async () => {
    if (!(await isAstray(sql, { clock, logger }))) await task.run();
  },
});
