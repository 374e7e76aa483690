import { Nested, Text, type DtoClass } from '@platform/validation';

/** `{message, data}`, as every call of the gateway answers; documented under `name`. */
export const replyOf = <Data extends object>(
  name: string,
  data: DtoClass<Data>,
): DtoClass<{ message: string; data: Data }> => {
  class Reply {
    @Text() message!: string;
    @Nested(() => data) data!: Data;
  }
  Object.defineProperty(Reply, 'name', { value: name });
  return Reply;
};
