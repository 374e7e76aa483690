/** SQL: the number of the ticket that is the `nth` of its store. Six digits or more: cut to six, the millionth would have the number of another. */
export const ticketNumber = (nth: string): string =>
  `'TKT-' || lpad(${nth}::text, greatest(6, length(${nth}::text)), '0')`;
