import { Flag, Text } from '@platform/validation';
import type { SocketEvent, SocketRequest } from './socket-api';

class AuthExpired {}

class AuthRefresh {
  @Text({ description: 'a newer token of the same caller' }) token!: string;
}

class AuthRefreshed {
  @Flag({ example: true }) result!: boolean;
  @Text({ nullable: true, example: '2026-11-20T13:45:00.000Z' }) expiresAt!: string | null;
}

class AuthRefreshRefused {
  @Flag({ example: false }) result!: boolean;
  @Text({ example: 'Unauthenticated' }) message!: string;
}

/** What every socket whose token ends hears and may ask, whatever its service: see `Admissions`. */
export const sessionEvents = {
  authExpired: {
    summary: 'The token has ended; the socket is closed at once',
    to: 'the one socket',
    payload: AuthExpired,
  },
} satisfies Record<string, SocketEvent>;

export const sessionRequests = {
  authRefresh: {
    summary: 'Goes on with a newer token of the same caller',
    description: 'The rooms follow the newer token. The socket stays open when it is refused.',
    payload: AuthRefresh,
    answer: [AuthRefreshed, AuthRefreshRefused],
  },
} satisfies Record<string, SocketRequest>;
