import { createContext, type ComponentChildren, type JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { readerOf, type Reader } from '../i18n/reader';

/** To whom a page is shown. */
export const Reading = createContext<Reader>(readerOf('id'));

/** Texts and formats of whoever the page is shown to, for the parts that all pages share. */
export const useReader = (): Reader => useContext(Reading);

/** Which addresses have a page. */
export const Mounted = createContext<(path: string) => boolean>(() => true);

/** A way to a page that another area brings: words alone as long as it is not there. */
export const Way = ({
  to,
  class: name,
  children,
}: {
  readonly to: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}): JSX.Element => {
  const isMounted = useContext(Mounted);
  return isMounted(to.split('?')[0] ?? to) ? (
    <a class={name} href={to}>
      {children}
    </a>
  ) : (
    <span class={name}>{children}</span>
  );
};
