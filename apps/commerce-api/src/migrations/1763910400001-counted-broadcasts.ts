import { ForwardMigration, portions } from '@platform/data';

/** How many broadcasts a month each plan allows, and what the stores that have one may use of it. */
export class CountedBroadcasts1763910400001 extends ForwardMigration {
  readonly transaction = false;
  readonly steps = [
    portions({
      table: 'plan',
      where: `NOT limits ? 'broadcasts'`,
      set: `limits = limits || jsonb_build_object('broadcasts', CASE code
        WHEN 'legacy-basic' THEN 10 WHEN 'legacy-pro' THEN 30 WHEN 'starter' THEN 20 WHEN 'growth' THEN 60
        WHEN 'business' THEN 200 WHEN 'enterprise' THEN 1000 ELSE 10 END)`,
    }),
    `INSERT INTO plan_use (store_id, metric, used, allowed)
      SELECT s.store_id, 'broadcasts', 0, (p.limits ->> 'broadcasts')::int FROM subscription s JOIN plan p ON p.id = s.plan_id
      WHERE s.status IN ('active', 'past_due') ON CONFLICT DO NOTHING`,
  ];
}
