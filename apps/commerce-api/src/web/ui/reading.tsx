import { createContext, type ComponentChildren, type JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { readerOf, type Reader } from '../i18n/reader';

/** To whom a page is shown. */
export const Reading = createContext<Reader>(readerOf('id'));

/** Texts and formats of whoever the page is shown to, for the parts that all pages share. */
export const useReader = (): Reader => useContext(Reading);

/** Which addresses have a page that the reader may open. */
export const Opens = createContext<(path: string) => boolean>(() => true);

/** A way to a page of another area: words alone where it is not there, or not for this reader. */
export const Way = ({
  to,
  class: name,
  children,
}: {
  readonly to: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}): JSX.Element => {
  const opens = useContext(Opens);
  return opens(to.split('?')[0] ?? to) ? (
    <a class={name} href={to}>
      {children}
    </a>
  ) : (
    <span class={name}>{children}</span>
  );
};
