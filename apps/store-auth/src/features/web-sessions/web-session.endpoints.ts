import { Reply } from '@platform/http';
import { endpoint } from '../../endpoint';
import type { ThrottleLimit } from '../throttle/public';
import { normalisedEmail } from '../accounts/public';
import { DoneReply, EmailSessionBody, EmailSessionReply } from './web-session.dto';
import { removeRefererSessionExamples, setEmailSessionExamples } from './web-session.examples';
import { cookieHeaders, type WebSessions } from './web-session.service';

/** Their callers are anonymous, so an address may write only `limit`. */
export const webSessionEndpoints = (browsers: WebSessions, limit: ThrottleLimit) => {
  const rate = { requests: limit.attempts, perSeconds: limit.seconds, by: 'address' } as const;
  return [
    endpoint({
      post: '/api/set-email-session',
      summary: 'Keeps an e-mail in the browser session; it proves nothing',
      tag: 'session',
      guard: 'public',
      rate,
      body: EmailSessionBody,
      reply: EmailSessionReply,
      refuses: [],
      examples: setEmailSessionExamples,
      handle: async ({ body, headers }) => {
        const email = normalisedEmail(body.email);
        const cookie = await browsers.keep(headers.cookie, { email });
        const value = { status: 'success' as const, message: 'email tersimpan', data: { email } };
        return new Reply(value, { headers: cookieHeaders(cookie) });
      },
    }),
    endpoint({
      post: '/api/remove-referer-session',
      summary: 'Removes the referer that preview tokens are bound to from the browser session',
      tag: 'session',
      guard: 'public',
      rate,
      reply: DoneReply,
      refuses: [],
      examples: removeRefererSessionExamples,
      handle: async ({ headers }) => {
        await browsers.dropReferer(headers.cookie);
        return { status: 'success' as const, message: 'referer dihapus' };
      },
    }),
  ];
};
