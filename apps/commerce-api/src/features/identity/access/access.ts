import { createHash } from 'node:crypto';
import { joined, type Audit, type Sql } from '@platform/data';
import { Unauthenticated } from '@platform/errors';
import { isUuid, type Clock } from '@platform/runtime';
import { knownAbilities, type Ability, type Caller, type Need, type Sight } from '../../../abilities';
import type { MemberRow, PlanState } from '../../../membership';
import { refusals } from '../../../refusals';
import { serviceAbilities, systemRoles } from '../../../roles';

/** `sk_<8>_<43>`: the first part names it to people, the second is 256 random bits. */
const API_TOKEN = /^sk_[A-Za-z0-9]{8}_[\w-]{43}$/;

export const isApiToken = (bearer: string): boolean => API_TOKEN.test(bearer);

/** What is stored of an API token. */
export const apiTokenHash = (token: string): string => createHash('sha256').update(token).digest('hex');

/** `last_used_at` is no more exact than this, so that not every call is a write. */
const USED_ANEW = '1 minute';

/** The member's role as it is now: a demoted, disabled or removed one has lost it with the commit. */
const MEMBER = `
  SELECT s.status, s.plan_state, m.user_id IS NOT NULL AS belongs, m.system_role, r.abilities, p.name
  FROM store s
  LEFT JOIN membership m ON m.store_id = s.store_id AND m.user_id = $2 AND m.status = 'active'
  LEFT JOIN role r ON r.store_id = m.store_id AND r.id = m.role_id
  LEFT JOIN person p ON p.user_id = m.user_id
  WHERE s.store_id = $1`;

const TOKEN_COLUMNS = `t.store_id, t.id, t.name, t.abilities AS granted, t.created_by AS maker, s.status, s.plan_state, m.system_role, r.abilities,
    coalesce(t.last_used_at < $2::timestamptz - interval '${USED_ANEW}', true) AS used_anew`;

/** Neither revoked nor expired, and its maker still works there. */
const WORKING_TOKEN = `
  JOIN store s ON s.store_id = t.store_id
  JOIN membership m ON m.store_id = t.store_id AND m.user_id = t.created_by::uuid AND m.status = 'active'
  LEFT JOIN role r ON r.store_id = m.store_id AND r.id = m.role_id
  WHERE t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > $2)`;

/** By its hash, wherever it belongs. */
const API_TOKEN_ROW = `
  SELECT ${TOKEN_COLUMNS} FROM global_key k JOIN api_token t ON t.store_id = k.store_id AND t.id = k.ref_id::uuid
  ${WORKING_TOKEN} AND k.kind = 'api_token' AND k.value = $1`;
const API_TOKEN_AGAIN = `SELECT ${TOKEN_COLUMNS} FROM api_token t ${WORKING_TOKEN} AND t.store_id = $1 AND t.id = $3`;

const USE = `UPDATE api_token SET last_used_at = $3 WHERE store_id = $1 AND id = $2
  AND (last_used_at IS NULL OR last_used_at < $3::timestamptz - interval '${USED_ANEW}')`;

/** For tests of their plans. */
export const ACCESS_STATEMENTS = {
  member: { text: MEMBER, values: ['S1', '0199f7a0-0000-7000-8000-000000000001'] },
  'API token': { text: API_TOKEN_ROW, values: ['hash', '2026-03-01T08:00:00.000Z'] },
  'API token again': {
    text: API_TOKEN_AGAIN,
    values: ['S1', '2026-03-01T08:00:00.000Z', '0199f7a0-0000-7000-8000-000000000001'],
  },
} as const;

interface ApiTokenRow extends Pick<MemberRow, 'system_role' | 'abilities'> {
  readonly store_id: string;
  readonly id: string;
  readonly name: string;
  readonly granted: readonly Ability[];
  readonly maker: string;
  readonly status: MemberRow['status'];
  readonly plan_state: PlanState | null;
  readonly used_anew: boolean;
}

/** Somebody who may act in a store, which may be suspended. */
export interface Admitted extends Omit<Caller, 'address'> {
  readonly isOwner: boolean;
  readonly suspended: boolean;
  readonly planState: PlanState | null;
}

const allowed = (needs: readonly Need[]): ReadonlySet<Need> => new Set<Need>(needs);
const everything = allowed(['member', ...knownAbilities]);

/** Abilities of rows and of system roles, and of belonging to the store. */
const ofRole = ({ system_role: role, abilities }: Pick<MemberRow, 'system_role' | 'abilities'>): ReadonlySet<Need> =>
  role === 'owner' ? everything : allowed(['member', ...(role ? systemRoles[role] : (abilities ?? []))]);

/** Neither an id of a store nor one of a user contains a space. */
const keyOf = (storeId: string, user: string | null): string => `${storeId} ${user ?? ''}`;

/** An API token sees the customers that its maker sees: it has no chats of its own. */
const sightOf = (may: ReadonlySet<Need>, userId: string): Sight | undefined =>
  may.has('chat.all') ? undefined : { handledBy: userId, phones: [] };

/** Who may do what in which store, read after every request came: one statement by keys, which the same person's requests of one moment share. */
export class Access {
  /** What somebody asks for at once, a page of many parts, is admitted by one statement. */
  private readonly members = joined<MemberRow | undefined>();

  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  /** Throws `Forbidden` for whoever is no active member. `known` is what the same request has read of them. */
  async member(storeId: string, userId: string, known?: MemberRow): Promise<Admitted> {
    const row = known ?? (await this.row(storeId, userId));
    if (!row?.belongs) throw refusals.notAMember();
    const abilities = ofRole(row);
    return {
      storeId,
      actor: userId,
      name: row.name ?? userId,
      kind: 'user',
      isService: false,
      isOwner: row.system_role === 'owner',
      abilities,
      sight: sightOf(abilities, userId),
      suspended: row.status === 'suspended',
      planState: row.plan_state,
    };
  }

  /** In a store that does not exist it finds nothing; who asks of stock there is answered that there is none. */
  async service(storeId: string, client: string): Promise<Admitted> {
    const row = await this.row(storeId, undefined);
    return {
      storeId,
      actor: client,
      name: client,
      kind: 'service',
      isService: true,
      isOwner: false,
      abilities: allowed(serviceAbilities[client] ?? []),
      suspended: row?.status === 'suspended',
      planState: row?.plan_state ?? null,
    };
  }

  /**
   * It may do what it was given, as far as its maker may do that now. Throws `Unauthenticated` for one that is unknown, revoked
   * or expired, or whose maker is no active member any more.
   */
  async apiToken(token: string): Promise<Admitted> {
    const now = this.clock.now();
    const [row] = await this.sql.prepared<ApiTokenRow>('access.token', API_TOKEN_ROW, [apiTokenHash(token), now]);
    if (!row) throw new Unauthenticated({ reason: 'invalid' });
    if (row.used_anew) await this.sql.prepared('access.token used', USE, [row.store_id, row.id, now]);
    return this.admitted(row);
  }

  /** Who asked earlier for what is done now, as they are now. Throws as for a request of theirs. */
  async again(storeId: string, { id, kind }: Audit['actor']): Promise<Admitted> {
    if (kind === 'user') return this.member(storeId, id);
    if (kind === 'service') return this.service(storeId, id);
    const values = [storeId, this.clock.now(), isUuid(id) ? id : null];
    const [row] = await this.sql.prepared<ApiTokenRow>('access.token again', API_TOKEN_AGAIN, values);
    if (!row) throw new Unauthenticated({ reason: 'invalid' });
    return this.admitted(row);
  }

  private admitted(row: ApiTokenRow): Admitted {
    const ofMaker = ofRole(row);
    return {
      storeId: row.store_id,
      actor: row.id,
      name: row.name,
      kind: 'token',
      isService: false,
      isOwner: false,
      abilities: allowed(['member', ...row.granted.filter((ability) => ofMaker.has(ability))]),
      sight: sightOf(ofMaker, row.maker),
      suspended: row.status === 'suspended',
      planState: row.plan_state,
    };
  }

  private row(storeId: string, userId: string | undefined): Promise<MemberRow | undefined> {
    const user = userId !== undefined && isUuid(userId) ? userId : null;
    return this.members(keyOf(storeId, user), async () => {
      const [row] = await this.sql.prepared<MemberRow>('access.member', MEMBER, [storeId, user]);
      return row;
    });
  }
}
