export { agentEndpoint, agentsEndpoints, ownedId } from './agents.endpoints';
export { Knowledge } from './agents.dto';
export { agentRefusals, AgentsService, type AnsweredDevices } from './agents.service';
export { chosenAgent, knownAgent, type ChosenAgent, type KnownAgent } from './known.agent';
