import { Choice, Text, Texts } from '@platform/validation';

/** How long people make tokens for. */
export const lifetimes = ['year', 'quarter', 'month', 'forever'] as const;
export type Lifetime = (typeof lifetimes)[number];

/** The form of a new token. */
export class TokenEdit {
  @Text({ max: 60, trim: true }) name!: string;
  @Choice(lifetimes) lasts!: Lifetime;
  @Texts({ min: 1, max: 60, maxLength: 40 }) abilities!: string[];
}

export class TokenNamed {
  @Text({ format: 'uuid' }) id!: string;
}
