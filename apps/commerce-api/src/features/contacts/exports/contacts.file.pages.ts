import type { Database } from '@platform/data';
import { filePage } from '../../../web/file.page';
import type { Pages } from '../../../web/kit';
import { contactListing, SegmentQuery } from '../people/public';
import { CONTACTS_FILE } from './contacts-file';

/** The contacts as a file, for people. */
export const contactsFilePages = (database: Database): Pages =>
  filePage({
    ...{ get: '/contacts/export', ability: 'contact.export+chat.all', query: SegmentQuery, reply: CONTACTS_FILE },
    load: ({ viewer: { caller }, query, signal }) => contactListing.stream(database, caller.storeId, query, { signal }),
  });
