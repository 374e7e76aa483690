export * from './database';
export * from './explain';
export * from './program';
export * from './llm';
export * from './tokens';
export * from './until';
export * from './calls';
