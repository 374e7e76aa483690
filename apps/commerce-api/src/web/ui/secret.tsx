import type { JSX } from 'preact';
import { useReader } from './reading';

/** What is shown this once: to be copied before the page is left. */
export const Secret = ({ text, hint }: { readonly text: string; readonly hint: string }): JSX.Element => {
  const { app } = useReader();
  return (
    <div class="secret" role="status">
      <p>{hint}</p>
      <code>{text}</code>
      <button class="button" type="button" data-copy={text} data-done={app.copied} hidden>
        {app.copy}
      </button>
    </div>
  );
};
