import type { Database } from '@platform/data';
import type { Endpoint } from '@platform/http';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { refusals } from '../../../refusals';
import { contactListing, ofAllChats, SegmentQuery } from '../people/public';
import { CONTACTS_FILE } from './contacts-file';

export const exportsEndpoints = (database: Database): Endpoint[] => [
  endpoint({
    get: '/api/contact/export',
    summary: 'Export contacts as CSV',
    tag: 'Contacts',
    guard: 'contact.export',
    query: SegmentQuery,
    reply: CONTACTS_FILE,
    refuses: [refusals.abilityMissing],
    handle: (input) => {
      const { storeId } = ofAllChats(input).caller;
      return contactListing.stream(database, storeId, input.query, { signal: input.signal });
    },
  }),
];
