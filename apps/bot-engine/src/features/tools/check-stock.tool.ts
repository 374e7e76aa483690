import { List } from '@platform/validation';
import type { CommerceClient } from '../../clients/commerce.client';
import type { Tool } from './tool.types';
import { WantedItem } from './wanted.dto';

export class CheckStockArguments {
  @List(() => WantedItem, { min: 1, max: 5 }) items!: WantedItem[];
}

/** Whether so many of each are there now, as commerce says. */
export const checkStock = (commerce: Pick<CommerceClient, 'stock'>): Tool<CheckStockArguments> => ({
  name: 'check_stock',
  description:
    'Tells whether products can be had in the wanted quantity: available says so, also of what is not counted and has stock 0.',
  args: CheckStockArguments,
  kind: 'read',
  timeoutMs: 3_000,
  run: async ({ items }, { store, facts, signal }) => {
    const wanted = items.map(({ sku, quantity = 1 }) => ({ sku, quantity }));
    const rows = await commerce.stock(store.id, wanted, signal);
    const names = new Map(facts.products.map(({ sku, name }) => [sku, name]));
    const stocked = rows.map(({ sku, quantity, stock, available }) => ({
      sku,
      ...(names.has(sku) ? { name: names.get(sku) } : {}),
      quantity,
      stock,
      available,
    }));
    return { result: { items: stocked } };
  },
});
