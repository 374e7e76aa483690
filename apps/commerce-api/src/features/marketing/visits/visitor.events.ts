import { microBatch, type MicroBatch, type Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import type { Component } from '@platform/runtime';
import { recordAll, type Told } from './visits.sql';

/** A shop is in one write at a time: where its counter is held for long, the others have the other writer. */
const WRITERS = 2;
const MOST_AT_ONCE = 100;
const MOST_WAITING = 5000;

type Shop = string | undefined;

/** The shop of the only event. Throws `NotFound` where there is none. */
export const shopOf = ([storeId]: readonly Shop[]): string => {
  if (storeId === undefined) throw new NotFound('Store not found');
  return storeId;
};

/**
 * Events of visitors, of whom many come at once when a shop has written to its customers. All that come while others are written share the
 * next statement: a shop's day is one counter, for which they would wait one after another, each with a connection of everybody's pool.
 */
export class VisitorEvents implements Component {
  readonly name = 'visitor events';
  private readonly batch: MicroBatch<Told, Shop>;

  constructor(database: Sql) {
    this.batch = microBatch({
      ...{ writers: WRITERS, maxBatch: MOST_AT_ONCE, maxQueue: MOST_WAITING },
      apart: ({ slug, visitorId, consent }) => (consent ? `${slug} ${visitorId}` : undefined),
      queueOf: ({ slug }) => slug,
      write: (all) => recordAll(database, all),
    });
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  stop(): Promise<void> {
    return this.batch.stop();
  }

  /** Resolves once it is committed. Throws `NotFound` for a shop that there is not, `Unavailable` where too many wait. */
  async keep(told: Told): Promise<void> {
    shopOf([await this.batch.add(told)]);
  }
}
