import { writeAudit, type Database, type Sql, type Transaction } from '@platform/data';
import { Forbidden, InvalidInput } from '@platform/errors';
import type { Clock } from '@platform/runtime';
import type { AccountsClient } from '../../../clients/store-auth.accounts';
import type { AccessGrant, CredentialsVerdict, IdentityClient, Visitor } from '../../../clients/store-auth.client';
import { refusals } from '../../../refusals';
import { systemRoles, type SystemRole } from '../../../roles';
import { Access, People, type Pushes } from '../../identity/access/public';
import { CHALLENGE_SECONDS, tokenReply, type SecondFactorNeeded, type TokenReply } from '../../identity/auth/public';
import { linkHash, readLink } from '../../../secret-link';
import type { AcceptBody } from './invitations.dto';

interface Row {
  readonly store_id: string;
  readonly store_name: string;
  readonly id: string;
  readonly email: string;
  readonly system_role: SystemRole | null;
  readonly role_id: string | null;
  readonly role_name: string | null;
  readonly abilities: readonly string[] | null;
  readonly invited_by: string;
  readonly chat_team_ids: readonly string[];
}

const BY_LINK = `
  SELECT i.store_id, (SELECT s.name FROM store s WHERE s.store_id = i.store_id) AS store_name, i.id, i.email, i.system_role, i.role_id, r.name AS role_name, r.abilities, i.invited_by,
    i.chat_team_ids
  FROM invitation i LEFT JOIN role r ON r.store_id = i.store_id AND r.id = i.role_id
  WHERE i.store_id = $1 AND i.id = $2 AND i.token_hash = $3 AND i.expires_at > $4`;

/** The same turn as that of whoever changes members. */
const STORE = 'SELECT status FROM store WHERE store_id = $1 FOR NO KEY UPDATE';

const JOIN = `
  INSERT INTO membership (store_id, user_id, system_role, role_id, chat_team_ids, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $6) ON CONFLICT DO NOTHING RETURNING user_id`;

const DELETE = 'DELETE FROM invitation WHERE store_id = $1 AND id = $2';

export interface AcceptParts {
  readonly database: Database;
  readonly accounts: Pick<AccountsClient, 'create' | 'findByEmail' | 'change'>;
  readonly identity: Pick<IdentityClient, 'verifyCredentials' | 'redeemChallenge'>;
  readonly pushes: Pushes;
  readonly clock: Clock;
}

/** What somebody is invited to. */
export interface Invited {
  readonly email: string;
  readonly store: string;
  /** The name of a role that every store has, or of one of its own. */
  readonly role: string;
  /** The address has no account yet. */
  readonly isNew: boolean;
}

type Proved = Extract<CredentialsVerdict, { valid: true }>;

const refused = (field: string, tag: string, message: string) => new InvalidInput([{ field, tag, message }]);

/**
 * Who follows the link of an invitation. A new user is made at store-auth under the id of the invitation, without a membership
 * there: a request that ends between the two leaves an account with a password, and the link, with which the same person goes on.
 */
export class AcceptService {
  private readonly people: People;

  constructor(private readonly parts: AcceptParts) {
    this.people = new People(parts.database, parts.clock, parts.pushes);
  }

  /** What a link is about, for whoever has it. Throws `Gone` for one that opens nothing. */
  async show(token: string): Promise<Invited> {
    const { email, store_name: store, system_role, role_name } = await this.find(this.parts.database, token);
    const isNew = (await this.parts.accounts.findByEmail(email)) === undefined;
    return { email, store, role: system_role ?? role_name ?? '', isNew };
  }

  /** For a program: a token, or the challenge of a second factor. */
  async accept(body: AcceptBody, visitor: Visitor): Promise<TokenReply | SecondFactorNeeded> {
    const proved = await this.admit(body, visitor, 'jwt');
    if ('challenge' in proved) return { two_factor: true, ...proved, expires_in: CHALLENGE_SECONDS };
    return tokenReply(proved);
  }

  /** Throws `Gone` for a link that opens nothing, `InvalidInput` for a wrong password or a new user without a name. */
  async admit(
    body: AcceptBody,
    visitor: Visitor,
    kind: 'web' | 'jwt',
  ): Promise<AccessGrant | { readonly challenge: string }> {
    const { database, accounts, identity, pushes, clock } = this.parts;
    const invitation = await this.find(database, body.token);
    const { store_id: storeId } = invitation;
    const proved = await this.prove(invitation, body, visitor);
    const { user, challenge } = proved;
    // The link was in a message to this address
    if (!user.email_verified) await accounts.change(user.user_id, { email_verified: true });
    await database.tx((tx) => this.join(tx, body.token, proved, visitor));
    // The job does the same; the login must not wait for it
    await pushes.pushMember({ storeId, userId: user.user_id, at: clock.now().toISOString() });
    if (proved.otp_required) return { challenge };
    const grant = await identity.redeemChallenge(challenge, { storeId, kind });
    if (!grant) throw refusals.badCredentials();
    return grant;
  }

  /** The account of the address, made unless it exists; its password is what decides. */
  private async prove({ id, email }: Row, { password, name }: AcceptBody, visitor: Visitor): Promise<Proved> {
    const { accounts, identity } = this.parts;
    if (!(await accounts.findByEmail(email))) {
      if (name === undefined) throw refused('name', 'required', 'name is a required field');
      await accounts.create({ user_id: id, email, password, nama: name });
    }
    const verdict = await identity.verifyCredentials(email, password, visitor);
    if (!verdict.valid) throw refused('password', 'invalid', 'password is wrong');
    return verdict;
  }

  /** Once, whoever comes first; checked again because it may have been withdrawn, or its role changed, meanwhile. */
  private async join(tx: Transaction, token: string, { user }: Proved, { ip }: Visitor): Promise<void> {
    const { pushes, clock } = this.parts;
    const [store] = await tx.query<{ status: string }>(STORE, [readLink(token)?.storeId]);
    const row = await this.find(tx, token);
    if (store?.status === 'suspended') throw refusals.storeSuspended();
    const { store_id: storeId, id, system_role, role_id, chat_team_ids: teams } = row;
    const now = clock.now();
    const joined = await tx.query(JOIN, [storeId, user.user_id, system_role, role_id, teams, now]);
    if (joined.length === 0) throw refusals.alreadyMember();
    await tx.query(DELETE, [storeId, id]);
    await this.people.remember(user, tx);
    const actor = { id: user.user_id, name: user.nama, kind: 'user' } as const;
    const role = { from: null, to: system_role ?? row.role_name };
    const entry = { action: 'team.join', subject: { type: 'member', id: user.user_id }, diff: { role } };
    await writeAudit(tx, { tenantId: storeId, actor, at: now, ip }, entry);
    await pushes.member(tx, storeId, user.user_id, now);
  }

  private async find(sql: Sql, token: string): Promise<Row> {
    const link = readLink(token);
    const values = link && [link.storeId, link.id, linkHash(token), this.parts.clock.now()];
    const [row] = values ? await sql.query<Row>(BY_LINK, values) : [];
    if (!row || !(await this.stillGiven(sql, row))) throw refusals.linkExpired();
    return row;
  }

  /** It is as good as whoever sent it last: who has lost what it gives, or left, lets nobody in, and themselves least of all. */
  private stillGiven(sql: Sql, { store_id, invited_by, system_role, abilities }: Row): Promise<boolean> {
    const given: readonly string[] = (system_role ? systemRoles[system_role] : abilities) ?? [];
    return new Access(sql, this.parts.clock).member(store_id, invited_by).then(
      (inviter) =>
        ['team.manage', ...given].every((ability) => (inviter.abilities as ReadonlySet<string>).has(ability)),
      (error: unknown) => {
        if (error instanceof Forbidden) return false;
        throw error;
      },
    );
  }
}
