import { onlyPage, succeeds } from '../../../examples';

const order_id = '0199f7a0-0000-7000-8000-000000000202';
const order_item_id = '0199f7a0-0000-7000-8000-000000000203';
const warehouse_id = '0199f7a0-0000-7000-8000-000000000101';
const id = '0199f7a0-0000-7000-8000-000000000403';
const at = '2026-03-01T08:00:00.000Z';
const means = { courier: 'JNE', service: 'REG', waybill: 'JP1234567890' };
const row = {
  ...{ id, order_id, direction: 'out', warehouse_id, courier: null, service: null, cost: null, waybill: null },
  ...{ status: 'packed', label_url: `/api/shipping/shipments/${id}/label` },
};
const packed = { at, code: 'packed', text: '', place: null };
const shipment = { ...row, lines: [{ order_item_id, qty: 2, condition: null }], events: [packed] };
const sent = {
  ...shipment,
  ...{ ...means, status: 'in_transit', events: [packed, { at, code: 'in_transit', text: '', place: null }] },
};
const returned = {
  ...shipment,
  ...{ direction: 'return', status: 'delivered', label_url: null },
  ...{ lines: [{ order_item_id, qty: 1, condition: 'damaged' }] },
  ...{ events: [{ at, code: 'delivered', text: '', place: null }] },
};
const cancelled = {
  ...shipment,
  ...{ status: 'cancelled', label_url: null, events: [packed, { at, code: 'cancelled', text: '', place: null }] },
};

export const shipmentExamples = {
  list: succeeds('all of a store', [row], { meta: onlyPage(1) }),
  pack: [
    ...succeeds('two pairs', shipment, {
      status: 201,
      message: 'Shipment created',
      request: { order_id, lines: [{ order_item_id, qty: 2 }], warehouse_id },
    }),
    ...succeeds('one came back, damaged', returned, {
      status: 201,
      message: 'Shipment created',
      request: {
        order_id,
        direction: 'return',
        lines: [{ order_item_id, qty: 1, condition: 'damaged' }],
        warehouse_id,
      },
    }),
  ],
  show: succeeds('on its way', sent),
  cancel: succeeds('one that was only packed', cancelled, { message: 'Shipment cancelled' }),
  waybill: succeeds('of everything', sent, { message: 'Shipment updated', request: means }),
} as const;
