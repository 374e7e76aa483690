export { fateOf, isProviderFailure, type Fate, type ProviderFailure } from './fate';
