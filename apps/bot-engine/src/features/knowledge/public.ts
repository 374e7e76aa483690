// What other features of this app may use.
export type { KnowledgeSearch, PolicyHit } from './knowledge.types';
