import type { Logger } from '@platform/runtime';

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
