export * from './database';
export * from './explain';
export * from './program';
export * from './llm';
