import { createHash } from 'node:crypto';
import type { StockedLine } from '../../sales/carts/public';
import { sessionIdOf } from './order.rows';
import type { PlannedOrder, Sold } from './planned.types';
import { DAY_MS, HOUR_MS, later, MINUTE_MS, type Scene } from './scene';
import { Chance, idAt, idOf, links, type Person } from '../shop/public';
import type { Row, Rows } from './rows';

/** Carts that were given up, one a day: those before are deleted. */
const ABANDONED_DAYS = 6;
const PRESERVED_MS = 7 * DAY_MS;
const ABANDONED_MS = HOUR_MS;

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const lineOf = ({ variantId, qty, name, kind }: StockedLine) => ({ variant_id: variantId, qty, name, kind });

/** Links that sell, the carts of those who bought by themselves, and of those who did not. */
export class CheckoutRows {
  private readonly of: { readonly store_id: string };

  constructor(
    private readonly rows: Rows,
    private readonly scene: Scene,
  ) {
    this.of = { store_id: scene.storeId };
  }

  private linkId(code: string): string {
    return idOf(this.scene.storeId, 'link', code);
  }

  add(orders: readonly PlannedOrder[], offered: readonly Sold[], people: readonly Person[]): void {
    links.forEach((link, at) =>
      this.addLink(link, offered, { at, placed: orders.filter((order) => order.link === link.code).length }),
    );
    for (const order of orders) if (order.channel === 'link' || order.channel === 'storefront') this.addPlaced(order);
    for (let day = 0; day < ABANDONED_DAYS; day += 1) this.addAbandoned(day, offered, people);
  }

  private addLink(
    { code, name, goods }: (typeof links)[number],
    offered: readonly Sold[],
    { at, placed }: { at: number; placed: number },
  ): void {
    const { storeId, now, days } = this.scene;
    const lines = goods.flatMap((each) => {
      const sold = offered.find((one) => one.code === each);
      return sold ? [{ variant_id: sold.variantId, qty: 1, editable: true, name: sold.name }] : [];
    });
    const made = later(now, -(days + 1) * DAY_MS + at * HOUR_MS);
    const shown = `${code}-${idOf(storeId, 'link code', code).slice(0, 4)}`;
    this.rows.add('global_key', { kind: 'checkout_link', value: shown, store_id: storeId, ref_id: this.linkId(code) });
    this.rows.add('checkout_link', {
      ...{
        ...this.of,
        id: this.linkId(code),
        code: shown,
        name,
        lines,
        status: 'active',
        views: Math.round(placed * 3.4) + 2,
      },
      settings: { require_address: false, show_coupon: true, redirect_url: null, pixel_ids: [] },
      ...{ created_at: made, updated_at: made },
    });
  }

  private addSession(session: Row): void {
    const none = { reminder_hash: null, coupon: null, shipping: null, utm: null, visitor_id: null, order_id: null };
    const open = {
      abandon_at: null,
      abandoned_at: null,
      reminded_at: null,
      expires_at: null,
      buyer: null,
      address: null,
    };
    this.rows.add('checkout_session', {
      ...this.of,
      ...none,
      ...open,
      ...session,
      token_hash: hashOf(String(session.id)),
    });
  }

  /** The order has the buyer and the address. */
  private addPlaced(order: PlannedOrder): void {
    const id = sessionIdOf(this.scene, order);
    this.addSession({
      ...{
        id,
        link_id: order.link === null ? null : this.linkId(order.link),
        state: 'placed',
        lines: order.lines.map(lineOf),
      },
      ...{ coupon: order.coupon?.code ?? null, total: order.totals.total, order_id: order.id },
      ...{ created_at: later(order.at, -6 * MINUTE_MS), updated_at: order.at },
    });
  }

  private addAbandoned(day: number, offered: readonly Sold[], people: readonly Person[]): void {
    const { storeId, now } = this.scene;
    const chance = new Chance(`${storeId}/abandoned/${day}`);
    const changed = later(now, -day * DAY_MS - chance.whole(2 * 60, 20 * 60) * MINUTE_MS);
    const [sold, person, link] = [
      offered[chance.whole(0, offered.length - 1)],
      people[chance.whole(0, people.length - 1)],
      chance.pick(links),
    ];
    if (!sold || !person) return;
    const reminded = day % 3 === 1 ? later(changed, 5 * HOUR_MS) : null;
    this.addSession({
      ...{
        id: idAt(changed, `${storeId}/abandoned/${day}`),
        link_id: day % 2 === 0 ? this.linkId(link.code) : null,
        state: 'abandoned',
      },
      ...{ lines: [lineOf({ ...sold, qty: 1 })], buyer: { name: person.name, phone: person.phone }, total: sold.price },
      ...{ abandoned_at: later(changed, ABANDONED_MS), reminded_at: reminded && reminded < now ? reminded : null },
      ...{
        created_at: later(changed, -9 * MINUTE_MS),
        updated_at: later(changed, ABANDONED_MS),
        expires_at: later(changed, PRESERVED_MS),
      },
    });
  }
}
