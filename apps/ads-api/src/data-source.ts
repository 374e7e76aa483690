import { ApplicationEntity, ApplicationKeyEntity } from './features/applications/application.entity';
import { SocialTokenEntity } from './features/social/social-token.entity';
import { CreateApplications1763600000000 } from './migrations/1763600000000-create-applications';

export const schema = 'ads_api';
export const entities = [ApplicationEntity, ApplicationKeyEntity, SocialTokenEntity];
export const migrations = [CreateApplications1763600000000];
