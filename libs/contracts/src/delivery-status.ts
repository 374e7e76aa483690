/** `status_ack` of the contract, in the order a message goes through. Stored as the index (smallint). */
export const deliveryStatuses = ['pending', 'sent', 'delivered', 'viewed', 'played'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** What chat-backend's callback accepts [contract]; the gateway also sends `pending`, which is refused there. */
export const callbackStatuses = ['sent', 'delivered', 'viewed', 'played'] as const satisfies readonly DeliveryStatus[];
export type CallbackStatus = (typeof callbackStatuses)[number];

const codes: ReadonlyMap<string, number> = new Map(deliveryStatuses.map((status, code) => [status, code]));

export const isDeliveryStatus = (value: unknown): value is DeliveryStatus =>
  typeof value === 'string' && codes.has(value);

export const isCallbackStatus = (value: unknown): value is CallbackStatus =>
  isDeliveryStatus(value) && value !== 'pending';

/** The smallint a status is stored as; a higher one is further along. */
export const deliveryStatusCode = (status: DeliveryStatus): number => deliveryStatuses.indexOf(status);

/** The status of a stored code. Throws a RangeError for a code that no status has. */
export const deliveryStatusOf = (code: number): DeliveryStatus => {
  const status = deliveryStatuses[code];
  if (!status)
    throw new RangeError(
      `${code} is no delivery status code: it must be a whole number from 0 to ${deliveryStatuses.length - 1}`,
    );
  return status;
};

/** The one that is further along. */
export const furtherStatus = (one: DeliveryStatus, other: DeliveryStatus): DeliveryStatus =>
  deliveryStatusCode(one) >= deliveryStatusCode(other) ? one : other;
