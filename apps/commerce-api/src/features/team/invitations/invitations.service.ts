import { diffOf, writeAudit, type Sql, type Transaction } from '@platform/data';
import { NotFound } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import type { Caller } from '../../../abilities';
import { auditOf } from '../../../audit';
import type { Queue } from '../../../jobs';
import { limits } from '../../../limits';
import { refusals } from '../../../refusals';
import { knownTeams } from '../chat-teams/public';
import { chosenRole, refuseBeyond, roleNameOf, teamTurn, type RoleColumns, type TeamParts } from '../roles/public';
import type { InvitationBody, InvitationView } from './invitations.dto';

const DAYS = 7;
const DAY_MS = 86_400_000;

interface Row extends RoleColumns {
  readonly id: string;
  readonly email: string;
  readonly expires_at: Date;
}

const INVITATIONS = `
  SELECT i.id, i.email, i.system_role, i.role_id, r.name AS role_name, i.expires_at
  FROM invitation i LEFT JOIN role r ON r.store_id = i.store_id AND r.id = i.role_id
  WHERE i.store_id = $1`;

export const INVITATIONS_LIST = `${INVITATIONS} ORDER BY i.created_at, i.id LIMIT 500`;

/** By the copy of what store-auth knows; who has another address there since is found when the link is used. */
const WORKS_HERE = `
  SELECT 1 FROM membership m JOIN person p ON p.user_id = m.user_id WHERE m.store_id = $1 AND lower(p.email) = $2`;

const IS_INVITED = 'SELECT 1 FROM invitation WHERE store_id = $1 AND email = $2';

const INSERT = `
  INSERT INTO invitation (store_id, id, email, system_role, role_id, chat_team_ids, invited_by, expires_at, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)`;

const PROLONG =
  'UPDATE invitation SET expires_at = $3, updated_at = $4, invited_by = $5 WHERE store_id = $1 AND id = $2';
const DELETE = 'DELETE FROM invitation WHERE store_id = $1 AND id = $2';

const viewOf = ({ id, email, expires_at, ...role }: Row): InvitationView => ({
  ...{ id, email, role: roleNameOf(role), status: 'invited' },
  expires_at: expires_at.toISOString(),
});

export interface InvitationsParts extends TeamParts {
  readonly queue: Queue;
}

/** Who is asked to work in a store. An invitation takes a place of the plan until it is withdrawn, whether or not its link still works. */
export class InvitationsService {
  constructor(private readonly parts: InvitationsParts) {}

  /** The oldest first. */
  async list(storeId: string): Promise<InvitationView[]> {
    return (await this.parts.database.query<Row>(INVITATIONS_LIST, [storeId])).map(viewOf);
  }

  /** The message leaves by job, after the commit. */
  invite(
    caller: Caller,
    { email, role_id: roleId, chat_team_ids: teams = [] }: InvitationBody,
  ): Promise<InvitationView> {
    const { database, clock } = this.parts;
    const { storeId, actor } = caller;
    const id = uuidv7();
    return database.tx(async (tx) => {
      const own = await teamTurn(tx, caller, clock);
      const { system_role, role_id, abilities } = await chosenRole(tx, storeId, roleId);
      refuseBeyond(own, abilities);
      if ((await tx.query(WORKS_HERE, [storeId, email])).length > 0) throw refusals.alreadyMember();
      if ((await tx.query(IS_INVITED, [storeId, email])).length > 0) throw refusals.alreadyInvited();
      await knownTeams(tx, storeId, teams, (at) => `chat_team_ids[${at}]`);
      await limits.require(tx, storeId, 'staff');
      await tx.query(INSERT, [storeId, id, email, system_role, role_id, teams, actor, this.end(), clock.now()]);
      const after = await this.row(tx, storeId, id);
      await this.written(tx, caller, undefined, after);
      await this.mail(tx, storeId, id);
      return viewOf(after);
    });
  }

  /** Another link for seven days; the one before it is void as soon as the message leaves. */
  resend(caller: Caller, id: string): Promise<InvitationView> {
    const { database, clock } = this.parts;
    const { storeId } = caller;
    return database.tx(async (tx) => {
      const own = await teamTurn(tx, caller, clock);
      const before = await this.row(tx, storeId, id);
      const { abilities } = await chosenRole(tx, storeId, viewOf(before).role.id);
      refuseBeyond(own, abilities);
      await tx.query(PROLONG, [storeId, id, this.end(), clock.now(), caller.actor]);
      const after = await this.row(tx, storeId, id);
      await this.written(tx, caller, before, after);
      await this.mail(tx, storeId, id);
      return viewOf(after);
    });
  }

  /** From the commit on the link opens nothing. */
  withdraw(caller: Caller, id: string): Promise<void> {
    const { database, clock } = this.parts;
    const { storeId } = caller;
    return database.tx(async (tx) => {
      await teamTurn(tx, caller, clock);
      const before = await this.row(tx, storeId, id);
      await tx.query(DELETE, [storeId, id]);
      await limits.giveBack(tx, storeId, 'staff');
      await this.written(tx, caller, before, undefined);
    });
  }

  private async row(tx: Sql, storeId: string, id: string): Promise<Row> {
    const [row] = await tx.query<Row>(`${INVITATIONS} AND i.id = $2 FOR UPDATE OF i`, [storeId, id]);
    if (!row) throw new NotFound('Invitation not found');
    return row;
  }

  private end(): Date {
    return new Date(this.parts.clock.now().getTime() + DAYS * DAY_MS);
  }

  private async mail(tx: Transaction, storeId: string, id: string): Promise<void> {
    await this.parts.queue.enqueue(tx, 'invitation.send', { storeId, id }, { key: `invitation:${id}` });
  }

  private written(tx: Transaction, caller: Caller, before: Row | undefined, after: Row | undefined): Promise<void> {
    const [old, now] = [before, after]
      .map((row) => row && viewOf(row))
      .map((view) => view && { ...view, role: view.role.name });
    const subject = { type: 'invitation', id: (after ?? before)?.id ?? '' };
    return writeAudit(tx, auditOf(caller, this.parts.clock), {
      action: 'team.manage',
      subject,
      diff: diffOf(old, now),
    });
  }
}
