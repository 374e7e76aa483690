import type { Sql } from '@platform/data';
import { createHash } from 'node:crypto';
import type { StockedLine } from '../../sales/carts/public';
import { countedLines } from '../../sales/totals/public';
import { inForce } from '../../shop/settings/public';
import type { Asker } from '../askers';
import type { Place } from './place';

/** What somebody wants to have sent. */
export interface ToSend {
  readonly lines: readonly StockedLine[];
  readonly place: Place;
  /** From where; the store decides unless given. */
  readonly warehouseId?: string | undefined;
  /** Who wants to know; the store's own people unless given. */
  readonly asker?: Asker | undefined;
}

/** The same as those who bring it count. */
export interface Sending extends Omit<ToSend, 'lines'> {
  readonly storeId: string;
  readonly weightG: number;
  /** Of the goods that are sent, before a discount. */
  readonly subtotal: number;
}

/** How an order is sent, as it is offered; whoever offers names it so that it finds it again. */
export interface Offer {
  /** Unique among all offers of a cart: `own:<id>`. */
  readonly option: string;
  readonly kind: 'courier' | 'flat' | 'pickup' | 'cod';
  readonly courier: string | null;
  readonly service: string | null;
  readonly name: string;
  readonly cost: number;
  readonly etd_days: string | null;
  /** Whether it can be paid when it arrives. */
  readonly cod: boolean;
}

/** Where offers come from: the store's own methods; a courier is one more. It answers with nothing when it cannot tell. */
export type RateSource = (sending: Sending) => Promise<readonly Offer[]>;

/** What goes by post or hand: downloads and services do not. */
export const sentOf = (lines: readonly StockedLine[]): StockedLine[] => lines.filter(({ kind }) => kind === 'physical');

const SETTING = `SELECT value FROM setting WHERE store_id = $1 AND name = 'shipping'`;

/** Goods of which nobody knows the weight count as the store's setting says. */
export const sendingOf = async (sql: Sql, storeId: string, { lines, ...rest }: ToSend): Promise<Sending> => {
  const [row] = await sql.prepared<{ value: object }>('shipping setting', SETTING, [storeId]);
  const { default_weight_g: usual } = inForce('shipping', { ...row?.value }) as { default_weight_g: number };
  const sent = sentOf(lines);
  const subtotal = countedLines({ lines: sent, buyerTags: [] }).reduce((sum, { total }) => sum + total, 0);
  const weightG = sent.reduce((sum, { weightG: each, qty }) => sum + (each || usual) * qty, 0);
  return { ...rest, storeId, weightG, subtotal };
};

/** The same for the same goods from the same warehouse, in whatever order they stand in a cart. */
export const goodsHash = ({ lines, warehouseId }: Pick<ToSend, 'lines' | 'warehouseId'>): string => {
  const pieces = new Map<string, number>();
  for (const { variantId, qty } of sentOf(lines)) pieces.set(variantId, (pieces.get(variantId) ?? 0) + qty);
  const goods = [[...pieces].sort(([one], [other]) => (one < other ? -1 : 1)), warehouseId?.toLowerCase() ?? null];
  return createHash('sha256').update(JSON.stringify(goods)).digest('hex');
};
