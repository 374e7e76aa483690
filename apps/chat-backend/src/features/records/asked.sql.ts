/** SQL condition: the customer of row `of`, by its number, may be asked how it was; the customer's own word is here before it is anywhere else. */
export const mayBeAsked = (of: string): string => `NOT EXISTS (
  SELECT 1 FROM customers k WHERE k.store_id = ${of}.store_id AND k.nohp = ${of}.nohp AND (k.opt_out OR k.blokir))`;
