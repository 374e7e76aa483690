// What other features of this app may use.
export type { Agent } from './agent.entity';
export type { Agents } from './agent.repository';
