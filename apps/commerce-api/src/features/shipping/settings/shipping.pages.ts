import { NotFound } from '@platform/errors';
import { Text } from '@platform/validation';
import type { AreaParts } from '../../../area';
import { byOf } from '../../../by';
import { idTyped } from '../../../web/form.fields';
import type { Reader } from '../../../web/i18n/reader';
import type { Pages } from '../../../web/kit';
import { action, actions, page } from '../../../web/page';
import { Seen } from '../../../web/seen';
import { courierRefusals, CouriersBody, couriersOf, saveCouriers } from '../couriers/public';
import { ShippingMethodBody, ShippingMethodsQuery } from '../methods/public';
import { changeMethod, createMethod, deleteMethod, methodListing } from '../methods/public';
import { shippingTexts } from './shipping.texts';
import { couriersTyped, courierTypedAt, methodTyped } from './shipping.typed';
import { ShippingView } from './shipping.view';

class ShippingQuery {
  @Text({ optional: true, format: 'uuid', description: 'The method that is being changed' }) id?: string;
}

/** The form of a method. */
class MethodEdit extends ShippingMethodBody {
  @Text({ format: 'uuid' }) id!: string;
  @Seen() seen!: string;
}

class CouriersEdit extends CouriersBody {
  @Seen() seen!: string;
}

class MethodNamed {
  @Text({ format: 'uuid' }) id!: string;
}

const labels = (t: Reader) => {
  const say = shippingTexts(t);
  return {
    ...{ kind: say.kind, name: say.name, cost: say.cost, free_over: say.freeOver, areas: say.areas },
    ...{ max_weight_g: say.weight, 'couriers[][code]': say.code, 'couriers[][markup][fixed]': say.markupFixed },
    ...{ 'couriers[][markup][percent_bp]': say.markupPercent, 'free_shipping[min_subtotal]': say.free },
    'free_shipping[max_cost]': say.freeMost,
  };
};
const told = (of: (say: ReturnType<typeof shippingTexts>) => string) => ({ text: (t: Reader) => of(shippingTexts(t)) });
const conflicts = { too_many_methods: told((say) => say.tooMany), provider_unavailable: told((say) => say.noCouriers) };

interface Parts extends Pick<AreaParts, 'database' | 'clock'> {
  /** Whether there is a provider that tells what couriers take. */
  readonly areTold: boolean;
}

/** All of them: a store has 50 at most. */
const ALL = { per_page: 100 };

const settingsPage = ({ database, areTold }: Parts) =>
  page({
    ...{ get: '/shipping', ability: 'order.read', query: ShippingQuery, labels, conflicts },
    title: ({ t }) => t.nav.places.shipping,
    load: async ({ viewer: { caller }, query, typed }) => {
      const { rows } = await methodListing.page(
        database,
        caller.storeId,
        Object.assign(new ShippingMethodsQuery(), ALL),
      );
      const id = query.id ?? idTyped(typed);
      const one = rows.find((row) => row.id === id);
      if (id !== undefined && !one) throw new NotFound('Shipping method not found');
      return { methods: rows, one, areTold, ...(await couriersOf(database, caller.storeId)) };
    },
    view: ShippingView,
  });

/** How the goods of a shop are sent. */
export const shippingPages = (parts: Parts): Pages => {
  const by = byOf(parts.clock);
  const all = settingsPage(parts);
  const to = '/shipping';
  const saved = ({ name }: { readonly name: string }, { t }: { readonly t: Reader }) => ({
    ...{ to, flash: shippingTexts(t).saved({ name }) },
  });
  const posted = actions({
    ...{ post: to, ability: 'shipping.write', of: all },
    on: {
      create: action({
        ...{ body: ShippingMethodBody, reads: methodTyped, done: saved },
        run: ({ viewer, body, tx }) => createMethod(tx, by(viewer), body),
      }),
      save: action({
        ...{ body: MethodEdit, reads: methodTyped, done: saved },
        run: ({ viewer, body: { id, seen, ...body }, tx }) => changeMethod(tx, by(viewer), id, body, seen),
      }),
      remove: action({
        body: MethodNamed,
        run: ({ viewer, body, tx }) => deleteMethod(tx, by(viewer), body.id),
        done: (_, { t }) => ({ to, flash: shippingTexts(t).removed }),
      }),
      couriers: action({
        ...{ body: CouriersEdit, reads: couriersTyped, typedAt: courierTypedAt },
        run: async ({ viewer, body: { seen, ...body }, tx }) => {
          if (!parts.areTold && body.couriers.some(({ active = true }) => active)) throw courierRefusals.none();
          return saveCouriers(tx, by(viewer), body, seen);
        },
        done: (_, { t }) => ({ to, flash: shippingTexts(t).couriersSaved }),
      }),
    },
  });
  return (kit) => [all, posted].flatMap((pages) => pages(kit));
};
