const KG = 1_000;
/** What couriers let pass above a whole kg before they count the next one. */
const TOLERANCE_G: Readonly<Record<string, number>> = { jne: 300, tiki: 300, sicepat: 300, jnt: 300, anteraja: 300 };

/** The weight that a courier charges: whole kg, at least one. */
export const chargedWeight = (courier: string, weightG: number): number => {
  const whole = Math.floor(weightG / KG);
  const rest = weightG - whole * KG;
  return Math.max(1, whole + Number(rest > (TOLERANCE_G[courier] ?? 0))) * KG;
};

/** Couriers by what they charge for, so that those that agree are asked about at once. */
export const byWeight = (couriers: readonly string[], weightG: number): ReadonlyMap<number, readonly string[]> => {
  const groups = new Map<number, string[]>();
  for (const courier of couriers.toSorted()) {
    const weight = chargedWeight(courier, weightG);
    groups.set(weight, [...(groups.get(weight) ?? []), courier]);
  }
  return groups;
};
