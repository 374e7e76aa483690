/**
 * Whether this is the name of a time zone, such as Asia/Jakarta. No offset such as +07:00 is: newer Node takes those too, and PostgreSQL reads
 * them as so many hours to the west.
 */
export const isTimeZone = (name: string): boolean => {
  if (/^[+-]/.test(name)) return false;
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
};
