import { endpoint } from '../../endpoint';
import type { WebSessions } from '../web-sessions/public';
import { CheckReply } from './check.dto';
import { checkedToken, validReply } from './check.endpoints';
import { ValidateBody } from './validate.dto';
import { validateTokenExamples } from './validate.examples';
import type { ValidateService } from './validate.service';

export const validateEndpoints = (validation: ValidateService, browsers: WebSessions) => [
  endpoint({
    post: '/api/validate_token',
    summary: 'Is this token good for this purpose? Preview tokens are bound to a referer and may be used up',
    tag: 'tokens',
    guard: 'public',
    body: ValidateBody,
    reply: CheckReply,
    refuses: ['unauthenticated'],
    examples: validateTokenExamples,
    handle: async ({ body: { token, purpose = 'access', consume = false, ...body }, headers }) => {
      const kept = purpose === 'preview' && body.referer === undefined ? await browsers.values(headers.cookie) : {};
      const referer = body.referer ?? kept.referer;
      return validReply(checkedToken(await validation.validate({ token, purpose, referer, consume })));
    },
  }),
];
