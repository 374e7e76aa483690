import type { ComponentChildren, JSX } from 'preact';
import type { FormState } from '../page.types';
import { useReader } from './reading';

/** Rows that can be picked, each by its id. */
export interface PickOf<Row> {
  readonly idOf: (row: Row) => string;
  /** What it is called to who hears it. */
  readonly nameOf: (row: Row) => string;
}

export interface BulkOf<Row> extends PickOf<Row> {
  readonly form: FormState;
  /** Where the ids go. */
  readonly action: string;
  /** What can be done: buttons of the form. */
  readonly children: ComponentChildren;
}

/** The form that the boxes of a list belong to; its name among those of the page. */
export const BULK = 'bulk';

/** The box of a row. */
export const PickBox = ({ id, name }: { readonly id: string; readonly name: string }): JSX.Element => {
  const { list } = useReader();
  return (
    <label class="pick">
      <input type="checkbox" name="ids" value={id} form={BULK} />
      <span class="sr">{list.pick({ name })}</span>
    </label>
  );
};

/** All boxes of the page, with script. */
export const PickAll = (): JSX.Element => {
  const { list } = useReader();
  return (
    <label class="pick pick-all">
      <input type="checkbox" data-pick-all />
      <span class="sr">{list.pickAll}</span>
    </label>
  );
};

/** Stands there as soon as a box is ticked; the stylesheet sees to that. */
export const BulkBar = ({
  form,
  action,
  children,
}: Pick<BulkOf<never>, 'form' | 'action' | 'children'>): JSX.Element => {
  const { list } = useReader();
  return (
    <form id={BULK} class="bulk" method="post" action={action} aria-label={list.picked}>
      <input type="hidden" name="_csrf" value={form.csrf} />
      <input type="hidden" name="_idem" value={`${form.key}${BULK}`} />
      <input type="hidden" name="action" value={BULK} />
      <span class="bulk-text">{list.picked}</span>
      {children}
    </form>
  );
};
