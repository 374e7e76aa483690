import { createHash } from 'node:crypto';
import type { CreateCheckout } from './checkout.dto';

const same = (text = ''): string => text.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();

/** Lines of one product together, in the order in which they were named first. */
export const merged = (items: CreateCheckout['items']): { sku: string; quantity: number }[] => {
  const lines = new Map<string, { sku: string; quantity: number }>();
  for (const { sku, quantity } of items) {
    const key = same(sku);
    const line = lines.get(key);
    lines.set(key, { sku: line?.sku ?? sku, quantity: (line?.quantity ?? 0) + quantity });
  }
  return [...lines.values()];
};

/** What a customer confirms: the same for the same order in other words of case and spaces (design 3.5). */
export const cartHash = (args: CreateCheckout): string => {
  const items = merged(args.items)
    .map(({ sku, quantity }) => [same(sku), quantity] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const { customerName, address, destination, courier, coupon } = args;
  const texts = [customerName, address, destination, courier, coupon].map(same);
  return createHash('sha256')
    .update(JSON.stringify([items, ...texts]))
    .digest('hex');
};
