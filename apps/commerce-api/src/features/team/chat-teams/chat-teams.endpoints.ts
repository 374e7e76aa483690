import { area, dataOf, done, pageOf, type Endpoint } from '@platform/http';
import { endpoint as ofService } from '../../../endpoint';
import { ChatTeam, ChatTeamChange, ChatTeamMembers, ChatTeamRow, ChatTeamsQuery, NewChatTeam } from './chat-teams.dto';
import type { ChatTeamsService } from './chat-teams.service';
import { chatTeamRefusals } from './chat-teams.sql';

const endpoint = ofService.withDefaults({ unknownKeys: 'refuse' });

export const chatTeamsEndpoints = (teams: ChatTeamsService): Endpoint[] =>
  area({ prefix: '/api/team_chat', tag: 'Team' }, [
    endpoint({
      get: '',
      summary: 'Chat-handling teams',
      guard: 'member',
      query: ChatTeamsQuery,
      reply: pageOf(ChatTeamRow),
      refuses: [],
      handle: ({ caller, query }) => teams.list(caller.storeId, query),
    }),
    endpoint({
      post: '',
      summary: 'Create chat team',
      guard: 'team.manage',
      status: 201,
      body: NewChatTeam,
      reply: dataOf(ChatTeamRow, 'Chat team created'),
      refuses: [chatTeamRefusals.tooMany],
      handle: ({ caller, body }) => teams.create(caller, body),
    }),
    endpoint({
      get: '/{id}',
      summary: 'Team with members and load',
      guard: 'member',
      reply: dataOf(ChatTeam),
      refuses: ['notFound'],
      handle: ({ caller, params }) => teams.show(caller.storeId, params.id),
    }),
    endpoint({
      put: '/{id}',
      summary: 'Rename, distribution rule, hours',
      guard: 'team.manage',
      body: ChatTeamChange,
      reply: dataOf(ChatTeamRow, 'Chat team updated'),
      refuses: ['notFound', chatTeamRefusals.lastForCustomers],
      handle: ({ caller, params, body }) => teams.change(caller, params.id, body),
    }),
    endpoint({
      delete: '/{id}',
      summary: 'Delete chat team',
      guard: 'team.manage',
      reply: done('Chat team deleted'),
      refuses: ['notFound', chatTeamRefusals.lastForCustomers],
      handle: ({ caller, params }) => teams.delete(caller, params.id),
    }),
    endpoint({
      put: '/{id}/members',
      summary: 'Set members and devices',
      guard: 'team.manage',
      body: ChatTeamMembers,
      reply: dataOf(ChatTeam, 'Chat team updated'),
      refuses: ['notFound'],
      handle: ({ caller, params, body }) => teams.setMembers(caller, params.id, body),
    }),
  ]);
