import { createHash } from 'node:crypto';
import type { trial } from '../../../limits';
import type { PlannedOrder } from './planned.types';
import { standingOf } from './order.rows';
import { DAY_MS, later, type Scene } from './scene';
import { accounts, coupons, idOf, people, MOST_ON_DELIVERY, sendings, tax } from '../shop/public';
import type { Rows, Row } from './rows';

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** How the shop sends, is paid and makes prices. */
export class TermsRows {
  private readonly of: { readonly store_id: string };
  private readonly times: { readonly created_at: Date; readonly updated_at: Date };

  constructor(
    private readonly rows: Rows,
    private readonly scene: Scene,
  ) {
    this.of = { store_id: scene.storeId };
    const since = later(scene.now, -(scene.days + 3) * DAY_MS);
    this.times = { created_at: since, updated_at: since };
  }

  private id(kind: string, name: string): string {
    return idOf(this.scene.storeId, kind, name);
  }

  add(orders: readonly PlannedOrder[]): void {
    this.addWays();
    for (const coupon of coupons) this.addCoupon(coupon, orders);
    const settings: Row = {
      invoice: { tax },
      storefront: { announcement: 'Gratis ongkir untuk belanja di atas Rp500.000' },
    };
    for (const [name, value] of Object.entries(settings))
      this.rows.add('setting', { ...this.of, name, value, version: 1, ...this.times });
    this.addUse();
    this.addToken();
  }

  private addWays(): void {
    for (const { name, kind, cost, free_over, areas } of sendings)
      this.rows.add('shipping_method', {
        ...this.of,
        id: this.id('sending', name),
        kind,
        name,
        cost,
        free_over,
        areas,
        max_weight_g: null,
        active: true,
        ...this.times,
      });
    for (const account of accounts)
      this.rows.add('transfer_account', {
        ...this.of,
        id: this.id('account', account.number),
        ...account,
        active: true,
        ...this.times,
      });
    for (const code of ['transfer', 'cod', 'cash'])
      this.rows.add('payment_method', {
        ...{
          ...this.of,
          code,
          enabled: true,
          fee_bearer: 'merchant',
          fee_fixed: 0,
          fee_percent_bp: 0,
          min_total: null,
        },
        ...{ max_total: code === 'cod' ? MOST_ON_DELIVERY : null, channels: [], credentials_enc: null, ...this.times },
      });
  }

  private addCoupon(coupon: (typeof coupons)[number], orders: readonly PlannedOrder[]): void {
    const used = orders.filter((order) => order.coupon === coupon && standingOf(order).status !== 'cancelled').length;
    const ago = (days: number): Date => later(this.scene.now, -days * DAY_MS);
    this.rows.add('coupon', {
      ...{
        ...this.of,
        id: this.id('coupon', coupon.code),
        code: coupon.code,
        auto: false,
        kind: coupon.kind,
        value: coupon.value,
      },
      ...{
        buy_qty: coupon.buyQty ?? 0,
        get_qty: coupon.getQty ?? 0,
        max_discount: coupon.maxDiscount,
        min_subtotal: coupon.minSubtotal,
      },
      ...{
        starts_at: ago(coupon.from),
        ends_at: coupon.until === null ? null : ago(coupon.until),
        usage_limit: coupon.usage_limit,
      },
      ...{
        used_count: used,
        per_contact_limit: coupon.per_contact_limit,
        product_ids: [],
        category_ids: [],
        status: coupon.status,
      },
      ...{ created_at: ago(coupon.from), updated_at: ago(coupon.from) },
    });
  }

  /** What its plan counts; files are counted when one more comes. */
  private addUse(): void {
    const used = {
      devices: 0,
      agents: 0,
      staff: this.scene.staff.length,
      contacts: people().length,
      stores: 1,
      broadcasts: 0,
    } satisfies Record<Exclude<keyof typeof trial, 'files' | 'storage'>, number>;
    for (const [metric, count] of Object.entries(used)) this.rows.add('plan_use', { ...this.of, metric, used: count });
  }

  /** One that was revoked: nobody has it, and it opens nothing. */
  private addToken(): void {
    const [id, hash] = [this.id('api token', 'Kasir'), hashOf(this.id('api token', 'secret'))];
    const { created_at } = this.times;
    this.rows.add('global_key', { kind: 'api_token', value: hash, store_id: this.scene.storeId, ref_id: id });
    this.rows.add('api_token', {
      ...{
        ...this.of,
        id,
        name: 'Kasir (lama)',
        last4: 'x4k7',
        hash,
        abilities: ['product.read', 'order.read'],
        created_by: this.scene.staff[0].id,
      },
      ...{ last_used_at: null, expires_at: null, revoked_at: later(created_at, 9 * DAY_MS), ...this.times },
    });
  }
}
