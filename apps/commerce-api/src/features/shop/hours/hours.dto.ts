import { Int, Text } from '@platform/validation';

const CLOCK_TIME = {
  pattern: /^([01]\d|2[0-3]):[0-5]\d$/,
  mismatch: { tag: 'time', text: 'must be a time such as 08:30' },
};

/** One opening of a week; a day may have several, and one that closes before it opens runs into the next day. */
export class OpenHours {
  @Int({ min: 0, max: 6, description: '0 is Sunday' }) day!: number;
  @Text(CLOCK_TIME) open!: string;
  @Text(CLOCK_TIME) close!: string;
}
