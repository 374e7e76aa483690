/** The month of a moment on the clock of a store: `2026-03`. */
export const monthOf = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit' }).format(at);
