import type { ComponentChildren, JSX } from 'preact';
import { useReader } from './reading';

export interface Days {
  /** `YYYY-MM-DD`, both whole. */
  readonly from: string;
  readonly to: string;
}

interface SpanParts {
  readonly path: string;
  readonly days: Days;
  /** What else the page was asked for, which stays. */
  readonly kept?: Readonly<Record<string, string | undefined>>;
  readonly children?: ComponentChildren;
}

/** Of which days a page tells. */
export const SpanForm = ({ path, days, kept = {}, children }: SpanParts): JSX.Element => {
  const { span } = useReader();
  return (
    <form class="span" action={path}>
      {Object.entries(kept).map(([name, value]) =>
        value === undefined ? null : <input type="hidden" name={name} value={value} />,
      )}
      {(['from', 'to'] as const).map((name) => (
        <label class="field">
          {span[name]}
          <span class="input">
            <input type="date" name={name} value={days[name]} required />
          </span>
        </label>
      ))}
      {children}
      <button class="button">{span.show}</button>
    </form>
  );
};
