export { chatTeamCopies, seatCopies } from './chat-team.copies';
export { knownTeams, seatless, seatsOf, teamNames } from './chat-teams.sql';
export { chatTeamsEndpoints } from './chat-teams.endpoints';
export { loadsOf } from './loads';
export { firstTeam, firstTeams, type FirstTeam } from './first-team';
export { ChatTeamsService } from './chat-teams.service';
export { seedChatTeams } from './chat-teams.seed';
export { chatTeamsPages } from './chat-teams.pages';
