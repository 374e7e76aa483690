import type { Expiry } from '@platform/data';
import type { Config } from '../../config';

const DAY_MS = 86_400_000;

type Kept = Pick<Config, 'KEEP_MESSAGES_DAYS' | 'KEEP_STEPS_DAYS' | 'KEEP_REQUESTS_DAYS' | 'KEEP_TESTS_DAYS'>;

/** Rows that are deleted by their age (design section 4), in all stores at once. */
export const expiries = (config: Kept): Expiry[] => {
  const messages = config.KEEP_MESSAGES_DAYS * DAY_MS;
  const steps = config.KEEP_STEPS_DAYS * DAY_MS;
  const requests = config.KEEP_REQUESTS_DAYS * DAY_MS;
  const tests = config.KEEP_TESTS_DAYS * DAY_MS;
  return [
    { table: 'bot_messages', column: 'created_at', keepMs: messages },
    { table: 'bot_run_steps', column: 'created_at', keepMs: steps },
    // Rows of a partition are told apart by their place in it: the whole table would confuse those of two
    { table: 'llm_requests_default', column: 'created_at', keepMs: requests },
    { table: 'bot_runs', column: 'created_at', keepMs: requests },
    { table: 'bot_test_sessions', column: 'updated_at', keepMs: tests },
    { table: 'bot_eval_runs', column: 'created_at', keepMs: tests },
  ];
};
