// A page that goes on while it is open: its parts are told as HTML, and take the place of those that have their ids.
import { unpressed } from './press.browser';

const AGAIN_MS = 10_000;

const put = (html: string): void => {
  const { content } = Object.assign(document.createElement('template'), { innerHTML: html });
  void unpressed(() => {
    for (const part of content.children) document.getElementById(part.id)?.replaceWith(part.cloneNode(true));
  });
};

/** Where there is no place to listen the page is asked for now and then; whoever may not see it any more is told so by the page itself. */
const ask = async (url: string, parts: readonly string[]): Promise<void> => {
  const answer = await fetch(url, { redirect: 'manual', headers: { accept: 'text/html' } });
  if (answer.type === 'opaqueredirect' || answer.status === 403 || answer.status === 404) return location.replace(url);
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  for (const id of parts) put(page.getElementById(id)?.outerHTML ?? '');
};

const listen = (url: string, parts: readonly string[]): void => {
  const source = new EventSource(url);
  const close = (): void => source.close();
  window.addEventListener('pagehide', close, { once: true });
  source.addEventListener('html', ({ data }) => put((JSON.parse(data as string) as { html: string }).html));
  source.onerror = () => {
    if (source.readyState !== EventSource.CLOSED) return;
    window.removeEventListener('pagehide', close);
    void ask(url, parts).catch(() => undefined);
    setTimeout(() => listen(url, parts), AGAIN_MS);
  };
};

/**
 * Of the page that says it lives: `data-follow` names its parts, `data-follow-at` where it is shown. A form that came back stands at the address
 * that it was sent to, where nothing is to be listened to, and to load it again would send it again.
 */
export const follow = (): void => {
  const { follow: named, followAt: at } = document.querySelector<HTMLElement>('[data-follow]')?.dataset ?? {};
  if (!named || !at || typeof EventSource === 'undefined') return;
  const parts = named.split(' ');
  listen(at, parts);
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) listen(at, parts);
  });
};
