import { Flag, Text } from '@platform/validation';

export class NewNote {
  @Text({ max: 2000, visible: true, trim: true }) text!: string;
}

export class Block {
  @Flag() blocked!: boolean;
  @Text({ optional: true, max: 200, trim: true }) reason?: string;
}
