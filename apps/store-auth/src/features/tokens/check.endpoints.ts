import type { IncomingHttpHeaders } from 'node:http';
import { bearerToken } from '@platform/auth';
import { tokenTypes, type TokenType } from '@platform/contracts';
import { InvalidInput } from '@platform/errors';
import { endpoint } from '../../endpoint';
import { CheckBody, CheckReply, ChecktokenReply, type CheckedToken } from './check.dto';
import { checkExamples } from './check.examples';
import type { InspectedToken, TokenInspector } from './token-inspector';

/** The body's token wins: a sibling service asks about somebody's token under its own header (design row 5). */
export const tokenToCheck = (headers: IncomingHttpHeaders, token: string | undefined): string => {
  const given = token ?? bearerToken({ headers });
  if (given) return given;
  throw new InvalidInput([{ field: 'token', tag: 'required', message: 'token is a required field' }]);
};

/** `token valid`: the contract's text, on all three check routes. */
export const validReply = <T>(data: T) => ({ status: 'valid' as const, message: 'token valid', data });

export const checkedToken = ({ claims, email, role }: InspectedToken): CheckedToken => ({
  email,
  store_id: claims.store_id,
  role,
  expires_at: new Date(claims.exp * 1000).toISOString(),
});

const TYPE_NAMES: Readonly<Record<TokenType, 'access' | 'preview' | 'service'>> = {
  [tokenTypes.access]: 'access',
  [tokenTypes.preview]: 'preview',
  [tokenTypes.service]: 'service',
};

export const checkEndpoints = (tokens: TokenInspector) => [
  endpoint({
    post: '/api/check-validate-token',
    summary: 'Is this access token good?',
    description: 'An expired token that would otherwise be good answers 401 with status `ekspired`.',
    tag: 'tokens',
    guard: 'public',
    body: CheckBody,
    reply: CheckReply,
    refuses: ['unauthenticated'],
    examples: checkExamples,
    handle: async ({ body, headers }) =>
      validReply(checkedToken(await tokens.inspect(tokenToCheck(headers, body.token), [tokenTypes.access]))),
  }),
  endpoint({
    post: '/api/checktoken',
    summary: 'Introspection of a token of any type',
    tag: 'tokens',
    guard: 'public',
    body: CheckBody,
    reply: ChecktokenReply,
    refuses: ['unauthenticated'],
    examples: checkExamples,
    handle: async ({ body, headers }) => {
      const token = await tokens.inspect(tokenToCheck(headers, body.token), Object.values(tokenTypes));
      const { sub, sid, iat } = token.claims;
      const type = TYPE_NAMES[token.type];
      return validReply({ ...checkedToken(token), type, sub, sid, teams: token.teams, iat });
    },
  }),
];
