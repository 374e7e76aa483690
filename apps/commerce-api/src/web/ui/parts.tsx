import type { ComponentChildren, JSX } from 'preact';
import { useReader } from './reading';

export type Tone = 'good' | 'wait' | 'bad' | 'info' | 'plain';

interface WithChildren {
  readonly children?: ComponentChildren;
}

/** A state in words; the tone only helps. */
export const Chip = ({ tone, children }: WithChildren & { readonly tone: Tone }): JSX.Element => (
  <span class={`chip ${tone}`}>{children}</span>
);

/** The amount is what is compared: its currency stands back. */
export const Money = ({ amount }: { readonly amount: number }): JSX.Element => {
  const [currency, digits] = useReader().money(amount).split('\u00a0');
  return (
    <span class="money">
      <small>{currency}</small>
      {`\u00a0${digits}`}
    </span>
  );
};

/** An instant on the clock of the store; `brief`: in lists, without its zone. */
export const Moment = ({ at, brief }: { readonly at: string; readonly brief?: true }): JSX.Element => {
  const t = useReader();
  return <time dateTime={at}>{brief ? t.brief(at) : t.moment(at)}</time>;
};

/** What this place is for, and the one thing to do next. */
export const Empty = ({ text, children }: WithChildren & { readonly text: string }): JSX.Element => (
  <div class="panel empty">
    <p>{text}</p>
    {children}
  </div>
);

/** What went wrong with what stands below. */
export const Alert = ({ text }: { readonly text: string | undefined }): JSX.Element => (
  <p class="alert bad" role="alert" tabIndex={-1} autofocus>
    {text}
  </p>
);

/** What is to be known of what stands below. */
export const Notice = ({ text }: { readonly text: string }): JSX.Element => <p class="alert info">{text}</p>;

/** In place of what another service would tell, while it is away. */
export const Away = (): JSX.Element => <Notice text={useReader().failure.unavailable.text} />;

/** A part of a page under its own heading. */
export const Section = ({ title, children }: WithChildren & { readonly title: string }): JSX.Element => (
  <section class="section">
    <h2>{title}</h2>
    {children}
  </section>
);

/** The first letters of the first two words. */
export const initials = (name: string): string =>
  name
    .split(/\s+/)
    .slice(0, 2)
    // Marks that only turn or join what follows are seen by nobody
    .map((word) => [...word.replace(/\p{C}/gu, '')][0] ?? '')
    .join('')
    .toUpperCase();
