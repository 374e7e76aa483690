import type { Database } from '@platform/data';
import { area, dataOf, done, pageOf, type Endpoint } from '@platform/http';
import type { byOf } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { QuickRepliesQuery, QuickReply, QuickReplyBody, QuickReplyChange } from './replies.dto';
import { changeReply, createReply, deleteReply, replyListing, replyRefusals, type ReplyParts } from './replies.sql';

export const repliesEndpoints = (database: Database, parts: ReplyParts, by: ReturnType<typeof byOf>): Endpoint[] =>
  area({ prefix: '/api/response-template', tag: 'Chat' }, [
    endpoint({
      get: '',
      summary: 'Quick replies',
      guard: 'member',
      query: QuickRepliesQuery,
      reply: pageOf(QuickReply),
      refuses: [],
      handle: ({ caller, query }) => replyListing.page(database, caller.storeId, query),
    }),
    endpoint({
      post: '',
      summary: 'Create quick reply',
      guard: 'template.write',
      status: 201,
      body: QuickReplyBody,
      reply: dataOf(QuickReply, 'Quick reply created'),
      refuses: ['notFound', replyRefusals.taken, replyRefusals.tooMany],
      handle: (input) => database.tx((tx) => createReply(tx, parts, by(input), input.body)),
    }),
    endpoint({
      put: '/{id}',
      summary: 'Update quick reply',
      guard: 'template.write',
      body: QuickReplyChange,
      reply: dataOf(QuickReply, 'Quick reply updated'),
      refuses: ['notFound', replyRefusals.taken],
      handle: (input) => database.tx((tx) => changeReply(tx, parts, by(input), [input.params.id, input.body])),
    }),
    endpoint({
      delete: '/{id}',
      summary: 'Delete quick reply',
      guard: 'template.write',
      reply: done('Quick reply deleted'),
      refuses: ['notFound'],
      handle: (input) => database.tx((tx) => deleteReply(tx, parts, by(input), input.params.id)),
    }),
  ]);
