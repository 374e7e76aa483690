// What this screen keeps for whoever writes at it, over a reload: storage may be full or forbidden, and then a reload loses it.

/** The next one at this screen has their own. */
export const keyOf = (what: 'draft' | 'outbox', chat = location.pathname): string =>
  `${what} ${document.querySelector<HTMLElement>('#composer')?.dataset.me} ${chat}`;

export const keep = (key: string, text: string): void => {
  try {
    sessionStorage.setItem(key, text);
  } catch {
    // See above
  }
};

export const kept = (key: string): string => {
  try {
    return sessionStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
};

/** The chat is at another address from now on. */
export const moveKept = (chat: string): void => {
  for (const what of ['draft', 'outbox'] as const) {
    keep(keyOf(what, chat), kept(keyOf(what)));
    keep(keyOf(what), '');
  }
};
