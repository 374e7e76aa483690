import type { Database } from '@platform/data';
import { MoreThan } from 'typeorm';
import { SocialTokenEntity } from './social-token.entity';

export interface SocialAccountFilter {
  readonly isActive?: boolean;
  readonly after?: string;
  readonly limit: number;
}

export class SocialAccountsRepository {
  constructor(private readonly database: Database) {}

  /** Accounts of one application, disconnected ones included, in the order they were connected (their ids are UUIDv7). */
  list(applicationId: string, { isActive, after, limit }: SocialAccountFilter): Promise<SocialTokenEntity[]> {
    return this.database.entities.find(SocialTokenEntity, {
      where: {
        applicationId,
        ...(isActive === undefined ? {} : { isActive }),
        ...(after === undefined ? {} : { id: MoreThan(after) }),
      },
      order: { id: 'ASC' },
      take: limit,
    });
  }
}
