export { agentEndpoint, agentsEndpoints, ownedId } from './agents.endpoints';
export { AgentChange, AgentsQuery, AgentSwitch, NewAgent, UsageQuery, type Agent, type AgentUsage } from './agents.dto';
export { agentRefusals, AgentsService, type AnsweredDevices } from './agents.service';
export { agentNames, chosenAgent, knownAgent, type ChosenAgent, type KnownAgent, type Named } from './known.agent';
