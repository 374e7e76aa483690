// What this screen keeps for whoever writes at it, over a reload: storage may be full or forbidden, and then a reload loses it.

export const find = <E extends HTMLElement>(id: string): E | null => document.getElementById(id) as E | null;
export const root = document.querySelector<HTMLElement>('.inbox');
export const { live, me } = root?.dataset ?? {};
// A form that came back stands at an address of its own, where nothing else is found again
if (live && !live.startsWith(location.pathname)) history.replaceState(history.state, '', live);

/** The next one at this screen has their own. */
export const keyOf = (what: 'draft' | 'outbox', chat = location.pathname): string => `${what} ${me} ${chat}`;

/** What may be forbidden, or full. */
export const ifItMay = <T>(work: () => T): T | undefined => {
  try {
    return work();
  } catch {
    return undefined;
  }
};

export const keep = (key: string, text: string): void => ifItMay(() => sessionStorage.setItem(key, text));
export const kept = (key: string): string => ifItMay(() => sessionStorage.getItem(key)) ?? '';

export const DRAFT = keyOf('draft');
/** What is being written; more than a message holds says so before it is sent, and none of it is cut off. */
export const keepDraft = (area: HTMLTextAreaElement): void => {
  const { value, dataset } = area;
  keep(DRAFT, value);
  area.setCustomValidity((value.length > Number(dataset.most) && dataset.long) || '');
};

/** The address of another chat in which something waits to be sent: whoever went on before it was is told. */
export const unsentAt = (): string | undefined => {
  const start = keyOf('outbox', '');
  const keys = ifItMay(() => Object.keys(sessionStorage));
  // More than an empty list
  return keys?.find((key) => key.startsWith(start) && key !== keyOf('outbox') && kept(key)[2])?.slice(start.length);
};

/**
 * Somebody has signed in again in another tab: the page that came back knows the next one, and the stream of the one before
 * would bring back what that one knew. Whether it is theirs who writes here.
 */
export const takeProof = (form: HTMLFormElement, page: Document): boolean => {
  const proof = '[name=_csrf]';
  const fresh = page.querySelector<HTMLInputElement>(`[data-me="${me}"] ${proof}`);
  if (fresh) form.querySelector<HTMLInputElement>(proof)?.setAttribute('value', fresh.value);
  return fresh !== null && dispatchEvent(new Event('online'));
};
