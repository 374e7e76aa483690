import { area, dataOf, done, listOf, type Endpoint } from '@platform/http';
import type { AreaParts } from '../../../area';
import { byOf } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { Category, CategoryChange, CategoryOrder, NewCategory } from './categories.dto';
import {
  categoryRefusals,
  categoryTree,
  changeCategory,
  createCategory,
  deleteCategory,
  orderCategories,
} from './categories.sql';

export const categoriesEndpoints = ({
  database,
  clock,
  queue,
}: Pick<AreaParts, 'database' | 'clock' | 'queue'>): Endpoint[] => {
  const by = byOf(clock);
  return area({ prefix: '/api/category_product', tag: 'E-commerce' }, [
    endpoint({
      get: '',
      summary: 'Category tree with counts',
      guard: 'product.read',
      reply: listOf(Category),
      refuses: [],
      handle: ({ caller }) => categoryTree(database, caller.storeId),
    }),
    endpoint({
      post: '',
      summary: 'Create category',
      guard: 'category.write',
      status: 201,
      body: NewCategory,
      reply: dataOf(Category, 'Category created'),
      refuses: ['notFound', categoryRefusals.slugTaken, categoryRefusals.tooMany],
      handle: (input) => database.tx((tx) => createCategory(tx, by(input), input.body)),
    }),
    endpoint({
      put: '/{id}',
      summary: 'Update category',
      guard: 'category.write',
      body: CategoryChange,
      reply: dataOf(Category, 'Category updated'),
      refuses: ['notFound', categoryRefusals.slugTaken],
      handle: (input) => database.tx((tx) => changeCategory(tx, by(input), queue, [input.params.id, input.body])),
    }),
    endpoint({
      delete: '/{id}',
      summary: 'Delete an empty category',
      guard: 'category.write',
      reply: done('Category deleted'),
      refuses: ['notFound', categoryRefusals.notEmpty],
      handle: (input) => database.tx((tx) => deleteCategory(tx, by(input), input.params.id)),
    }),
    endpoint({
      put: '/order',
      summary: 'Reorder the tree',
      guard: 'category.write',
      body: CategoryOrder,
      reply: listOf(Category, 'Categories updated'),
      refuses: ['notFound'],
      handle: (input) => database.tx((tx) => orderCategories(tx, by(input), input.body.items)),
    }),
  ]);
};
