/** `Rp1.250.000`: the way customers read it. */
export const money = (amount: number, currency = 'IDR'): string => {
  const digits = String(amount).replace(/\B(?=(\d{3})+$)/g, '.');
  return currency === 'IDR' ? `Rp${digits}` : `${currency} ${digits}`;
};
