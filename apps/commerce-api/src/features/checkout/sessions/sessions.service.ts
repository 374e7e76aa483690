import type { Database, Sql, Transaction } from '@platform/data';
import { InvalidInput } from '@platform/errors';
import { uuidv7, type Clock } from '@platform/runtime';
import { linkHash, newLink } from '../../../secret-link';
import { couponRefusals } from '../../sales/coupons/public';
import { orderById, type Order } from '../../sales/orders/public';
import { onceEach, refuseBeyond, viewed } from '../links/public';
import { withNames } from '../../shipping/areas/public';
import { anonymousBuyer, placeOf, type RateOption, type Rates } from '../../shipping/rates/public';
import type { Gateways } from '../../paying/methods/public';
import type { Offering } from './cart-methods';
import { countCart, goodsOf, isSent, linesFor, linesOfLink, onSale, placedCart } from './cart';
import {
  buyerBy,
  needsEmail,
  refuseOver,
  required,
  settingsOf,
  type CartContents,
  type Session,
  type SessionKey,
} from './session';
import type {
  CartView,
  NewSession,
  SessionBuyer,
  SessionItem,
  SessionShipping,
  SessionStatus,
  StartedCart,
} from './sessions.dto';
import { beginning, insertSession, lockSession, paymentOf, readSession, saveSession, type Begun } from './sessions.sql';

export interface SessionParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly rates: Pick<Rates, 'optionsFor'>;
  readonly gateways: Gateways;
}

type Change = Partial<CartContents>;

/** What an order of a cart cannot do without. */
export interface Needs {
  readonly shipping: boolean;
  readonly address: boolean;
  readonly email: boolean;
}

interface OpenedCart {
  readonly view: CartView;
  readonly needs: Needs;
  /** What it has become. */
  readonly order: Order | null;
}

const EMPTY = { lines: [], buyer: null, address: null, shipping: null, coupon: null } as const;
const NEW = { ...EMPTY, isOwn: true, state: 'open', order_id: null, expires_at: null } as const;

/** The cart of a buyer: whoever has its token may read and change it until it is placed. */
export class Sessions {
  constructor(private readonly parts: SessionParts) {}

  /** Begins a cart with a store or a link. Throws `NotFound`, `InvalidInput`. */
  async start(given: NewSession): Promise<StartedCart> {
    const { database, clock } = this.parts;
    const begun = await this.begin(given);
    const { storeId, link_id } = begun;
    const by = buyerBy(storeId, clock);
    const id = uuidv7();
    const token = newLink(storeId, id);
    const view = await database.tx(async (tx) => {
      const lines = await this.firstLines(tx, begun, given.items);
      const { utm = null, visitor_id = null } = given;
      const session = { ...NEW, ...begun, id, lines, utm, visitor_id, begunAt: by.at };
      const counted = await countCart(this.offering(tx), by, session);
      const expires_at = await insertSession(tx, { session, total: counted.view.total, at: by.at }, linkHash(token));
      if (link_id !== null) await viewed(tx, storeId, link_id);
      return { ...counted.view, expires_at: expires_at.toISOString() };
    });
    return { token, ...view };
  }

  /** Throws `NotFound`. */
  async show(key: SessionKey): Promise<CartView> {
    const { database } = this.parts;
    return this.shown(database, await readSession(database, key));
  }

  /** The same with what its page asks for, and the order once it is placed. Throws `NotFound`. */
  async opened(key: SessionKey): Promise<OpenedCart> {
    const { database } = this.parts;
    const session = await readSession(database, key);
    const { storeId, order_id } = session;
    const shipping = isSent(session);
    const needs = {
      shipping,
      address: shipping || settingsOf(session).require_address,
      email: needsEmail(session),
    };
    const order = order_id === null ? null : await orderById(database, storeId, order_id);
    return { view: await this.shown(database, session), needs, order };
  }

  /** All lines anew. Throws `InvalidInput` for what is not on sale, or not by the link. */
  setItems(key: SessionKey, items: readonly SessionItem[]): Promise<CartView> {
    return this.change(key, async (tx, session) => ({ lines: await this.linesOf(tx, session, items) }));
  }

  /** So many of one thing beside what else is in it and still on sale, however many are put in at the same moment. Throws as `setItems`. */
  putItem(key: SessionKey, item: SessionItem): Promise<CartView> {
    return this.change(key, async (tx, session) => {
      const others = session.lines.filter(({ variant_id }) => variant_id !== item.variant_id);
      return { lines: await this.linesOf(tx, session, [...(await onSale(tx, key.storeId, others)), item]) };
    });
  }

  /** Throws `InvalidInput` without an address for mail where something is sent by it. */
  setBuyer(key: SessionKey, { buyer, address }: SessionBuyer): Promise<CartView> {
    return this.change(key, async (tx, session) => {
      if (needsEmail(session) && buyer.email === undefined) throw required('buyer.email');
      return { buyer, address: address === undefined ? session.address : address && (await withNames(tx, address)) };
    });
  }

  /** Undefined takes the code away. Throws `coupon_unavailable` for one that counts for nobody, or not for this cart. */
  setCoupon(key: SessionKey, code: string | undefined): Promise<CartView> {
    return this.change(key, async () => ({ coupon: code?.toUpperCase() ?? null }));
  }

  /** The ways to send it to its address, good for ten minutes; none where nothing is sent. Throws `NotFound`, `placed`, `expired`. */
  async rates(key: SessionKey, address: string): Promise<RateOption[]> {
    const { database, clock, rates } = this.parts;
    const session = await readSession(database, key);
    const by = buyerBy(key.storeId, clock);
    refuseOver(session, by.at);
    return rates.optionsFor(by, {
      lines: await goodsOf(database, session),
      place: placeOf(session.address ?? undefined),
      asker: anonymousBuyer(session.id, address),
    });
  }

  /** Throws `quote_expired`, and `InvalidInput` for what is none of its options. */
  setShipping(key: SessionKey, { quote_id, option }: SessionShipping): Promise<CartView> {
    return this.change(key, async () => ({ shipping: { quote_id, option } }));
  }

  /** How the payment of its order stands. Throws `NotFound`. */
  async status(key: SessionKey): Promise<SessionStatus> {
    const { number, payment_status, paid_at } = await paymentOf(this.parts.database, key);
    return { order_number: number, payment_status, paid_at: paid_at?.toISOString() ?? null };
  }

  private offering(sql: Sql): Offering {
    return { sql, gateways: this.parts.gateways };
  }

  private begin({ store_slug, link_code }: NewSession): Promise<Begun> {
    const { database } = this.parts;
    if (store_slug !== undefined && link_code === undefined) return beginning(database, 'slug', store_slug);
    if (link_code !== undefined && store_slug === undefined) return beginning(database, 'checkout_link', link_code);
    if (store_slug === undefined) throw required('store_slug');
    const message = 'link_code cannot be given with store_slug';
    throw new InvalidInput([{ field: 'link_code', tag: 'excluded_with', message }]);
  }

  private async shown(sql: Sql, session: Session): Promise<CartView> {
    const { storeId, order_id } = session;
    if (order_id !== null) return placedCart(session, await orderById(sql, storeId, order_id));
    return (await countCart(this.offering(sql), buyerBy(storeId, this.parts.clock), session)).view;
  }

  private firstLines(sql: Sql, begun: Begun, items: readonly SessionItem[] | undefined) {
    const { storeId, link_lines } = begun;
    return items === undefined ? linesOfLink(sql, storeId, link_lines ?? []) : this.linesOf(sql, begun, items);
  }

  private linesOf(sql: Sql, { storeId, link_lines }: Begun, items: readonly SessionItem[]) {
    const wanted = onceEach('items', items);
    if (link_lines !== null) refuseBeyond(link_lines, wanted);
    return linesFor(sql, storeId, wanted);
  }

  /** Decides on the locked row. Throws `NotFound`, `placed`, `expired`. */
  private change(key: SessionKey, changed: (tx: Transaction, session: Session) => Promise<Change>): Promise<CartView> {
    const { database, clock } = this.parts;
    return database.tx(async (tx) => {
      const before = await lockSession(tx, key);
      const by = buyerBy(key.storeId, clock);
      refuseOver(before, by.at);
      const change = await changed(tx, before);
      const wanted: Session = { ...before, ...change, state: 'open' };
      const { view, quote } = await countCart(this.offering(tx), by, wanted, change.shipping !== undefined);
      // What was quoted for another cart or another address is not kept
      const session = { ...wanted, shipping: quote.shipping && wanted.shipping };
      if (change.coupon && quote.reason !== undefined) throw couponRefusals.unavailable(quote.reason);
      const expires_at = await saveSession(tx, { session, total: view.total, at: by.at });
      return { ...view, expires_at: expires_at.toISOString() };
    });
  }
}
