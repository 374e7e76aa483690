import { Choice, Int, Json, Text } from '@platform/validation';
import { purposes, type Purpose } from '../uploads/public';

export class PresignBody {
  @Text({ max: 255, trim: true, min: 1, description: 'Only ever shown' }) filename!: string;
  @Text({ max: 100, trim: true, description: '`image/png`; what its first bytes will say' }) mime!: string;
  @Int({ min: 1, description: 'Exactly' }) bytes!: number;
  @Choice(purposes) purpose!: Purpose;
}

export class PresignedUpload {
  @Text({ format: 'uuid', description: 'Of the file, once it is there' }) media_id!: string;
  @Choice(['PUT']) method!: 'PUT';
  @Text({ description: 'Takes the file as the body, once' }) url!: string;
  @Json({ description: 'To be sent with it' }) headers!: Record<string, string>;
  @Text({ format: 'instant' }) expires_at!: string;
}
