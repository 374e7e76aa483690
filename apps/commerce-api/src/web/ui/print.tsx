import type { JSX } from 'preact';
import { Icon } from './icon';
import { useReader } from './reading';

/** Over a page that is to be printed; it is not on the paper. Without script, the browser's own menu prints. */
export const PrintBar = ({ back }: { readonly back: string }): JSX.Element => {
  const { app } = useReader();
  return (
    <div class="row-actions print-bar">
      <a class="button" href={back}>
        <Icon name="arrow-left" />
        {app.back}
      </a>
      <button class="button button-main only-script" type="button" data-print>
        <Icon name="printer" />
        {app.print}
      </button>
    </div>
  );
};
