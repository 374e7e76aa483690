export * from './database';
export * from './explain';
export * from './program';
export * from './llm';
export * from './tokens';
export * from './until';
export * from './calls';
export * from './examples';
export * from './documented';
export {
  CANARY as FUZZ_CANARY,
  fuzz,
  type FuzzOptions,
  type FuzzRun,
  type Ingredients as FuzzIngredients,
} from './fuzz';
export * from './own-cluster';
