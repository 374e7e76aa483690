import { sidHashOf } from '@platform/auth';
import type { Claims } from '@platform/contracts';
import type { Database } from '@platform/data';
import { endpoint } from '../../endpoint';
import type { AuditRepository, Visitor } from '../audit/public';
import type { SessionService } from '../sessions/public';
import { DoneReply } from '../web-sessions/public';
import { visitorOf } from './login.endpoints';
import { logoutExamples } from './logout.examples';

export interface LogoutDependencies {
  readonly database: Database;
  readonly logins: SessionService;
  readonly audit: AuditRepository;
}

/** A token of an ended login ends nothing more, so that an old one cannot sign anybody out. */
const logOut = (
  { database, logins, audit }: LogoutDependencies,
  { sid, sub: userId, store_id: storeId }: Claims,
  { everywhere, visitor }: { everywhere: boolean; visitor: Visitor },
): Promise<void> =>
  database.tx(async (tx) => {
    const sidHash = sidHashOf(sid);
    if ((await logins.revoke(tx, { sidHash })) === 0) return;
    if (everywhere) await logins.revoke(tx, { userId });
    await audit.record(tx, { type: everywhere ? 'logout_all' : 'logout', userId, storeId, sidHash, visitor });
  });

export const logoutEndpoints = (parts: LogoutDependencies) =>
  (
    [
      ['/api/logout', 'Ends this login', false],
      ['/api/logout-all', 'Ends every login of the user', true],
    ] as const
  ).map(([path, summary, everywhere]) =>
    endpoint({
      post: path,
      summary,
      description: 'An expired token will do; repeating it changes nothing.',
      tag: 'login',
      guard: 'signed',
      reply: DoneReply,
      refuses: [],
      examples: logoutExamples,
      handle: async ({ caller, address, headers }) => {
        await logOut(parts, caller, { everywhere, visitor: visitorOf(address, headers) });
        return { status: 'success' as const, message: 'logout berhasil' };
      },
    }),
  );
