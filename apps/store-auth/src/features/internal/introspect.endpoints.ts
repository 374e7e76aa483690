import { tokenTypes } from '@platform/contracts';
import { Unauthenticated } from '@platform/errors';
import { internalEndpoint } from '../../endpoint';
import type { TokenInspector } from '../tokens/public';
import { IntrospectBody, IntrospectReply, type Introspection } from './introspect.dto';
import { introspectExamples } from './introspect.examples';

const introspection = async (tokens: TokenInspector, token: string): Promise<Introspection> => {
  try {
    const { type, claims, email, role, teams } = await tokens.inspect(token, Object.values(tokenTypes));
    return { active: true, type, claims: { ...claims, email, role, teams } };
  } catch (failure) {
    if (failure instanceof Unauthenticated) return { active: false };
    throw failure;
  }
};

export const introspectEndpoints = (tokens: TokenInspector) => [
  internalEndpoint({
    post: '/internal/tokens/introspect',
    summary: 'Is this token good now, whatever its type and audience? (RFC 7662)',
    guard: 'introspect',
    body: IntrospectBody,
    reply: IntrospectReply,
    refuses: [],
    examples: introspectExamples,
    handle: async ({ body }) => ({
      status: 'success' as const,
      message: 'token diperiksa',
      data: await introspection(tokens, body.token),
    }),
  }),
];
