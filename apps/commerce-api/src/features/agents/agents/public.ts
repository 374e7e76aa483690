export { agentEndpoint, agentsEndpoints, ownedId } from './agents.endpoints';
export { Knowledge } from './agents.dto';
export { agentRefusals, AgentsService, type AnsweredDevices } from './agents.service';
export { agentNames, chosenAgent, knownAgent, type ChosenAgent, type KnownAgent, type Named } from './known.agent';
