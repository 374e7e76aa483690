import type { Sql } from '@platform/data';
import type { Clock, Logger } from '@platform/runtime';
import type { Caller } from '../../../abilities';
import type { ChatFigures } from '../../../clients/chat.stats';
import type { DeviceStates } from '../../devices/public';
import { productsOf, salesOf, type Span } from '../figures/public';
import {
  alertKinds,
  type Alert,
  type AlertKind,
  type ChartPoint,
  type DayFigures,
  type Summary,
  type TopProduct,
} from './dashboard.dto';
import { ALERTS, LAST_DAYS, PROOFS, SUMMARY } from './dashboard.sql';
import { ShelflessGoods, type Shelves } from './shelfless.goods';

export interface DashboardParts {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Undefined: there is no chat-backend. */
  readonly chats: ChatFigures | undefined;
  /** How devices are. */
  readonly states: Pick<DeviceStates, 'of'>;
}

type Day = Omit<DayFigures, 'chats'> & { readonly day: string };
type Counts = Partial<Record<AlertKind, number>> & { readonly devices: readonly string[] };
/** The shelves where they were not known. */
type Alerting = Counts & { readonly low_stock: number } & { readonly [Key in keyof Shelves]: Shelves[Key] | null };

type Counted = Summary['pending'] & { readonly today: Day; readonly yesterday: Day };

/** Where each is looked into. */
export const PAGES: Readonly<Record<AlertKind, string>> = {
  ...{
    low_stock: '/products?status=active&low_stock=true',
    unpaid: '/orders?view=unpaid',
    review: '/orders?view=review',
  },
  ...{ device_offline: '/devices', withdrawal_stuck: '/wallet/withdraw', plan: '/billing' },
};

/** Of the chats of everybody nothing is told. */
const ownOnly = async ({ day: _day, ...figures }: Day): Promise<DayFigures> => ({ ...figures, chats: null });

/** What the people of a store see first. A caller with limited sight sees the orders of their own chats alone. */
export class Dashboard {
  private readonly shelfless: ShelflessGoods;

  constructor(private readonly parts: DashboardParts) {
    this.shelfless = new ShelflessGoods(parts);
  }

  /** Today and yesterday on the clock of the store. It answers without chat-backend too, of whose figures nothing is known then. */
  async summary({ storeId, sight }: Caller): Promise<Summary> {
    const { sql, clock } = this.parts;
    const [row] = (await sql.query<Counted>(SUMMARY, [storeId, clock.now(), sight?.phones ?? null])) as [Counted];
    const whole = (day: Day): Promise<DayFigures> => (sight ? ownOnly(day) : this.with(storeId, day));
    const [today, yesterday] = await Promise.all([whole(row.today), whole(row.yesterday)]);
    return { today, yesterday, pending: { unpaid: row.unpaid, to_ship: row.to_ship } };
  }

  private async with(storeId: string, { day, ...figures }: Day): Promise<DayFigures> {
    const { chats, logger } = this.parts;
    const told = await chats?.of(storeId, day, day).catch((cause: unknown) => {
      logger.warn('the dashboard is shown without its chats', { cause: String(cause) });
    });
    return { ...figures, chats: told?.chats_opened ?? null };
  }

  /** Paid orders of the last days, also of those without any. */
  async chart(caller: Caller, days: number): Promise<ChartPoint[]> {
    const { storeId, sight } = caller;
    const rows = await salesOf(this.parts.sql, storeId, {
      ...(await this.last(storeId, days)),
      seen: sight?.phones,
      group: 'day',
    });
    return rows.map(({ key, orders, sales }) => ({ date: key as string, orders, sales }));
  }

  /** The best sellers of the last days by what they have brought. */
  async top({ storeId, sight }: Caller, days: number, limit: number): Promise<TopProduct[]> {
    const span = await this.last(storeId, days);
    const rows = await productsOf(this.parts.sql, storeId, { ...span, seen: sight?.phones, limit });
    return rows.map(({ product_id, name, units, revenue }) => ({ product_id, name, units, revenue }));
  }

  /** Orders whose buyers wait until somebody has looked at their proof of payment. */
  async proofs({ storeId, sight }: Caller): Promise<number> {
    const [row] = await this.parts.sql.prepared<{ proofs: number }>('dashboard proofs', PROOFS, [
      ...[storeId, sight?.phones ?? null],
    ]);
    return row?.proofs ?? 0;
  }

  /** Of what there is something to look at, the kinds in their order. */
  async alerts({ storeId, sight }: Caller): Promise<Alert[]> {
    const { sql, clock } = this.parts;
    const known = this.shelfless.known(storeId);
    const asked = [storeId, clock.now(), sight?.phones ?? null, known ?? null];
    const [row] = (await sql.query<Alerting>(ALERTS, asked)) as [Alerting];
    const { shelfless, on_sale } = row;
    if (shelfless !== null && on_sale !== null) this.shelfless.learn(storeId, { shelfless, on_sale });
    const low_stock = row.low_stock + (known ?? shelfless ?? 0);
    const counts: Counts = { ...row, low_stock, device_offline: await this.offline(row.devices) };
    return alertKinds.flatMap((kind) => {
      const count = counts[kind] ?? 0;
      return count > 0 ? [{ kind, count, url: PAGES[kind] }] : [];
    });
  }

  /** Of which the gateway does not tell, it is not said to be off line. */
  private async offline(devices: readonly string[]): Promise<number> {
    const states = await this.parts.states.of(devices);
    return [...states.values()].filter((state) => state?.status !== 'connected').length;
  }

  private async last(storeId: string, days: number): Promise<Span> {
    const { sql, clock } = this.parts;
    const [span] = (await sql.prepared<Span>('last days', LAST_DAYS, [storeId, clock.now(), days])) as [Span];
    return span;
  }
}
