import { List, Text } from '@platform/validation';
import type { CommerceClient, Destination } from '../../clients/commerce.client';
import type { Tool } from './tool.types';
import { WantedItem } from './wanted.dto';

const MOST_OPTIONS = 5;

export class ShippingCostArguments {
  @Text({
    min: 2,
    max: 80,
    description: 'city or district, or exactly one of the options of an earlier result',
  })
  destination!: string;
  @List(() => WantedItem, { min: 1, max: 5 }) items!: WantedItem[];
  @Text({ max: 40, optional: true }) courier?: string;
}

const folded = (text: string): string => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();

/** The one place that is meant: the only one found, or the one whose label was repeated. */
const pick = (found: readonly Destination[], wanted: string): Destination | undefined =>
  found.length === 1 ? found[0] : found.find(({ label }) => folded(label) === folded(wanted));

/** What sending costs: commerce knows origin, weights and couriers. */
export const shippingCost = (
  commerce: Pick<CommerceClient, 'destinations' | 'rates'>,
): Tool<ShippingCostArguments> => ({
  name: 'get_shipping_cost',
  description: 'Shipping costs of products to a destination.',
  args: ShippingCostArguments,
  kind: 'read',
  timeoutMs: 5_000,
  run: async ({ destination, items, courier }, { store, signal }) => {
    const found = await commerce.destinations(store.id, destination, signal);
    const place = pick(found, destination);
    if (!place) {
      const options = found.slice(0, MOST_OPTIONS).map(({ label }) => label);
      return { result: options.length > 0 ? { status: 'ambiguous', options } : { status: 'unknown_destination' } };
    }
    const wanted = items.map(({ sku, quantity = 1 }) => ({ sku, quantity }));
    const rates = await commerce.rates(store.id, wanted, place, signal);
    const asked = rates.filter((rate) => !courier || folded(rate.courier).includes(folded(courier)));
    const cheapest = [...(asked.length > 0 ? asked : rates)].sort((a, b) => a.price - b.price);
    const rows = cheapest.slice(0, MOST_OPTIONS).map(({ courier: by, service, price, estimate }) => ({
      courier: by,
      ...(service ? { service } : {}),
      price,
      ...(estimate ? { etd: estimate } : {}),
    }));
    return { result: { destination: place.label, rates: rows } };
  },
});
