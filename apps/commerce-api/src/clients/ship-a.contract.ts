import { UpstreamFailed } from '@platform/errors';
import type { ShippingProvider } from '../features/shipping/port';

/** What somebody scripts at the other side. */
export interface ShippingSubject {
  readonly provider: ShippingProvider;
  script(waybill: string, delivered: boolean): Promise<void>;
  /** Requests that are left today. */
  quota(left: number): Promise<void>;
}

const refusal = expect.any(UpstreamFailed) as UpstreamFailed;
type SubjectOf = () => ShippingSubject;

const placed = async ({ provider }: ShippingSubject) => {
  const [from] = await provider.search('Coblong, Bandung', 5);
  const [to] = await provider.search('Menteng, Jakarta', 5);
  return { origin: from?.id ?? '', destination: to?.id ?? '' };
};

const places = (subjectOf: SubjectOf): void => {
  it('finds places by their names, from a province down to a district', async () => {
    const { provider } = subjectOf();
    const province = (await provider.provinces()).find(({ name }) => name === 'Jawa Barat');
    const city = (await provider.cities(province?.id ?? '')).find(({ name }) => name === 'Bandung');
    const districts = await provider.districts(city?.id ?? '');
    expect(districts.map(({ name }) => name)).toEqual(['Coblong', 'Cicendo', 'Sukajadi']);
    const [found] = await provider.search('coblong, BANDUNG', 5);
    expect(found).toMatchObject({ district: 'Coblong', city: 'Bandung', province: 'Jawa Barat' });
    expect(await provider.search('Atlantis', 5)).toEqual([]);
  });
};

const prices = (subjectOf: SubjectOf): void => {
  it('tells the same prices whatever its dialect, of the couriers that were asked for', async () => {
    const { provider } = subjectOf();
    const asked = { space: 'search', ...(await placed(subjectOf())), weightG: 2_000 } as const;
    expect(await provider.prices({ ...asked, couriers: ['jne', 'tiki'] })).toEqual([
      { courier: 'jne', service: 'REG', description: 'Layanan Reguler', cost: 54_000, etd: '3-4' },
      { courier: 'jne', service: 'YES', description: 'Yakin Esok Sampai', cost: 102_000, etd: '2-3' },
      { courier: 'tiki', service: 'ECO', description: 'Economy Service', cost: 45_000, etd: '5-6' },
    ]);
    expect(await provider.prices({ ...asked, couriers: ['nobody'] })).toEqual([]);
  });

  it('rejects when the quota of the day is used up', async () => {
    const { provider, quota } = subjectOf();
    const asked = { space: 'search', ...(await placed(subjectOf())), weightG: 1_000, couriers: ['jne'] } as const;
    await quota(0);
    await expect(provider.prices(asked)).rejects.toEqual(refusal);
    await quota(1_000);
    expect(await provider.prices(asked)).toHaveLength(2);
  });
};

const parcels = (subjectOf: SubjectOf): void => {
  it('tells where a parcel is in times of the world, and knows no other', async () => {
    const { provider, script } = subjectOf();
    const waybill = { courier: 'jne', waybill: 'CONTRACT-1' };
    await script('CONTRACT-1', false);
    const line = { at: '2026-03-01T01:00:00.000Z', code: '1', text: 'Manifested', place: 'BANDUNG' };
    const onItsWay = { status: 'ON PROCESS', delivered: false, returned: false, plain: false };
    const onIts = { ...onItsWay, receivedBy: null, receivedAt: null, events: [line] };
    expect(await provider.track(waybill)).toEqual(onIts);
    await script('CONTRACT-1', true);
    const received = { status: 'DELIVERED', delivered: true, plain: true, receivedBy: 'BUDI', receivedAt: line.at };
    expect(await provider.track(waybill)).toEqual({ ...onIts, ...received });
    expect(await provider.track({ courier: 'jne', waybill: 'NOBODY-1' })).toBeUndefined();
  });
};

/** What this service relies on at the provider of courier prices; runs on both dialects. */
export const shippingContract = (subjectOf: SubjectOf): void => {
  places(subjectOf);
  prices(subjectOf);
  parcels(subjectOf);
};
