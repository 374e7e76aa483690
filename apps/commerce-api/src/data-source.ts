import { CreateCatalogue1763600000000 } from './migrations/1763600000000-create-catalogue';

export const schema = 'commerce_api';
export const migrations = [CreateCatalogue1763600000000];
