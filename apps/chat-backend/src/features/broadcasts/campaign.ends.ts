import type { Database, Transaction } from '@platform/data';
import type { Component, Logger } from '@platform/runtime';
import type { Notified, NotificationAnnouncer } from '../notifications/public';
import type { BroadcastStatus } from './broadcast.dto';
import type { CampaignKey } from './campaign.types';
import { DONE, STOP, TRIED, TRY } from './fill.sql';

/** How a campaign that cannot go on is stopped. */
export interface Stop {
  readonly from: BroadcastStatus;
  readonly to: BroadcastStatus;
  /** What its maker is told. */
  readonly why: string;
  /** Also while a row of it has not left; that one ends as the outbox says. */
  readonly inFlight?: boolean;
}

/** The same after so many tries in a row that failed. */
export interface LimitedStop extends Stop {
  readonly most: number;
}

export interface EndDependencies {
  readonly database: Pick<Database, 'tx' | 'prepared'>;
  readonly notifications: Pick<NotificationAnnouncer, 'notified'>;
  readonly logger: Logger;
}

interface Ended {
  readonly notified: Notified[] | null;
  readonly ended: number;
}

/** How campaigns end: done, or stopped where nothing helps but a person. */
export class CampaignEnds {
  /** The maker of a campaign that stops is told; of one that no person made, only the log and these tell. */
  readonly numbers: Component = {
    name: 'campaigns',
    measures: {
      help: { campaigns_stopped_total: 'Campaigns that were stopped because they could not go on' },
      read: async () => ({ campaigns_stopped_total: this.stopped }),
    },
  };
  private stopped = 0;

  constructor(private readonly needs: EndDependencies) {}

  /** In the transaction of its last recipient. */
  async done(tx: Transaction, { storeId, broadcastId }: CampaignKey): Promise<void> {
    this.announce(tx, await tx.prepared<Ended>('broadcast_done', DONE, [storeId, broadcastId]));
  }

  /** Nothing when it is in another state by now. Its recipients stay as they are. */
  stop(key: CampaignKey, { from, to, why, inFlight = false }: Stop): Promise<void> {
    const { database, logger } = this.needs;
    return database.tx(async (tx) => {
      const values = [key.storeId, key.broadcastId, from, to, why, inFlight];
      const rows = await tx.prepared<Ended>('broadcast_stop', STOP, values);
      this.announce(tx, rows);
      if (!rows[0]?.ended) return;
      this.stopped += 1;
      logger.error('a campaign was stopped', { ...key, from, to, why });
    });
  }

  /**
   * Runs `work`, one more try to take a campaign on from this state, in one transaction; undefined when it is in another state,
   * or was stopped because too many tries have failed in a row, with an error or with their process.
   */
  async attempt<T>(key: CampaignKey, stop: LimitedStop, work: (tx: Transaction) => Promise<T>): Promise<T | undefined> {
    const { database } = this.needs;
    const values = [key.storeId, key.broadcastId];
    const [row] = await database.prepared<{ tries: number }>('broadcast_try', TRY, [...values, stop.from]);
    if (!row) return undefined;
    if (row.tries > stop.most) return void (await this.stop(key, stop));
    return database.tx(async (tx) => {
      const done = await work(tx);
      await tx.prepared('broadcast_tried', TRIED, values);
      return done;
    });
  }

  private announce(tx: Transaction, [row]: readonly Ended[]): void {
    tx.afterCommit(() => this.needs.notifications.notified(row?.notified ?? null));
  }
}
