import { Text } from '@platform/validation';
import type { AreaParts } from '../../../area';
import { byOf } from '../../../by';
import type { Reader } from '../../../web/i18n/reader';
import type { Pages } from '../../../web/kit';
import { action, actions, page } from '../../../web/page';
import { TagBody, TagsQuery } from './tags.dto';
import { changeTag, createTag, deleteTag, tagListing } from './tags.sql';
import { tagTexts } from './tags.texts';
import { TagsView } from './tags.view';

class TagEdit extends TagBody {
  @Text({ format: 'uuid' }) id!: string;
}

class TagRemoval {
  @Text({ format: 'uuid' }) id!: string;
}

const labels = (t: Reader) => ({ name: tagTexts(t).name });
const conflicts = {
  name_taken: { field: 'name', text: (t: Reader) => t.form.rules.unique({ label: tagTexts(t).name }) },
  too_many_tags: { text: (t: Reader) => tagTexts(t).tooMany },
};

/** What the API's tags are to people. */
export const tagsPages = ({ database, clock, queue }: Pick<AreaParts, 'database' | 'clock' | 'queue'>): Pages => {
  const by = byOf(clock);
  const all = page({
    get: '/tags',
    ability: 'contact.read',
    query: TagsQuery,
    title: ({ t }) => tagTexts(t).title,
    load: ({ viewer: { caller }, query }) => tagListing.page(database, caller.storeId, query),
    view: TagsView,
    ...{ back: '/contacts', labels, conflicts },
  });
  const changed = actions({
    ...{ post: '/tags', ability: 'contact.write', of: all },
    on: {
      create: action({
        body: TagBody,
        run: ({ viewer, body, tx }) => createTag(tx, by(viewer), body),
        done: ({ name }, { t }) => ({ to: '/tags', flash: tagTexts(t).created({ name }) }),
      }),
      save: action({
        body: TagEdit,
        run: ({ viewer, body: { id, ...change }, tx }) => changeTag(tx, by(viewer), queue, [id, change]),
        done: ({ name }, { t }) => ({ to: '/tags', flash: tagTexts(t).saved({ name }) }),
      }),
      remove: action({
        body: TagRemoval,
        run: ({ viewer, body: { id }, tx }) => deleteTag(tx, by(viewer), queue, id),
        done: (_, { t }) => ({ to: '/tags', flash: tagTexts(t).removed }),
      }),
    },
  });
  return (kit) => [all, changed].flatMap((pages) => pages(kit));
};
