import { PLACES, type Place } from './places';
import type { Waybill } from './waybills';

export type Fault = 'none' | 'error' | 'nonsense' | 'hang';

/** One request, whatever its dialect. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Of a form. */
  readonly form: URLSearchParams;
  readonly key: string | undefined;
}

export interface Told {
  readonly status: number;
  readonly body: unknown;
}

/** What the provider knows. */
export class Desk {
  readonly waybills = new Map<string, Waybill>();
  readonly requests: { readonly method: string; readonly path: string; readonly body: Record<string, string> }[] = [];
  fault: Fault = 'none';
  left: number;

  constructor(
    private readonly keys: readonly string[],
    quota: number,
  ) {
    this.left = quota;
  }

  isKnown(key: string | undefined): boolean {
    return key !== undefined && this.keys.includes(key);
  }

  /** Takes one of the day's requests; false when none is left. */
  takes(): boolean {
    if (this.left === 0) return false;
    this.left -= 1;
    return true;
  }

  waybill(number: string | null, courier: string | null): Waybill | undefined {
    const waybill = this.waybills.get((number ?? '').toUpperCase());
    return waybill?.courier === courier ? waybill : undefined;
  }
}

/** The place of a number in one of the two spaces. */
export const placeAt = (space: 'districtId' | 'searchId', id: string | null): Place | undefined =>
  PLACES.find((place) => place[space] === id);

/** One each of what several places have in common. */
export const distinctBy = <Row extends { readonly id: string }>(rows: readonly Row[]): Row[] => [
  ...new Map(rows.map((row) => [row.id, row])).values(),
];
