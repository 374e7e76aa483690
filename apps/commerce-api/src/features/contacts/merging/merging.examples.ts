import { succeeds } from '../../../examples';
import { budi } from '../people/public';

const tag = '0199f7a0-0000-7000-8000-000000000701';

export const mergingExamples = {
  merge: succeeds('two of one person', budi, {
    message: 'Contacts merged',
    request: { keep_id: budi.id, merge_ids: ['0199f7a0-0000-7000-8000-000000000712'] },
  }),
  bulkTag: succeeds(
    'one tag more',
    { changed: 1 },
    { message: 'Contacts updated', request: { ids: [budi.id], add: [tag] } },
  ),
  setTags: succeeds('one tag', budi, { message: 'Contact updated', request: { tag_ids: [tag] } }),
} as const;
