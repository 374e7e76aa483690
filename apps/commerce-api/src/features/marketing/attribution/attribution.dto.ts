import { Text } from '@platform/validation';

const PART = { nullable: true } as const;

/** From where the buyer of an order came: the last time within a week that they did not come by themselves. */
export class Attribution {
  @Text({ description: '`direct`: by themselves, as far as anybody knows' }) source!: string;
  @Text(PART) medium!: string | null;
  @Text(PART) campaign!: string | null;
  @Text(PART) content!: string | null;
  @Text(PART) term!: string | null;
  @Text({ ...PART, format: 'uuid', description: 'The short link that led here' }) tracker_id!: string | null;
  @Text({ ...PART, format: 'instant' }) at!: string | null;
}
