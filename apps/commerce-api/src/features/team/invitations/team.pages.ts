import { NotFound } from '@platform/errors';
import { Text } from '@platform/validation';
import type { Caller, Need } from '../../../abilities';
import type { Reader } from '../../../web/i18n/reader';
import type { Pages } from '../../../web/kit';
import { Seen } from '../../../web/seen';
import type { Typed } from '../../../web/sessions/drafts';
import { action, actions, page } from '../../../web/page';
import { idTyped } from '../../../web/form.fields';
import { within } from '../../../web/within';
import { MemberChange, MembersService } from '../members/public';
import { RolesService, type TeamParts } from '../roles/public';
import { INVITING_RATE } from './invitations.endpoints';
import { InvitationBody } from './invitations.dto';
import { InvitationsService, type InvitationsParts } from './invitations.service';
import { seatless, teamNames } from '../chat-teams/public';
import { teamTexts } from './team.texts';
import { TeamTools, TeamView } from './team.view';

class TeamQuery {
  @Text({ optional: true, format: 'uuid', description: 'The member who is changed' }) id?: string;
}
class MemberEdit extends MemberChange {
  @Text({ format: 'uuid' }) id!: string;
  @Seen() seen!: string;
}
class Named {
  @Text({ format: 'uuid' }) id!: string;
}

const TO = '/team';
/** Whoever has sent sixty can still take somebody's place away. */
const RATE = {
  ...INVITING_RATE,
  of: (fields: unknown) => {
    const { action } = fields as { readonly action?: unknown };
    return typeof action === 'string' && /^(?:invite|resend)\b/.test(action);
  },
};
const labels = (t: Reader) => {
  const { email, role, status, chatTeams } = teamTexts(t);
  return { email, role_id: role, status, chat_team_ids: chatTeams, 'chat_team_ids[]': chatTeams };
};
const said = (name: 'alreadyMember' | 'alreadyInvited' | 'isOwner' | 'full') => (t: Reader) => teamTexts(t)[name];
const conflicts = {
  already_member: { field: 'email', text: said('alreadyMember') },
  already_invited: { field: 'email', text: said('alreadyInvited') },
  is_owner: { text: said('isOwner') },
  paymentRequired: { text: said('full') },
};

/** Nobody gives what they lack, and the owner's role is given to nobody. */
const givenBy =
  ({ abilities }: Caller) =>
  (role: { readonly id: string; readonly abilities: readonly string[] }): boolean =>
    role.id !== 'owner' && role.abilities.every((ability) => abilities.has(ability as Need));

type Roles = Awaited<ReturnType<RolesService['list']>>;
const answering = (roles: Roles, id: string): boolean =>
  roles.some((role) => role.id === id && role.abilities.includes('chat.reply'));
/** Who answers customers, and only those of their teams. */
const seesByTeam = (roles: Roles, id: string): boolean =>
  answering(roles, id) && !roles.some((role) => role.id === id && role.abilities.includes('chat.all'));

const loading = (parts: InvitationsParts) => async (caller: Caller, id: string | undefined) => {
  const { database } = parts;
  const { storeId } = caller;
  const [members, invitations, roles, chatTeams, without] = await Promise.all([
    new MembersService(parts).list(storeId),
    new InvitationsService(parts).list(storeId),
    new RolesService(parts).list(storeId),
    teamNames(database, storeId),
    seatless(database, storeId),
  ]);
  const one = members.find(({ user_id, role }) => user_id === id && role.id !== 'owner');
  const astray = members.filter(({ user_id, role }) => without.has(user_id) && seesByTeam(roles, role.id));
  return {
    ...{ members, invitations, roles: roles.filter(givenBy(caller)), one, chatTeams },
    seatless: astray,
  };
};

/** As a form sends it: one box that is ticked is a text. */
const invitationTyped = (typed: Typed): Typed => ({
  ...typed,
  chat_team_ids: [typed.chat_team_ids ?? []].flat() as string[],
});

/** Who answers nobody is seated nowhere: chats would be given to them. */
const seatedBy = async (parts: TeamParts, storeId: string, body: InvitationBody): Promise<InvitationBody> => {
  const answers = answering(await new RolesService(parts).list(storeId), body.role_id);
  return answers ? body : { ...body, chat_team_ids: [] };
};

const ofInvitations = (parts: InvitationsParts) => {
  const invitations = (tx: Parameters<typeof within>[0]) => new InvitationsService({ ...parts, database: within(tx) });
  return {
    invite: action({
      ...{ body: InvitationBody, reads: invitationTyped },
      run: async ({ viewer: { caller }, body, tx }) =>
        invitations(tx).invite(caller, await seatedBy({ ...parts, database: within(tx) }, caller.storeId, body)),
      done: ({ email }, { t }) => ({ to: TO, flash: teamTexts(t).invited({ email }) }),
    }),
    resend: action({
      body: Named,
      run: ({ viewer, body, tx }) => invitations(tx).resend(viewer.caller, body.id),
      done: ({ email }, { t }) => ({ to: TO, flash: teamTexts(t).resent({ email }) }),
    }),
    withdraw: action({
      body: Named,
      run: ({ viewer, body, tx }) => invitations(tx).withdraw(viewer.caller, body.id),
      done: (_, { t }) => ({ to: TO, flash: teamTexts(t).withdrawn }),
    }),
  };
};

const ofMembers = (parts: TeamParts) => {
  const members = (tx: Parameters<typeof within>[0]) => new MembersService({ ...parts, database: within(tx) });
  return {
    save: action({
      body: MemberEdit,
      run: ({ viewer, body: { id, seen, ...change }, tx }) => members(tx).change(viewer.caller, id, change, seen),
      done: ({ name }, { t }) => ({ to: TO, flash: teamTexts(t).saved({ name: name ?? teamTexts(t).unnamed }) }),
    }),
    remove: action({
      body: Named,
      run: ({ viewer, body, tx }) => members(tx).remove(viewer.caller, body.id),
      done: (_, { t }) => ({ to: TO, flash: teamTexts(t).removed }),
    }),
  };
};

/** Who works in the shop, and who is asked to. */
export const teamPages = (parts: InvitationsParts): Pages => {
  const load = loading(parts);
  const all = page({
    ...{ get: TO, ability: 'team.manage', query: TeamQuery, labels, conflicts },
    title: ({ t }) => t.nav.places.team,
    load: async ({ viewer, query, typed }) => {
      const staff = await load(viewer.caller, typed ? idTyped(typed) : query.id);
      if (query.id !== undefined && !staff.one) throw new NotFound('Member not found');
      return staff;
    },
    tools: TeamTools,
    view: TeamView,
  });
  const posted = actions({
    ...{ post: TO, ability: 'team.manage', of: all, rate: RATE },
    on: { ...ofInvitations(parts), ...ofMembers(parts) },
  });
  return (kit) => [all, posted].flatMap((pages) => pages(kit));
};
