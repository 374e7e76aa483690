import { arrayOf, isRecord, numberAt, rowsOf, textAt, type Json } from './json.reader';
import type { Phrases } from './phrases';
import type { ToolResult } from './scene';

/** Rupiah with Indonesian thousands points. */
const rupiah = (amount: number | undefined): string | undefined =>
  amount === undefined ? undefined : `Rp${String(Math.round(amount)).replace(/\B(?=(\d{3})+$)/g, '.')}`;

const join = (separator: string, ...parts: (string | undefined | false)[]): string =>
  parts.filter(Boolean).join(separator);

type Template = (data: unknown, say: Phrases) => string;
const record = (data: unknown): Json => (isRecord(data) ? data : {});

const product = (row: Json, say: Phrases): string => {
  const stock = numberAt(row, 'stock');
  const level = stock === undefined ? undefined : stock > 0 ? `${say.stock} ${stock}` : say.soldOut;
  return join(', ', join(' ', textAt(row, 'name', 'sku'), rupiah(numberAt(row, 'price'))), level);
};

const products: Template = (data, say) => {
  const rows = rowsOf(data).slice(0, 3);
  const [first] = rows;
  if (!first) return say.notFound;
  const sku = textAt(first, 'sku');
  const list =
    rows.length === 1
      ? `${say.found}, ${product(first, say)}.`
      : `${say.found}:\n${rows.map((row) => `- ${product(row, say)}`).join('\n')}`;
  return join('\n', list, sku && `[[img:${sku}]]`);
};

const stock: Template = (data, say) =>
  rowsOf(data)
    .map((row) => {
      const left = numberAt(row, 'stock', 'available') ?? 0;
      const level = left > 0 ? `${say.stock} ${left}` : row.available === true && say.endless;
      return `${join(' ', textAt(row, 'name', 'sku'))}: ${(row.available !== false && level) || say.soldOut}`;
    })
    .join('\n') || say.notFound;

const rate = (row: Json): string => {
  const days = textAt(row, 'etd_days', 'etd');
  return join(
    ' ',
    textAt(row, 'name') ?? join(' ', textAt(row, 'courier'), textAt(row, 'service')),
    rupiah(numberAt(row, 'cost', 'price')),
    days && `(${days})`,
  );
};

const shipping: Template = (data, say) => {
  const options = arrayOf(record(data).options).filter((option) => typeof option === 'string');
  if (options.length) return `${say.choose}\n${options.map((label, at) => `${at + 1}. ${label}`).join('\n')}`;
  const rates = rowsOf(data).map((row) => `- ${rate(row)}`);
  return rates.length ? `${say.shipping}:\n${rates.join('\n')}` : say.sorry;
};

const checkout: Template = (data, say) => {
  const row = record(data);
  const total = `total ${rupiah(numberAt(row, 'total')) ?? '-'}`;
  if (row.status === 'needs_confirmation') {
    const subtotal = rupiah(numberAt(row, 'subtotal'));
    const delivery = rupiah(numberAt(row, 'shipping'));
    return `${say.subtotal}: ${join(', ', subtotal && `subtotal ${subtotal}`, delivery && `${say.shipping.split(' ')[0]?.toLowerCase()} ${delivery}`, total)}. ${say.confirm}`;
  }
  const order = textAt(row, 'orderNumber');
  if (!order) return row.status === 'processing' ? say.processing : say.sorry;
  const url = textAt(row, 'paymentUrl');
  const expires = textAt(row, 'expiresAt');
  return join(
    ' ',
    `${say.ordered(order)}, ${total}.`,
    url && join(' ', say.pay, url, expires && `${say.before} ${expires}`),
  );
};

const payment: Template = (data, say) => {
  const row = record(data);
  const status = textAt(row, 'status') ?? 'pending';
  const waybill = textAt(row, 'waybill');
  return (
    join(
      ' ',
      join(
        ', ',
        `${join(' ', say.payment, textAt(row, 'orderNumber'))}: ${say.states[status] ?? say.states.pending}`,
        rupiah(numberAt(row, 'total')),
        waybill && `${say.waybill} ${waybill}`,
      ),
    ) + '.'
  );
};

const tracking: Template = (data, say) => {
  const row = record(data);
  const last = rowsOf(row.events).at(-1);
  const where = last && join(', ', textAt(last, 'text'), textAt(last, 'place'));
  return `${join(' ', say.waybill, textAt(row, 'waybill'), textAt(row, 'courier'))}: ${join('. ', textAt(row, 'status'), where)}.`;
};

const policy: Template = (data, say) => {
  const best = rowsOf(data)[0];
  return (best && textAt(best, 'body', 'text', 'content', 'answer')) ?? say.unknown;
};

const TEMPLATES: Readonly<Record<string, Template>> = {
  search_products: products,
  check_stock: stock,
  get_shipping_cost: shipping,
  create_checkout: checkout,
  check_payment_status: payment,
  track_waybill: tracking,
  get_store_policy: policy,
  handover_to_human: (_, say) => say.handover,
};

/** Puts a tool result into words. Every figure, name and address comes from the tool's JSON. */
export const describeResult = ({ name, data, failed }: ToolResult, say: Phrases): string =>
  failed ? say.sorry : (TEMPLATES[name]?.(data, say) ?? say.help);
