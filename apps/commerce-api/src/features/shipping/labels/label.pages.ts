import type { Sql } from '@platform/data';
import { page } from '../../../web/page';
import { labelsOfOrder } from './label.sql';
import { labelTexts } from './label.texts';
import { LabelSheets } from './label.view';

/** What is stuck on the parcels of an order. */
export const labelPages = (sql: Sql) =>
  page({
    get: '/orders/{id}/label',
    ability: 'order.read',
    back: '/orders',
    title: ({ data, t }) => `${labelTexts(t).title} ${data.number}`,
    load: ({ viewer: { caller }, params }) => labelsOfOrder(sql, caller.storeId, params.id ?? ''),
    view: LabelSheets,
  });
