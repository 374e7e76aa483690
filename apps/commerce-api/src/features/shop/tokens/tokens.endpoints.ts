import { dataOf, done, uuid, type Endpoint } from '@platform/http';
import { endpoint as ofService } from '../../../endpoint';
import { refusals } from '../../../refusals';
import { ApiTokensAnswer, MadeToken, NewToken } from './tokens.dto';
import * as examples from './tokens.examples';
import { tokenRefusals, type TokensService } from './tokens.service';

const endpoint = ofService.withDefaults({
  tag: 'Settings and reports',
  unknownKeys: 'refuse',
  params: { id: uuid },
  refuses: [],
});

export const tokensEndpoints = (tokens: TokensService): Endpoint[] => [
  endpoint({
    get: '/api/settings/api-tokens',
    summary: 'API tokens, by their last four characters; the newest 200, all that work among them',
    guard: 'token.write',
    reply: ApiTokensAnswer,
    examples: examples.list,
    handle: async ({ caller }) => ({ data: await tokens.list(caller.storeId) }),
  }),
  endpoint({
    post: '/api/settings/api-tokens',
    summary: 'Create an API token, which is shown this once',
    guard: 'token.write',
    status: 201,
    body: NewToken,
    reply: dataOf(MadeToken, 'API token created'),
    refuses: [refusals.grantTooFar, tokenRefusals.tooMany],
    examples: examples.create,
    handle: ({ caller, body }) => tokens.create(caller, body),
  }),
  endpoint({
    delete: '/api/settings/api-tokens/{id}',
    summary: 'Revoke an API token at once',
    guard: 'token.write',
    reply: done('API token deleted'),
    refuses: ['notFound'],
    examples: examples.revoke,
    handle: ({ caller, params }) => tokens.revoke(caller, params.id),
  }),
];
