import { CreateCatalogue1763600000000 } from './migrations/1763600000000-create-catalogue';
import { CreateTenancy1763700000000 } from './migrations/1763700000000-create-tenancy';

export const schema = 'commerce_api';
export const migrations = [CreateCatalogue1763600000000, CreateTenancy1763700000000];
