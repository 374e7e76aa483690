import { Int, Text, Texts } from '@platform/validation';

export class Merge {
  @Text({ format: 'uuid' }) keep_id!: string;
  @Texts({ min: 1, max: 20, maxLength: 36 }) merge_ids!: string[];
}

export class BulkTag {
  @Texts({ min: 1, max: 1000, maxLength: 36 }) ids!: string[];
  @Texts({ optional: true, max: 20, maxLength: 36, description: 'Ids of tags' }) add?: string[];
  @Texts({ optional: true, max: 20, maxLength: 36, description: 'Ids of tags' }) remove?: string[];
}

export class BulkTagged {
  @Int({ description: 'Contacts that have other tags now' }) changed!: number;
}

export class TagSet {
  @Texts({ max: 100, maxLength: 36, description: 'Ids of all its tags from now on' }) tag_ids!: string[];
}
