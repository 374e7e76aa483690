export interface ManifestLine {
  readonly code: string;
  readonly text: string;
  readonly place?: string;
  /** `2026-03-01T08:00` in Jakarta. */
  readonly at: string;
}

/** What a courier says about a parcel. */
export interface Waybill {
  readonly waybill: string;
  readonly courier: string;
  readonly delivered?: boolean;
  readonly receiver?: string;
  /** What it is called; `DELIVERED` or `ON PROCESS` unless given. */
  readonly status?: string;
  readonly manifest: readonly ManifestLine[];
}

const split = (at = ''): { readonly date: string; readonly time: string } => {
  const [date = '', time = ''] = at.split('T');
  return { date, time };
};

/** As both dialects write it, once wrapped in `data` and once in `result`. */
export const trackingOf = ({
  waybill,
  courier,
  delivered = false,
  receiver = '',
  manifest,
  status = delivered ? 'DELIVERED' : 'ON PROCESS',
}: Waybill) => {
  const [first, last] = [split(manifest[0]?.at), split(manifest.at(-1)?.at)];
  return {
    delivered,
    summary: {
      ...{ courier_code: courier, courier_name: courier.toUpperCase(), waybill_number: waybill, service_code: 'REG' },
      ...{ waybill_date: first.date, shipper_name: 'TOKO', receiver_name: receiver, origin: '', destination: '' },
      status,
    },
    delivery_status: {
      status,
      pod_receiver: delivered ? receiver : '',
      ...{ pod_date: delivered ? last.date : '', pod_time: delivered ? last.time : '' },
    },
    manifest: manifest.map(({ code, text, place = '', at }) => ({
      ...{ manifest_code: code, manifest_description: text, city_name: place },
      ...{ manifest_date: split(at).date, manifest_time: split(at).time },
    })),
  };
};
