/** What guards the routes of this area. */
export const devicesAbilities = ['device.write'] as const;
