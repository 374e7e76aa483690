import { Nested, Text, Texts } from '@platform/validation';

export class HandledQuery {
  @Text({ max: 36, example: 'S1' }) store_id!: string;
  @Text({ max: 64, example: 'u-rina' }) user_id!: string;
}

export class HandledStruct {
  @Texts({ description: 'numbers of customers, each once; no groups' }) nohp!: string[];
}

export class HandledAnswer {
  @Text({ example: 'success' }) message!: string;
  @Nested(() => HandledStruct) data!: HandledStruct;
}
