import { area, pageOf, type Endpoint } from '@platform/http';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { refusals } from '../../../refusals';
import { OrderRow, orderListing } from '../../sales/orders/public';
import { seenBy } from '../../sales/sight/public';
import { ofAllChats, refuseUnknown, type ContactsRoutes } from '../people/public';
import { ContactOrdersQuery } from './contact-orders.dto';

export const contactOrdersEndpoints = ({ database }: ContactsRoutes): Endpoint[] =>
  area({ prefix: '/api/contact', tag: 'Contacts' }, [
    endpoint({
      get: '/{id}/orders',
      summary: 'Orders of a contact',
      description: 'Also of contacts that were merged into this one.',
      guard: 'contact.read',
      query: ContactOrdersQuery,
      reply: pageOf(OrderRow),
      refuses: ['notFound', refusals.abilityMissing],
      handle: async (input) => {
        const { caller } = ofAllChats(input);
        const { id } = input.params;
        await refuseUnknown(database, caller.storeId, id);
        return orderListing.page(database, caller.storeId, seenBy(caller, { ...input.query, contact_id: id }));
      },
    }),
  ]);
