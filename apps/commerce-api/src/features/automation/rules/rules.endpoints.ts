import type { Database } from '@platform/data';
import { area, dataOf, done, listOf, pageOf, type Endpoint } from '@platform/http';
import type { byOf } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { Rule, RuleBody, RuleChange, RuleOrder, RulesQuery, RuleThatFits, TriedText } from './rules.dto';
import {
  changeRule,
  createRule,
  deleteRule,
  orderRules,
  ruleFor,
  ruleListing,
  ruleRefusals,
  type RuleParts,
} from './rules.sql';

export const rulesEndpoints = (database: Database, parts: RuleParts, by: ReturnType<typeof byOf>): Endpoint[] =>
  area({ prefix: '/api/chatbot', tag: 'Chat' }, [
    endpoint({
      get: '',
      summary: 'Keyword rules by priority',
      guard: 'member',
      query: RulesQuery,
      reply: pageOf(Rule),
      refuses: [],
      handle: ({ caller, query }) => ruleListing.page(database, caller.storeId, query),
    }),
    endpoint({
      post: '',
      summary: 'Create rule',
      description: 'Behind all others.',
      guard: 'agent.write',
      status: 201,
      body: RuleBody,
      reply: dataOf(Rule, 'Rule created'),
      refuses: ['notFound', ruleRefusals.tooMany],
      handle: (input) => database.tx((tx) => createRule(tx, parts, by(input), input.body)),
    }),
    endpoint({
      put: '/order',
      summary: 'Reorder rule priority',
      guard: 'agent.write',
      body: RuleOrder,
      reply: listOf(Rule, 'Rules updated'),
      refuses: ['notFound'],
      handle: async (input) => database.tx((tx) => orderRules(tx, parts, by(input), input.body)),
    }),
    endpoint({
      put: '/{id}',
      summary: 'Update rule, switch on or off',
      guard: 'agent.write',
      body: RuleChange,
      reply: dataOf(Rule, 'Rule updated'),
      refuses: ['notFound'],
      handle: (input) => database.tx((tx) => changeRule(tx, parts, by(input), [input.params.id, input.body])),
    }),
    endpoint({
      delete: '/{id}',
      summary: 'Delete rule',
      guard: 'agent.write',
      reply: done('Rule deleted'),
      refuses: ['notFound'],
      handle: (input) => database.tx((tx) => deleteRule(tx, parts, by(input), input.params.id)),
    }),
    endpoint({
      post: '/match',
      summary: 'Show which rule would answer',
      description: 'By the same function as for a message that comes in.',
      guard: 'agent.write',
      body: TriedText,
      reply: dataOf(RuleThatFits),
      refuses: ['notFound'],
      handle: async ({ caller, body }) => ({ rule: await ruleFor(database, caller.storeId, body) }),
    }),
  ]);
