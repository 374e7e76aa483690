import { Int, Text } from '@platform/validation';
import type { AreaParts } from '../../../area';
import { byOf } from '../../../by';
import { idTyped } from '../../../web/form.fields';
import type { Reader } from '../../../web/i18n/reader';
import type { Pages } from '../../../web/kit';
import { action, actions, page } from '../../../web/page';
import { Seen } from '../../../web/seen';
import { CategoryChange, NewCategory } from './categories.dto';
import { categoryTree, createCategory, deleteCategory, editCategory } from './categories.sql';
import { categoryTexts } from './categories.texts';
import { CategoriesView } from './categories.view';

class CategoriesQuery {
  @Text({ optional: true, format: 'uuid', description: 'The one that is being changed' }) id?: string;
}

/** The form of a category: what it is called, and where it stands. */
class CategoryEdit extends CategoryChange {
  @Text({ format: 'uuid' }) id!: string;
  @Text({ optional: true, format: 'uuid' }) parent_id?: string;
  @Int({ min: 1, max: 1_000 }) position!: number;
  @Seen() seen!: string;
}

class CategoryNamed {
  @Text({ format: 'uuid' }) id!: string;
}

const labels = (t: Reader) => {
  const say = categoryTexts(t);
  const parent = `${say.parent} (${say.tooDeep})`;
  return { name: say.name, slug: say.slug, parent_id: parent, position: say.position, id: say.name };
};
const conflicts = {
  slug_taken: { field: 'slug', text: (t: Reader) => t.form.rules.unique({ label: categoryTexts(t).slug }) },
  not_empty: { text: (t: Reader) => categoryTexts(t).notEmpty },
  too_many_categories: { text: (t: Reader) => categoryTexts(t).tooMany },
};

type Parts = Pick<AreaParts, 'database' | 'clock' | 'queue'>;

/** What the API's categories are to people. */
export const categoryPages = ({ database, clock, queue }: Parts): Pages => {
  const by = byOf(clock);
  const all = page({
    ...{ get: '/categories', ability: 'product.read', query: CategoriesQuery, labels, conflicts },
    title: ({ t }) => t.nav.places.categories,
    load: async ({ viewer: { caller }, query: { id }, typed }) => ({
      tree: await categoryTree(database, caller.storeId),
      id: id ?? idTyped(typed),
    }),
    view: CategoriesView,
  });
  const to = '/categories';
  const posted = actions({
    ...{ post: to, ability: 'category.write', of: all },
    on: {
      create: action({
        body: NewCategory,
        run: ({ viewer, body, tx }) => createCategory(tx, by(viewer), body),
        done: ({ name }, { t }) => ({ to, flash: categoryTexts(t).created({ name }) }),
      }),
      save: action({
        body: CategoryEdit,
        run: ({ viewer, body, tx }) => editCategory(tx, by(viewer), queue, body),
        done: ({ name }, { t }) => ({ to, flash: categoryTexts(t).saved({ name }) }),
      }),
      remove: action({
        body: CategoryNamed,
        run: ({ viewer, body, tx }) => deleteCategory(tx, by(viewer), body.id),
        done: (_, { t }) => ({ to, flash: categoryTexts(t).removed }),
      }),
    },
  });
  return (kit) => [all, posted].flatMap((pages) => pages(kit));
};
