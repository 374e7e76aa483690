// What other features of this app may use.
export { DocView } from './agent.dto';
export type { Agents } from './agent.directory';
export type { Agent } from './agent.entity';
export type { DocsOf } from './agents.service';
export { toolNames, type ToolName } from './tool.names';
