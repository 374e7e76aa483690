/**
 * Anything but white space, controls, halves of pairs, what joins, spaces or turns others, fillers, the empty cell of braille, and
 * two signs that are drawn as nothing. Signs that stand around digits are formats by name, and are drawn.
 */
const SEEN =
  /(?!\u{1d159}|\u{16fe4})[^\s\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]|[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u;
const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Whether a reader sees anything of a text. */
export const hasVisible = (text: string): boolean => SEEN.test(text);

/** A text for where nothing keeps it apart from what stands around it: without the characters that turn the direction. */
export const withoutTurns = (text: string): string => text.replace(TURNING, '');
