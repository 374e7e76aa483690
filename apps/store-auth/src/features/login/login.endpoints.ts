import type { IncomingHttpHeaders } from 'node:http';
import { Reply } from '@platform/http';
import { endpoint } from '../../endpoint';
import { refusals } from '../../refusals';
import type { Visitor } from '../audit/public';
import type { SessionGrant } from '../sessions/public';
import { cookieHeaders, type WebSessions } from '../web-sessions/public';
import { LoginBody, LoginReply, type LoginData } from './login.dto';
import { loginExamples } from './login.examples';
import type { LoginService } from './login.service';

export const visitorOf = (address: string, headers: IncomingHttpHeaders): Visitor => ({
  address,
  userAgent: headers['user-agent'],
});

const loginData = (grant: SessionGrant): LoginData => ({
  email: grant.email,
  token: grant.accessToken,
  token_type: 'Bearer',
  expires_in: grant.expiresIn,
  refresh_token: grant.refreshToken,
  store_id: grant.storeId,
  role: grant.role,
});

export const loginEndpoints = (logins: LoginService, browsers: WebSessions) => [
  endpoint({
    post: '/api/login',
    summary: 'Login of a store user',
    tag: 'login',
    guard: 'public',
    body: LoginBody,
    reply: LoginReply,
    refuses: [
      refusals.login,
      refusals.emailUnverified,
      refusals.otpRequired,
      refusals.otpInvalid,
      refusals.storeSuspended,
      'tooMany',
    ],
    examples: loginExamples,
    handle: async ({ body: { email, password, otp, store_id: storeId }, address, headers }) => {
      const grant = await logins.login({ email, password, otp, storeId }, visitorOf(address, headers));
      const cookie = await browsers.rotate(headers.cookie, { email: grant.email, user_id: grant.userId });
      const value = { status: 'success' as const, message: 'login berhasil', data: loginData(grant) };
      return new Reply(value, { headers: cookieHeaders(cookie) });
    },
  }),
];
