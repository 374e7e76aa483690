import { Choice, Flag, Text } from '@platform/validation';

export class ValidateBody {
  @Text({ max: 8192 }) token!: string;
  @Choice(['access', 'preview'], { optional: true, description: 'access when left out' }) purpose?:
    'access' | 'preview';
  @Text({ optional: true, max: 2048, description: "The session's when left out; previews only" }) referer?: string;
  @Flag({ optional: true, description: 'Uses a preview token up' }) consume?: boolean;
}
