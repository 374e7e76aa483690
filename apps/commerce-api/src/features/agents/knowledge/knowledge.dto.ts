import { Choice, Text } from '@platform/validation';

/** A document: exactly one of `text`, `url` and the part `file`. */
export class NewKnowledge {
  @Choice(['faq', 'policy']) kind!: 'faq' | 'policy';
  @Text({ max: 120, trim: true }) title!: string;
  @Text({ optional: true, max: 50_000 }) text?: string;
  @Text({ optional: true, max: 2_000, description: 'https; read once, at most 2 MB' }) url?: string;
}
