import { isAstray, type Sql } from '@platform/data';
import type { Clock, Component, Logger } from '@platform/runtime';

const EVERY_MS = 10 * 60_000;
const STEP = 1_000;
const DAY_MS = 86_400_000;

/** What the turn was given. */
const INPUTS = `
  UPDATE bot_runs SET input = NULL WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM bot_runs WHERE created_at < $1 AND input IS NOT NULL ORDER BY created_at LIMIT ${STEP} FOR UPDATE SKIP LOCKED))`;
/** What it said: as many bubbles as before, of which nothing is left, because they are counted. */
const ANSWERS = `
  UPDATE bot_runs SET reply = reply || jsonb_build_object('forgotten', true, 'images', '[]'::jsonb, 'answer',
    coalesce((SELECT jsonb_agg(''::text) FROM jsonb_array_elements(reply -> 'answer')), '[]'))
  WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM bot_runs WHERE created_at < $1 AND NOT reply ? 'forgotten' ORDER BY created_at LIMIT ${STEP} FOR UPDATE SKIP LOCKED))`;

export interface RunTextsOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly inputDays: number;
  readonly answerDays: number;
}

/** Runs are counted for longer than their texts may be kept: those are removed from them, every ten minutes. */
export class RunTexts implements Component {
  readonly name = 'run texts';
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Pick<Sql, 'query'>,
    private readonly options: RunTextsOptions,
  ) {}

  start(): Promise<void> {
    this.timer = setInterval(() => {
      this.sweepInTime().catch((cause: unknown) =>
        this.options.logger.warn('texts of old runs could not be removed', { cause }),
      );
    }, EVERY_MS).unref();
    return Promise.resolve();
  }

  stop(): Promise<void> {
    clearInterval(this.timer);
    return Promise.resolve();
  }

  private async sweepInTime(): Promise<void> {
    if (!(await isAstray(this.database, this.options))) await this.sweep();
  }

  async sweep(): Promise<void> {
    const { inputDays, answerDays } = this.options;
    await this.clear(INPUTS, inputDays);
    await this.clear(ANSWERS, answerDays);
  }

  private async clear(statement: string, days: number): Promise<void> {
    const end = new Date(this.options.clock.now().getTime() - days * DAY_MS);
    const counted = `WITH done AS (${statement} RETURNING 1) SELECT count(*)::int AS rows FROM done`;
    for (let rows = STEP; rows === STEP;) {
      const [row] = await this.database.query<{ rows: number }>(counted, [end]);
      rows = row?.rows ?? 0;
    }
  }
}
