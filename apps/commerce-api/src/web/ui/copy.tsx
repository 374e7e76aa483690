import type { JSX } from 'preact';
import type { Reader } from '../i18n/reader';

/** Something to be typed elsewhere: with script it is copied by a tap, without it is there to be marked. */
export const CopyText = ({ text, t }: { readonly text: string; readonly t: Reader }): JSX.Element => (
  <span class="row-actions">
    <code class="code">{text}</code>
    <button class="button" type="button" data-copy={text} data-done={t.copy.done} hidden>
      {t.copy.copy}
    </button>
  </span>
);
