import type { JSX } from 'preact';
import { Icon } from './icon';
import { useReader } from './reading';

/** The way to where a file is read into a list, for who may. */
export const ImportLink = ({ to, may }: { readonly to: string; readonly may: boolean }): JSX.Element | null => {
  const { list } = useReader();
  return may ? (
    <a class="button only-wide" href={to}>
      <Icon name="file-import" />
      {list.import}
    </a>
  ) : null;
};
