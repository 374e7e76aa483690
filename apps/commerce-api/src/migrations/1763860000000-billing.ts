import { ForwardMigration } from '@platform/data';

const TIMES = `created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL`;
const OF_STORE = `store_id varchar(36) NOT NULL REFERENCES store ON DELETE CASCADE`;

const GIB = 1024 * 1024;
const SINCE = '2026-01-01T00:00:00Z';

interface Allowed {
  readonly devices: number;
  readonly agents: number;
  readonly staff: number;
  readonly contacts: number;
  readonly stores: number;
  readonly storage: number;
  readonly files: number;
}

const planRow = (
  [id, family, code, name]: readonly [string, 'legacy' | 'new', string, string],
  [rank, monthly]: readonly [number, number],
  limits: Allowed,
  features: readonly string[],
): string =>
  `('${id}', '${code}', '${family}', '${name}', ${rank}, ${monthly}, ${monthly * 10}, 'IDR', '${JSON.stringify(limits)}',
    '{${features.map((text) => `"${text}"`).join(',')}}', '[]', true, '${SINCE}', '${SINCE}')`;

const PLANS = [
  planRow(
    ['1c3c823d-fdbf-57c5-84f3-fe2c06108b37', 'legacy', 'legacy-basic', 'Basic'],
    [100, 79_000],
    { devices: 1, agents: 2, staff: 4, contacts: 15_000, stores: 1, storage: 5 * GIB, files: 10_000 },
    ['Chat and orders'],
  ),
  planRow(
    ['7ce53c4b-55ef-5bad-890f-e7d087e9a89d', 'legacy', 'legacy-pro', 'Pro'],
    [250, 199_000],
    { devices: 4, agents: 4, staff: 10, contacts: 40_000, stores: 1, storage: 20 * GIB, files: 30_000 },
    ['Chat and orders', 'Reports'],
  ),
  planRow(
    ['39dd15b3-e70a-5534-8053-7ce7b90daa98', 'new', 'starter', 'Starter'],
    [200, 99_000],
    { devices: 2, agents: 3, staff: 5, contacts: 25_000, stores: 1, storage: 10 * GIB, files: 20_000 },
    ['Chat, orders and checkout links'],
  ),
  planRow(
    ['35b6ebae-d48d-5ba1-836f-14eb3ba1ab28', 'new', 'growth', 'Growth'],
    [300, 249_000],
    { devices: 5, agents: 5, staff: 10, contacts: 50_000, stores: 2, storage: 25 * GIB, files: 50_000 },
    ['Everything in Starter', 'A second store'],
  ),
  planRow(
    ['278827c2-54ae-59a5-8953-4815e9dd6957', 'new', 'business', 'Business'],
    [400, 599_000],
    { devices: 15, agents: 10, staff: 25, contacts: 200_000, stores: 5, storage: 100 * GIB, files: 200_000 },
    ['Everything in Growth', 'Teams of up to 25'],
  ),
  planRow(
    ['f9b2def1-2239-59a6-8335-1c82356180d8', 'new', 'enterprise', 'Enterprise'],
    [500, 1_499_000],
    { devices: 50, agents: 50, staff: 100, contacts: 1_000_000, stores: 20, storage: 500 * GIB, files: 1_000_000 },
    ['Everything in Business', 'A million contacts'],
  ),
];

const addonRow = (id: string, code: string, name: string, metric: keyof Allowed, [amount, monthly]: [number, number]) =>
  `('${id}', '${code}', '${name}', '${metric}', ${amount}, ${monthly}, ${monthly * 10}, 'IDR', NULL, true, '${SINCE}', '${SINCE}')`;

const ADDONS = [
  addonRow('afdfb195-5d56-5909-89c4-bcb43b8659e0', 'device', 'One more device', 'devices', [1, 49_000]),
  addonRow('bae0006f-8060-5c53-82ad-8e30366b9866', 'staff', 'One more member of staff', 'staff', [1, 25_000]),
  addonRow('b5dab352-7782-51f5-810b-bad76912dd85', 'contacts', '10,000 more contacts', 'contacts', [10_000, 50_000]),
  addonRow('0780a063-0309-50a6-8e5c-e8c712b83bcc', 'storage', '10 GiB more storage', 'storage', [10 * GIB, 30_000]),
];

/** What stores pay the platform for: commerce-api design section 4, Billing. Plans and add-ons are the platform's own, of no store. */
export class Billing1763860000000 extends ForwardMigration {
  readonly steps = [
    `CREATE TABLE plan (
      id uuid PRIMARY KEY,
      code text NOT NULL UNIQUE,
      family text NOT NULL CHECK (family IN ('legacy', 'new')),
      name text NOT NULL,
      rank integer NOT NULL,
      price_monthly bigint NOT NULL CHECK (price_monthly > 0),
      price_yearly bigint NOT NULL CHECK (price_yearly > 0),
      currency char(3) NOT NULL,
      limits jsonb NOT NULL,
      features text[] NOT NULL,
      vouchers jsonb NOT NULL,
      on_sale boolean NOT NULL,
      ${TIMES}
    )`,
    `COMMENT ON COLUMN plan.rank IS 'which plan is the larger one'`,
    `COMMENT ON COLUMN plan.vouchers IS 'codes that take percents off the first invoice, each until a moment'`,
    `INSERT INTO plan VALUES ${PLANS.join(',\n')}`,
    `CREATE TABLE addon (
      id uuid PRIMARY KEY,
      code text NOT NULL UNIQUE,
      name text NOT NULL,
      metric text NOT NULL,
      amount integer NOT NULL CHECK (amount > 0),
      price_monthly bigint NOT NULL CHECK (price_monthly > 0),
      price_yearly bigint NOT NULL CHECK (price_yearly > 0),
      currency char(3) NOT NULL,
      plan_codes text[],
      on_sale boolean NOT NULL,
      ${TIMES}
    )`,
    `COMMENT ON COLUMN addon.plan_codes IS 'null: of every plan'`,
    `INSERT INTO addon VALUES ${ADDONS.join(',\n')}`,
    `CREATE TABLE subscription (
      ${OF_STORE},
      id uuid NOT NULL,
      status text NOT NULL CHECK (status IN ('active', 'past_due', 'cancelled', 'expired')),
      plan_id uuid NOT NULL REFERENCES plan,
      period text NOT NULL CHECK (period IN ('monthly', 'yearly')),
      price bigint NOT NULL CHECK (price >= 0),
      period_start timestamptz NOT NULL,
      period_end timestamptz NOT NULL,
      anchor_day smallint NOT NULL CHECK (anchor_day BETWEEN 1 AND 31),
      cancel_at_period_end boolean NOT NULL,
      cancel_reason text,
      next_plan_id uuid REFERENCES plan,
      next_period text CHECK (next_period IN ('monthly', 'yearly')),
      auto_renew boolean NOT NULL,
      bills integer NOT NULL DEFAULT 0,
      act_at timestamptz,
      ended_at timestamptz,
      ${TIMES},
      PRIMARY KEY (store_id, id),
      CHECK (period_end > period_start),
      CHECK ((next_plan_id IS NULL) = (next_period IS NULL)),
      CHECK ((ended_at IS NULL) = (status IN ('active', 'past_due')))
    )`,
    `COMMENT ON COLUMN subscription.price IS 'what was paid for the plan in this period: credit is counted on it'`,
    `COMMENT ON COLUMN subscription.anchor_day IS 'day of the month on which periods end where the month has it'`,
    `COMMENT ON COLUMN subscription.bills IS 'how many were written for it: each has a number of its own'`,
    `COMMENT ON COLUMN subscription.act_at IS 'when something is to be done with it next'`,
    `CREATE UNIQUE INDEX subscription_live ON subscription (store_id) WHERE status IN ('active', 'past_due')`,
    `CREATE INDEX subscription_due ON subscription (act_at) WHERE act_at IS NOT NULL`,
    `CREATE INDEX subscription_newest ON subscription (store_id, created_at)`,
    `CREATE TABLE subscription_item (
      ${OF_STORE},
      id uuid NOT NULL,
      subscription_id uuid NOT NULL,
      addon_id uuid NOT NULL REFERENCES addon,
      quantity integer NOT NULL CHECK (quantity > 0),
      price bigint NOT NULL CHECK (price >= 0),
      paid_from timestamptz NOT NULL,
      paid_until timestamptz NOT NULL,
      cancel_at_period_end boolean NOT NULL DEFAULT false,
      ended_at timestamptz,
      ${TIMES},
      PRIMARY KEY (store_id, id),
      FOREIGN KEY (store_id, subscription_id) REFERENCES subscription ON DELETE CASCADE,
      CHECK (paid_until > paid_from)
    )`,
    `COMMENT ON COLUMN subscription_item.price IS 'what was paid from paid_from until paid_until'`,
    `CREATE INDEX subscription_item_of ON subscription_item (store_id, subscription_id) WHERE ended_at IS NULL`,
    `CREATE TABLE subscription_purchase (
      ${OF_STORE},
      invoice_id uuid NOT NULL,
      subscription_id uuid NOT NULL,
      kind text NOT NULL CHECK (kind IN ('start', 'upgrade', 'renewal', 'addon')),
      state text NOT NULL CHECK (state IN ('open', 'ahead', 'done', 'credited', 'void')),
      terms jsonb NOT NULL,
      starts_at timestamptz,
      ends_at timestamptz,
      due_at timestamptz NOT NULL,
      ${TIMES},
      PRIMARY KEY (store_id, invoice_id),
      FOREIGN KEY (store_id, invoice_id) REFERENCES invoice ON DELETE CASCADE
    )`,
    `COMMENT ON TABLE subscription_purchase IS 'what a bill buys; it is done when the bill is paid'`,
    `COMMENT ON COLUMN subscription_purchase.state IS 'ahead: paid, begins when the period has ended; credited: money that bought nothing went to the wallet'`,
    `CREATE UNIQUE INDEX subscription_purchase_renewal ON subscription_purchase (store_id, subscription_id)
      WHERE kind = 'renewal' AND state IN ('open', 'ahead')`,
    `CREATE INDEX subscription_purchase_open ON subscription_purchase (store_id, subscription_id) WHERE state = 'open'`,
    `CREATE INDEX subscription_purchase_due ON subscription_purchase (due_at) WHERE state = 'open'`,
    `ALTER TABLE store ADD COLUMN plan_state text`,
    `COMMENT ON COLUMN store.plan_state IS 'past_due: it can only be read; expired: it cannot send; every request must know it'`,
  ];
}
