import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import { inboxTexts } from './inbox.texts';

const KEYS = [
  ...([
    ['J', 'next'],
    ['K', 'previous'],
    ['R', 'reply'],
    ['A', 'take'],
  ] as const),
  ...([
    ['E', 'close'],
    ['/', 'search'],
    ['Esc', 'back'],
    ['?', 'list'],
  ] as const),
] as const;

/** What keys do, and the way to switch them off (WCAG 2.1.4). Shown by the script that they need. */
export const Keys = ({ t }: { readonly t: Reader }): JSX.Element => {
  const { keys } = inboxTexts(t);
  return (
    <details id="keys" class="keys" hidden>
      <summary class="button">{keys.title}</summary>
      <dl>
        {KEYS.map(([key, what]) => (
          <div>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{keys[what]}</dd>
          </div>
        ))}
      </dl>
      <button type="button" class="button" data-keys data-on={keys.on} data-off={keys.off}>
        {keys.off}
      </button>
    </details>
  );
};
