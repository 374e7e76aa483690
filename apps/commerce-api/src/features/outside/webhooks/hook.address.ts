import { InvalidInput, Rejected } from '@platform/errors';
import { safeAddress, type SafeAddressOptions } from '@platform/http';

const NOT_PUBLIC = 'url must be an https address that everybody can reach, without a password';
/** Where the cluster lets it send to (k8s/base/commerce-api/network-policy.yaml): another port would be silence. */
const PORTS = [443, 8443];
const NOT_A_PORT = `url must have the port ${PORTS.join(' or ')}`;

const refusal = (message: string): InvalidInput => new InvalidInput([{ field: 'url', tag: 'public_url', message }]);
const portOf = ({ port }: URL): number => (port === '' ? 443 : Number(port));

/** Throws `InvalidInput` unless the address may be sent to (`safeAddress`). It is checked again before every send: names move. */
export const demandPublic = async (url: string, options: SafeAddressOptions): Promise<void> => {
  const { url: parsed } = await safeAddress(url, options).catch((failure: unknown) => {
    throw failure instanceof Rejected ? refusal(NOT_PUBLIC) : failure;
  });
  const isListed = options.allow?.some((each) => each === parsed.host || each === parsed.hostname) === true;
  if (!isListed && !PORTS.includes(portOf(parsed))) throw refusal(NOT_A_PORT);
};
