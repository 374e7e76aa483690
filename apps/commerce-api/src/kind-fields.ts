import { InvalidInput } from '@platform/errors';

/** Of one kind of thing: what its `data` must have, and what it may have besides. */
export interface KindFields<Name extends string> {
  readonly needs: readonly Name[];
  readonly may?: readonly Name[];
}

/** Throws `InvalidInput` for what the `data` of a kind lacks, and for what only other kinds have. */
export const demandFields = <Data extends object>(
  kind: string,
  data: Data,
  { needs, may = [] }: KindFields<keyof Data & string>,
): void => {
  const missing = needs.filter((field) => data[field] === undefined);
  const foreign = (Object.keys(data) as (keyof Data & string)[]).filter(
    (field) => data[field] !== undefined && !needs.includes(field) && !may.includes(field),
  );
  const violations = [
    ...missing.map((field) => ({ field, tag: 'required', text: 'is a required field' })),
    ...foreign.map((field) => ({ field, tag: 'excluded', text: `is not of a ${kind}` })),
  ].map(({ field, tag, text }) => ({ field: `data.${field}`, tag, message: `data.${field} ${text}` }));
  if (violations.length > 0) throw new InvalidInput(violations);
};
