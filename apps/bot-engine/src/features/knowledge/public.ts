// What other features of this app may use.
export { composeKnowledge, type KnowledgeRoom } from './knowledge.composition';
export type { AgentsOfKnowledge } from './knowledge.ports';
export type { KnowledgeSearch, PolicyHit } from './knowledge.types';
export type { TextVectors } from './vectors.types';
