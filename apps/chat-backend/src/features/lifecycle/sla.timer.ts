import type { Sql } from '@platform/data';
import type { Clock } from '@platform/runtime';
import type { NotificationAnnouncer, Notified } from '../notifications/public';
import { SLA } from './sla.sql';

const BATCH = 200;
const MOST_BATCHES = 50;

export interface SlaDependencies {
  readonly notifications: Pick<NotificationAnnouncer, 'notified'>;
  readonly clock: Clock;
}

/** Tells those in charge of customers who wait longer than the store allows (`settings.sla_menit`), once per episode (design 3.6). */
export class SlaTimer {
  constructor(
    private readonly sql: Sql,
    private readonly needs: SlaDependencies,
  ) {}

  async run(): Promise<void> {
    const { clock, notifications } = this.needs;
    for (let batch = 0; batch < MOST_BATCHES; batch++) {
      const [row] = await this.sql.prepared<{ marked: number; notified: Notified[] | null }>('timers_sla', SLA, [
        clock.now(),
        BATCH,
      ]);
      notifications.notified(row?.notified);
      if ((row?.marked ?? 0) < BATCH) return;
    }
  }
}
