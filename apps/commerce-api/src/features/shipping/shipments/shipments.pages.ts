import type { AreaParts } from '../../../area';
import type { Pages } from '../../../web/kit';
import { page } from '../../../web/page';
import { orderById } from '../../sales/orders/public';
import { seenBy } from '../../sales/sight/public';
import { ShipmentsQuery } from './shipments.dto';
import { shipmentById } from '../parcels/public';
import { shipmentListing } from './shipments.sql';
import { shipmentTexts } from './shipments.texts';
import { ShipmentList, ShipmentView } from './shipments.view';

/** Parcels, and where they are. */
export const shipmentPages = ({ database }: Pick<AreaParts, 'database'>): Pages => {
  const all = page({
    ...{ get: '/shipments', ability: 'order.read', query: ShipmentsQuery },
    title: ({ t }) => t.nav.places.shipments,
    load: ({ viewer: { caller }, query }) => shipmentListing.page(database, caller.storeId, seenBy(caller, query)),
    view: ShipmentList,
    fragments: { list: ShipmentList },
  });
  const one = page({
    ...{ get: '/shipments/{id}', ability: 'order.read', back: '/shipments' },
    title: ({ data, t }) => data.shipment.waybill ?? `${shipmentTexts(t).title} ${data.number}`,
    load: async ({ viewer: { caller }, params }) => {
      const shipment = await shipmentById(database, caller.storeId, params.id ?? '');
      const { number, items } = await orderById(database, caller.storeId, shipment.order_id);
      return { shipment, number, items: new Map(items.map(({ id, name }) => [id, name])) };
    },
    view: ShipmentView,
  });
  return (kit) => [all, one].flatMap((pages) => pages(kit));
};
