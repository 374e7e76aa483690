import type { Database } from '@platform/data';
import { Gone } from '@platform/errors';
import { area, dataOf, done, pageOf, type Endpoint } from '@platform/http';
import type { byOf } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
import type { Queue } from '../../../jobs';
import { refusals } from '../../../refusals';
import { Tag, TagBody, TagChange, TagsQuery } from './tags.dto';
import { crmExamples } from './tags.examples';
import { changeTag, createTag, deleteTag, tagListing, tagRefusals } from './tags.sql';

export const tagsEndpoints = (database: Database, queue: Queue, by: ReturnType<typeof byOf>): Endpoint[] =>
  area({ prefix: '/api/tag', tag: 'Contacts' }, [
    endpoint({
      get: '',
      summary: 'Tags with contact counts',
      guard: 'contact.read',
      query: TagsQuery,
      reply: pageOf(Tag),
      refuses: [],
      handle: ({ caller, query }) => tagListing.page(database, caller.storeId, query),
    }),
    endpoint({
      post: '',
      summary: 'Create tag',
      guard: 'contact.write',
      status: 201,
      body: TagBody,
      reply: dataOf(Tag, 'Tag created'),
      refuses: [refusals.nameTaken, tagRefusals.tooMany],
      handle: (input) => database.tx((tx) => createTag(tx, by(input), input.body)),
    }),
    endpoint({
      put: '/{id}',
      summary: 'Rename or recolour tag',
      guard: 'contact.write',
      body: TagChange,
      reply: dataOf(Tag, 'Tag updated'),
      refuses: ['notFound', refusals.nameTaken],
      handle: (input) => database.tx((tx) => changeTag(tx, by(input), queue, [input.params.id, input.body])),
    }),
    endpoint({
      delete: '/{id}',
      summary: 'Delete tag',
      guard: 'contact.write',
      reply: done('Tag deleted'),
      refuses: ['notFound'],
      handle: (input) => database.tx((tx) => deleteTag(tx, by(input), queue, input.params.id)),
    }),
  ]);

const inactive = () => new Gone('This feature is no longer active');

/** The contract keeps the route. */
export const crmEndpoint: Endpoint = endpoint({
  get: '/api/crm',
  summary: 'Inactive: answers 410 Gone',
  tag: 'Contacts',
  guard: 'member',
  reply: done('OK'),
  refuses: [inactive],
  examples: crmExamples,
  handle: () => {
    throw inactive();
  },
});
