import { Nested, Text } from '@platform/validation';
import { Media } from '../../media/uploads/public';

export class FileBody {
  @Text({ optional: true, format: 'uuid', description: 'A presigned upload of purpose `digital`, instead of `file`' })
  media_id?: string;
}

/** A file that buyers of a product get. */
export class DigitalFile {
  @Text({ format: 'uuid' }) id!: string;
  @Nested(() => Media) media!: Media;
  @Text({ format: 'instant' }) created_at!: string;
}
