import { commerceBareEnvelope } from '@platform/envelopes';
import type { Area, AreaParts } from '../../area';
import type { Mailer } from '../../clients/mail.client';
import type { Config } from '../../config';
import type { Siblings } from '../../siblings.composition';
import type { ChatCopies } from '../chat/copies/public';
import {
  chatTeamsEndpoints,
  chatTeamsPages,
  ChatTeamsService,
  firstTeam,
  firstTeams,
  loadsOf,
} from './chat-teams/public';
import { acceptEndpoints } from './invitations/accept.endpoints';
import { acceptPages } from './invitations/accept.pages';
import { AcceptService, type AcceptParts } from './invitations/accept.service';
import { InvitationSender } from './invitations/invitation.sender';
import { invitationsEndpoints } from './invitations/invitations.endpoints';
import { InvitationsService } from './invitations/invitations.service';
import { membersEndpoints } from './members/members.endpoints';
import { MembersService } from './members/members.service';
import { teamPages } from './invitations/team.pages';
import { rolesPages } from './roles/roles.pages';
import { rolesEndpoints } from './roles/roles.endpoints';
import { RolesService } from './roles/roles.service';
import { teamAbilities } from './team.abilities';

interface Parts extends Pick<AreaParts, 'database' | 'clock' | 'queue'> {
  readonly siblings: Siblings;
  readonly pushes: AcceptParts['pushes'];
  readonly mailer: Mailer;
  readonly copies: ChatCopies;
}

/** Staff, those who are invited, their roles, and the teams that answer chats. */
export const composeTeam = (
  { APP_ENV, PUBLIC_URL: publicUrl }: Config,
  { siblings: { accounts, identity, loads }, pushes, mailer, copies, database, clock, queue }: Parts,
): Area => {
  const parts = { database, clock, pushes };
  const members = new MembersService(parts);
  const accepting = new AcceptService({ ...parts, accounts, identity });
  const sender = new InvitationSender({ sql: database, mailer, clock, publicUrl });
  const teamParts = { ...parts, copies, loads: loadsOf(database, clock, loads) };
  const teams = new ChatTeamsService(teamParts);
  const heal = firstTeams(database, clock, firstTeam({ copies, pushes }));
  const bare = commerceBareEnvelope({ production: APP_ENV === 'production' });
  return {
    endpoints: [
      ...rolesEndpoints(new RolesService(parts)),
      ...invitationsEndpoints(members, new InvitationsService({ ...parts, queue })),
      ...acceptEndpoints(accepting, bare),
      ...membersEndpoints(members),
      ...chatTeamsEndpoints(teams),
    ],
    pages: [acceptPages(accepting), teamPages({ ...parts, queue }), rolesPages(parts), chatTeamsPages(teamParts)],
    components: [],
    abilities: teamAbilities,
    jobs: {
      // A repeated one sends another link, and the one before it is void
      'invitation.send': { effect: 'outside', run: (invitation) => sender.send(invitation) },
      'team.first': {
        effect: 'inside',
        cron: [{ pattern: '23 * * * *', backfillSeconds: 3_600 }],
        run: (_none, { signal }) => heal(signal),
      },
    },
  };
};
