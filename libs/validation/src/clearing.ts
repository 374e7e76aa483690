import { fieldsOf, registerField, type DtoClass } from './field';

/**
 * What stands for "empty" in each field that a change can empty: null, or what the field holds instead of it, such as an empty text or
 * list.
 */
export type Emptied<T> = { readonly [K in keyof T]?: T[K] | null };

type Cleared<T, E extends Emptied<T>> = Omit<T, keyof E> & {
  [K in keyof E & keyof T]?: Exclude<T[K], undefined> | (null extends E[K] ? null : never);
};

/**
 * The DTO of a change of what `fields` describes: absent fields stay as they are, and null, which is documented for the fields of
 * `emptied`, reaches the handler as the value that is given there. The other fields keep their rules.
 */
export const clearing = <T extends object, E extends Emptied<T>>(
  fields: DtoClass<T>,
  emptied: E & { readonly [K in Exclude<keyof E, keyof T>]: never },
): DtoClass<Cleared<T, E>> => {
  abstract class Change extends (fields as DtoClass) {}
  for (const field of fieldsOf(fields)) {
    if (!(field.name in emptied)) continue;
    const options = { ...field.options, clearable: true, emptied: emptied[field.name as keyof E] };
    registerField(Change.prototype, { ...field, options });
  }
  return Change as unknown as DtoClass<Cleared<T, E>>;
};
