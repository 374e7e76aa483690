import { exposureOf } from './exposure';
import { fieldsOf, type DtoClass } from './field';

/** Whether a caller's groups decide what is sent of a DTO, at any depth. Throws for decorators that are not supported. */
export const showsByGroups = (dto: DtoClass, seen = new Set<DtoClass>()): boolean => {
  if (seen.has(dto)) return false;
  seen.add(dto);
  return fieldsOf(dto).some(({ name, refersTo, refersToAny }) => {
    const exposure = exposureOf(dto, name);
    if (!exposure) return false;
    const inner = [refersTo?.(), exposure.type?.(), ...(refersToAny?.() ?? [])];
    return exposure.byGroups || inner.some((each) => each !== undefined && showsByGroups(each, seen));
  });
};
